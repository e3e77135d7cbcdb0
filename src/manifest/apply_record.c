/* SPDX-License-Identifier: Apache-2.0 */

/* The end of a turn: its event is completed, recorded, and then shown. */

#include "manifest/apply_steps.h"

#include <time.h>

#define STAGE    "apply"
#define NS_PER_S UINT64_C(1000000000)

uint64_t
w_apply_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void
set_times(struct w_event *event, uint64_t begun_ns)
{
	event->time_us = w_event_now_us();
	event->duration_ns = w_apply_now_ns() - begun_ns;
	w_event_new_id(event->id);
}

static void
set_lists(struct w_turn *turn)
{
	struct w_event *event = &turn->event;

	event->errors = turn->errors.items;
	event->warnings = turn->warnings.items;
	event->unmet = turn->unmet.items;
	event->run_ids = turn->run_ids.items;
	if (event->provider == NULL)
		event->provider = "posix";
	if (event->requested_ensure == NULL)
		event->requested_ensure = "present";
	if (event->properties == NULL)
		event->properties = "{}";
}

/* What was done is recorded also when there is no memory to say more. */
static void
shorten(struct w_turn *turn)
{
	static const char *const errors[] = {"out of memory", NULL};
	struct w_event *event = &turn->event;

	event->errors = errors;
	event->warnings = event->unmet = event->run_ids = NULL;
	event->health = NULL;
	event->health_count = 0;
	event->properties = "{}";
	event->status = event->diff = event->decided_by = NULL;
	event->failed = true;
	event->changed = turn->has_acted;
}

static void
show(struct w_turn *turn)
{
	const struct w_apply_watch *watch = turn->watch;
	size_t len = 0;
	const char *json = w_session_json(turn->session, &len);

	if (watch->on_event != NULL && json != NULL)
		watch->on_event(
		    watch->ctx, turn->resource, &turn->event, json, len);
}

writ_status
w_apply_record(struct w_turn *turn, uint64_t begun_ns, writ_error *err)
{
	set_times(&turn->event, begun_ns);
	if (turn->is_cut) {
		turn->event.interrupted = true;
		w_turn_fail(turn, "interrupted");
	}
	set_lists(turn);
	if (turn->is_short) {
		(void)w_fail_nomem(err, STAGE);
		if (!turn->has_acted)
			return WRIT_E_NOMEM;
		shorten(turn);
	}
	writ_status status = w_session_add(
	    turn->session, &turn->event, turn->is_short ? NULL : err);
	if (turn->is_short)
		return WRIT_E_NOMEM;
	if (status == WRIT_OK)
		show(turn);
	return status;
}
