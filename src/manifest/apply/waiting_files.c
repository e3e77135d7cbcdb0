/* SPDX-License-Identifier: Apache-2.0 */

/* Files that reach the disk together. */

#include "manifest/apply/waiting_files.h"

#include <stdlib.h>
#include <string.h>

#include "manifest/apply/apply_owed.h"
#include "manifest/apply/apply_phases.h"

#define STAGE "apply"

/* What a step owns, while the next ones use it. */
struct w_waiting_file {
	const struct w_resource *resource;
	uint64_t taken_ns; /* until it was written */
	bool is_pending; /* it has no name yet; else it only keeps its place */
	bool has_failed; /* it could not be named */
	struct w_arena arena;
	writ_event event;
	struct w_texts warnings;
	struct w_texts run_ids;
	struct w_buf properties;
	struct w_buf status;
};

/* ---- which files ---- */

#define LATE (W_EXPR_USES_FILE | W_EXPR_USES_RESULTS)

static bool
is_plain_file(
    const struct w_resource_step *step, const struct w_resource *resource)
{
	const struct w_file_resource *file = resource->as.file;

	return resource->type == W_RESOURCE_FILE && !step->options->noop &&
	       !step->options->health_only && !resource->is_sensitive &&
	       resource->require.count == 0 &&
	       resource->extras->health_count == 0 &&
	       resource->extras->control_if.expr == NULL &&
	       resource->extras->control_unless.expr == NULL &&
	       file->ensure == W_FILE_PRESENT &&
	       file->validate.line.template.parts == NULL &&
	       file->validate.words.count == 0 && file->backup.text == NULL &&
	       file->content.template.parts != NULL &&
	       (file->content.template.uses & LATE) == 0;
}

/* The same path, or one beneath. */
static bool
is_near(const char *one, const char *other)
{
	const size_t len = strlen(one);

	return strncmp(one, other, len) == 0 &&
	       (other[len] == '\0' || other[len] == '/');
}

bool
w_waiting_files_suit(const struct w_waiting_files *waiting,
    const struct w_resource_step *step, const struct w_resource *resource)
{
	if (waiting->count == 0)
		return true;
	if (waiting->count == W_WAITING_FILES_MAX ||
	    waiting->items[0].resource->parent != resource->parent ||
	    !is_plain_file(step, resource))
		return false;
	for (size_t i = 0; i < waiting->count; i++) {
		if (is_near(waiting->items[i].resource->name.text,
			resource->name.text))
			return false;
	}
	return true;
}

writ_file_batch *
w_waiting_files_batch(struct w_waiting_files *waiting,
    const struct w_resource_step *step, const struct w_resource *resource)
{
	const size_t next = resource->index + 1;

	/* A single file is not worth it. */
	if (waiting->is_off || !is_plain_file(step, resource) ||
	    (waiting->count == 0 &&
		(next >= step->manifest->count ||
		    !is_plain_file(step, &step->manifest->resources[next]))))
		return NULL;
	if (waiting->items == NULL)
		waiting->items =
		    calloc(W_WAITING_FILES_MAX, sizeof(*waiting->items));
	if (waiting->items != NULL && waiting->batch == NULL &&
	    writ_file_batch_new(step->engine, &waiting->batch, NULL) != WRIT_OK)
		waiting->batch = NULL;
	waiting->is_off = waiting->items == NULL || waiting->batch == NULL;
	return waiting->batch;
}

/* ---- waiting ---- */

writ_status
w_waiting_files_add(struct w_waiting_files *waiting,
    struct w_resource_step *step, uint64_t begun_ns, writ_error *err)
{
	struct w_waiting_file *item = &waiting->items[waiting->count++];
	const writ_status status = w_quiet_events_begin(step, err);

	*item = (struct w_waiting_file){
	    .resource = step->resource,
	    .taken_ns = w_apply_now_ns() - begun_ns,
	    .is_pending = step->is_pending,
	    .arena = step->arena,
	    .event = step->event,
	    .warnings = step->warnings,
	    .run_ids = step->run_ids,
	    .properties = step->properties,
	    .status = step->status,
	};
	step->arena = (struct w_arena){.chunks = NULL};
	w_resource_step_init(step);
	/* What it owes is owed. The next step makes a promise of its own. */
	step->keeper->has_promised = false;
	/* It is complete, and recorded in short, when all are. */
	if (step->is_short)
		return w_fail_nomem(err, STAGE);
	return status;
}

