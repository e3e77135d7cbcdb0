/* SPDX-License-Identifier: Apache-2.0 */

/* The end of a step: its event is completed, recorded, and then shown. */

#include "manifest/apply/apply_phases.h"

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
set_lists(struct w_resource_step *step)
{
	writ_event *event = &step->event;

	event->errors = step->errors.items;
	event->warnings = step->warnings.items;
	event->unmet = step->unmet.items;
	event->run_ids = step->run_ids.items;
	if (event->provider == NULL)
		event->provider = "posix";
	if (event->requested_ensure == NULL)
		event->requested_ensure = "present";
	if (event->properties == NULL)
		event->properties = "{}";
}

/* Without memory, what was done is still recorded, in short. */
static void
shorten(struct w_resource_step *step)
{
	static const char *const errors[] = {"out of memory", NULL};
	writ_event *event = &step->event;

	event->errors = errors;
	event->warnings = event->unmet = event->run_ids = NULL;
	event->health = NULL;
	event->health_count = 0;
	event->properties = "{}";
	event->status = event->diff = event->decided_by = NULL;
	event->failed = true;
	event->changed = step->has_acted;
}

writ_status
w_apply_record(struct w_resource_step *step, uint64_t begun_ns, writ_error *err)
{
	const struct w_apply_watch *watch = step->watch;

	step->event.time_us = w_event_now_us();
	step->event.duration_ns = w_apply_now_ns() - begun_ns;
	w_event_new_id(step->event.id);
	if (step->is_cut) {
		step->event.interrupted = true;
		w_resource_step_fail(step, "interrupted");
	}
	set_lists(step);
	if (step->is_short) {
		(void)w_fail_nomem(err, STAGE);
		if (!step->has_acted)
			return WRIT_E_NOMEM;
		shorten(step);
	}
	const bool is_held = w_quiet_events_suit(step);
	writ_status status = w_manifest_session_add(
	    step->session, &step->event, is_held, step->is_short ? NULL : err);
	if (step->is_short)
		return WRIT_E_NOMEM;
	step->event.size = sizeof(step->event);
	step->event.json =
	    w_manifest_session_json(step->session, &step->event.json_len);
	if (status == WRIT_OK && is_held)
		return w_quiet_events_add(step, err);
	if (status == WRIT_OK)
		status = w_quiet_events_begin(step, err);
	if (status == WRIT_OK && watch->on_event != NULL &&
	    step->event.json != NULL)
		watch->on_event(watch->ctx, &step->event);
	return status;
}
