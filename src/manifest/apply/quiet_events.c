/* SPDX-License-Identifier: Apache-2.0 */

/* Events that are recorded and shown together. */

#include "manifest/apply/quiet_events.h"

#include <stdlib.h>

#include "manifest/apply/apply_phases.h"

#define HELD_NS  UINT64_C(20000000)
#define HELD_MAX ((size_t)64 << 10) /* bytes of text */

/* What the event's texts are in, while the next steps use other ones. */
struct w_quiet_event {
	const struct w_resource *resource;
	writ_event event;
	size_t json_at;
	struct w_arena arena;
	struct w_buf properties;
	struct w_buf status;
	bool is_begun; /* that it begins was told */
};

bool
w_quiet_events_suit(const struct w_resource_step *step)
{
	const writ_event *event = &step->event;

	return !event->failed && (!event->changed || event->noop) &&
	       !step->has_acted && !step->is_cut && !step->is_short &&
	       step->run_ids.count == 0;
}

static bool
have_items(struct w_resource_step *step)
{
	struct w_quiet_events *held = &step->quiet;

	if (held->items != NULL)
		return true;
	held->items = calloc(W_QUIET_EVENTS_MAX, sizeof(*held->items));
	for (size_t i = 0; held->items != NULL && i < W_QUIET_EVENTS_MAX; i++) {
		w_buf_init(&held->items[i].properties, step->properties.max);
		w_buf_init(&held->items[i].status, step->status.max);
	}
	return held->items != NULL;
}

static void
swap_bufs(struct w_buf *one, struct w_buf *other)
{
	const struct w_buf kept = *one;

	*one = *other;
	*other = kept;
}

writ_status
w_quiet_events_add(struct w_resource_step *step, writ_error *err)
{
	struct w_quiet_events *held = &step->quiet;
	const uint64_t now = w_apply_now_ns();

	if (!have_items(step))
		return w_fail_nomem(err, "apply");
	if (held->count == 0)
		held->since_ns = now;
	struct w_quiet_event *item = &held->items[held->count++];
	const struct w_arena arena = item->arena;
	item->resource = step->resource;
	item->event = step->event;
	item->json_at =
	    (size_t)(step->event.json - w_manifest_session_text(step->session));
	item->arena = step->arena;
	item->is_begun = step->is_begun;
	/* The next step begins by emptying what it gets. */
	step->arena = arena;
	swap_bufs(&item->properties, &step->properties);
	swap_bufs(&item->status, &step->status);
	if (held->count < W_QUIET_EVENTS_MAX &&
	    now - held->since_ns < HELD_NS && item->json_at < HELD_MAX)
		return WRIT_OK;
	return w_quiet_events_tell(step, err);
}

static void
tell_begin(
    const struct w_resource_step *step, const struct w_resource *resource)
{
	const struct w_apply_watch *watch = step->watch;

	if (watch->on_begin != NULL)
		watch->on_begin(watch->ctx, w_resource_word(resource->type),
		    resource->name.text);
}

writ_status
w_quiet_events_tell(struct w_resource_step *step, writ_error *err)
{
	struct w_quiet_events *held = &step->quiet;
	const struct w_apply_watch *watch = step->watch;
	const size_t count = held->count;

	if (count == 0)
		return WRIT_OK;
	held->count = 0;
	writ_status status = w_manifest_session_flush(step->session, err);
	if (status != WRIT_OK)
		return status;
	const char *text = w_manifest_session_text(step->session);
	for (size_t i = 0; i < count; i++) {
		struct w_quiet_event *item = &held->items[i];

		item->event.json = text + item->json_at;
		if (!item->is_begun)
			tell_begin(step, item->resource);
		if (watch->on_event != NULL)
			watch->on_event(watch->ctx, &item->event);
	}
	return WRIT_OK;
}

writ_status
w_quiet_events_begin(struct w_resource_step *step, writ_error *err)
{
	writ_status status = w_quiet_events_tell(step, err);

	if (status != WRIT_OK || step->is_begun)
		return status;
	step->is_begun = true;
	if (step->resource != NULL)
		tell_begin(step, step->resource);
	return WRIT_OK;
}

void
w_quiet_events_done(struct w_quiet_events *held)
{
	for (size_t i = 0; held->items != NULL && i < W_QUIET_EVENTS_MAX; i++) {
		w_arena_done(&held->items[i].arena);
		w_buf_done(&held->items[i].properties);
		w_buf_done(&held->items[i].status);
	}
	free(held->items);
	*held = (struct w_quiet_events){.items = NULL};
}
