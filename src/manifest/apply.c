/* SPDX-License-Identifier: Apache-2.0 */

/* Applying a manifest: the loop over its resources. */

#include "manifest/apply.h"

#include "manifest/apply_steps.h"
#include "manifest/exec.h"
#include "manifest/file_resource.h"
#include "manifest/health.h"
#include "manifest/running.h"

#define STAGE         "apply"
#define DEFAULT_AGENT "manifest"

/* ---- one turn ---- */

static void
take_file_turn(struct w_turn *turn)
{
	const struct w_file_job job = {
	    .engine = turn->engine,
	    .manifest = turn->manifest,
	    .resource = turn->resource,
	    .scope = turn->scope,
	    .noop = turn->options->noop,
	    .agent = turn->agent,
	    .trace_id = turn->trace_id,
	    .arena = &turn->arena,
	};
	struct w_event *event = &turn->event;
	struct w_file_outcome found = {.changed = false};
	writ_error err;

	turn->has_acted = !turn->options->noop;
	if (w_file_apply(&job, &found, &err) != WRIT_OK) {
		turn->is_short = true;
		return;
	}
	event->changed = found.changed;
	event->final_ensure = found.final_ensure;
	event->noop_message = found.noop_message;
	event->status = found.status;
	event->diff = found.diff;
	event->decided_by = found.decided_by;
	w_turn_add_run(turn, found.run_id);
	if (found.failed)
		w_turn_fail(turn, "%s", found.error);
	w_resource_add_properties(
	    &turn->properties, turn->resource, &found.filled);
	event->properties = turn->properties.data;
	turn->is_short = turn->is_short || turn->properties.failed;
}

static void
tell_plain(struct w_turn *turn)
{
	static const struct w_filled as_written = {.argv = NULL};

	w_resource_add_properties(
	    &turn->properties, turn->resource, &as_written);
	turn->event.properties = turn->properties.data;
	turn->is_short = turn->is_short || turn->properties.failed;
}

static void
take_turn(struct w_turn *turn)
{
	turn->event.requested_ensure = turn->resource->ensure;
	turn->event.provider = turn->resource->provider;
	if (!w_apply_conditions(turn)) {
		tell_plain(turn);
		return;
	}
	turn->event.health_only = turn->options->health_only;
	if (turn->options->health_only)
		tell_plain(turn);
	else if (turn->resource->type == W_RESOURCE_FILE)
		take_file_turn(turn);
	else
		w_exec_take_turn(turn);
	if (!turn->event.failed && !turn->is_interrupted)
		w_health_check(turn);
}

static writ_status
do_turn(struct w_turn *turn, const struct w_resource *resource, writ_error *err)
{
	const uint64_t begun = w_apply_now_ns();

	w_turn_begin(turn, resource);
	if (turn->watch->on_begin != NULL)
		turn->watch->on_begin(turn->watch->ctx, resource);
	take_turn(turn);
	return w_apply_record(turn, begun, err);
}

/* ---- all of them ---- */

static bool
is_left_out(const struct w_turn *turn, const struct w_choice *choice,
    const struct w_resource *resource)
{
	return (choice->chosen != NULL && !choice->chosen[resource->index]) ||
	       w_session_has(turn->session, resource->index);
}

static writ_status
walk(struct w_turn *turn, const struct w_choice *choice,
    struct w_apply_result *result, writ_error *err)
{
	const struct w_manifest *manifest = turn->manifest;

	for (size_t i = 0; i < manifest->count; i++) {
		if (is_left_out(turn, choice, &manifest->resources[i]))
			continue;
		w_running_look(turn->running);
		if (turn->is_interrupted)
			break;
		writ_status status =
		    do_turn(turn, &manifest->resources[i], err);
		if (status != WRIT_OK)
			return status;
		if (turn->running->is_orphan)
			return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
			    "a command could not be waited for");
		if (turn->event.failed && manifest->is_fail_on_error &&
		    !turn->options->health_only) {
			result->is_cut_short = true;
			break;
		}
	}
	result->is_interrupted = turn->is_interrupted;
	return WRIT_OK;
}

static writ_status
apply_all(
    struct w_turn *turn, struct w_apply_result *out_result, writ_error *err)
{
	struct w_apply_result result = {.is_interrupted = false};
	struct w_choice choice;

	writ_status status =
	    w_choice_make(&choice, turn->manifest, turn->options->only, err);
	if (status != WRIT_OK)
		return status;
	turn->running = w_running_new(turn);
	status = turn->running == NULL ? w_fail_nomem(err, STAGE)
				       : walk(turn, &choice, &result, err);
	w_running_free(turn->running);
	w_choice_done(&choice);
	if (status == WRIT_OK)
		*out_result = result;
	return status;
}

writ_status
w_apply(writ_engine *engine, const struct w_manifest *manifest,
    struct w_session *session, const struct w_scope *scope,
    const struct w_apply_options *options, const struct w_apply_watch *watch,
    struct w_apply_result *out_result, writ_error *err)
{
	static const struct w_apply_watch nobody = {
	    .wake_fd = -1, .tick_ms = -1};
	struct w_turn turn = {
	    .engine = engine,
	    .manifest = manifest,
	    .session = session,
	    .scope = scope,
	    .options = options,
	    .watch = watch == NULL ? &nobody : watch,
	    .agent = options->agent == NULL ? DEFAULT_AGENT : options->agent,
	    .trace_id = options->trace_id == NULL ? w_session_name(session)
						  : options->trace_id,
	};

	w_turn_init(&turn);
	writ_status status = apply_all(&turn, out_result, err);
	w_turn_done(&turn);
	return status;
}