static void
waiting_files_take_back(
    struct w_waiting_file *item, struct w_resource_step *step)
{
	w_resource_step_begin(step, item->resource);
	w_resource_step_done(step);
	step->arena = item->arena;
	step->event = item->event;
	step->warnings = item->warnings;
	step->run_ids = item->run_ids;
	step->properties = item->properties;
	step->status = item->status;
	step->has_acted = true;
	step->is_begun = true;
	item->arena = (struct w_arena){.chunks = NULL};
	item->resource = NULL;
}

/* They come in order: it is the first that is still pending. */
static void
waiting_files_on_done(void *ctx, size_t index, const writ_error *failure)
{
	struct w_waiting_files *waiting = ctx;
	size_t at = 0;

	(void)index;
	while (!waiting->items[at].is_pending)
		at++;
	waiting->items[at].is_pending = false;
	waiting->items[at].has_failed = failure != NULL;
}

/* One after the other: those that could not be named are applied again. */
static writ_status
conclude(struct w_waiting_files *waiting, struct w_resource_step *step,
    uint64_t share_ns, bool *out_stop, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < waiting->count; i++) {
		struct w_waiting_file *item = &waiting->items[i];
		const struct w_resource *resource = item->resource;
		uint64_t begun = w_apply_now_ns();

		/* Pending still: a failure before it ended the apply. */
		if (item->is_pending || status != WRIT_OK)
			break;
		waiting_files_take_back(item, step);
		if (item->has_failed) {
			w_resource_step_begin(step, resource);
			step->is_begun = true;
			w_apply_resource(step);
		} else {
			begun -= item->taken_ns + share_ns;
		}
		status = w_apply_conclude(step, begun, out_stop, err);
		/* Those behind it have been dropped. */
		if (w_apply_ends(step))
			break;
	}
	return status;
}

static void
forget_all(struct w_waiting_files *waiting)
{
	for (size_t i = 0; i < waiting->count; i++) {
		struct w_waiting_file *item = &waiting->items[i];

		if (item->resource == NULL)
			continue;
		w_arena_done(&item->arena);
		w_buf_done(&item->properties);
		w_buf_done(&item->status);
	}
	waiting->count = 0;
}

writ_status
w_waiting_files_flush(struct w_waiting_files *waiting,
    struct w_resource_step *step, bool *out_stop, writ_error *err)
{
	const uint64_t begun = w_apply_now_ns();

	if (waiting->count == 0)
		return WRIT_OK;
	const struct w_manifest *home = waiting->items[0].resource->home;
	writ_file_batch_commit(waiting->batch,
	    (home != NULL ? home : step->manifest)->is_fail_on_error,
	    waiting_files_on_done, waiting);
	const uint64_t share_ns = (w_apply_now_ns() - begun) / waiting->count;
	writ_status status = conclude(waiting, step, share_ns, out_stop, err);
	forget_all(waiting);
	return status;
}

writ_status
w_waiting_files_flush_before(struct w_waiting_files *waiting,
    struct w_resource_step *step, uint64_t begun_ns, bool *out_stop,
    writ_error *err)
{
	const struct w_texts errors = step->errors;
	const struct w_texts unmet = step->unmet;
	const uint64_t taken_ns = w_apply_now_ns() - begun_ns;
	struct w_waiting_files alone = {.count = 0};
	struct w_waiting_file kept;

	alone.items = &kept;
	writ_status status = w_waiting_files_add(&alone, step, begun_ns, err);
	if (status == WRIT_OK)
		status = w_waiting_files_flush(waiting, step, out_stop, err);
	/* Did one of those end the manifest? */
	if (status != WRIT_OK || *out_stop || w_apply_ends(step)) {
		forget_all(&alone);
		return status;
	}
	waiting_files_take_back(&kept, step);
	step->errors = errors;
	step->unmet = unmet;
	return w_apply_conclude(
	    step, w_apply_now_ns() - taken_ns, out_stop, err);
}

size_t
w_waiting_files_count(const struct w_waiting_files *waiting)
{
	return waiting->count;
}

void
w_waiting_files_done(struct w_waiting_files *waiting)
{
	forget_all(waiting);
	writ_file_batch_free(waiting->batch);
	free(waiting->items);
}
