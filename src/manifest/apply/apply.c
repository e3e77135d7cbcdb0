/* SPDX-License-Identifier: Apache-2.0 */

/* Applies a manifest: the loop over its resources. */

#include "manifest/apply/apply.h"

#include "manifest/apply/apply_owed.h"
#include "manifest/apply/apply_phases.h"
#include "manifest/apply/exec_resource.h"
#include "manifest/apply/health.h"
#include "manifest/apply/include_resource.h"
#include "manifest/apply/manifest_runner.h"
#include "manifest/apply/registered.h"
#include "manifest/apply/waiting_files.h"
#include "manifest/file/file_step.h"
#include "manifest/types/typed_cache.h"

#define STAGE         "apply"
#define DEFAULT_AGENT "manifest"

/* ---- one resource ---- */

/* How each type is applied. */
static void (*const appliers[W_RESOURCE_TYPES])(struct w_resource_step *) = {
    [W_RESOURCE_EXEC] = w_exec_apply,
    [W_RESOURCE_FILE] = w_managed_apply,
    [W_RESOURCE_PACKAGE] = w_typed_package_apply,
    [W_RESOURCE_SERVICE] = w_typed_service_apply,
    [W_RESOURCE_USER] = w_typed_user_apply,
    [W_RESOURCE_GROUP] = w_typed_group_apply,
    [W_RESOURCE_ARCHIVE] = w_typed_archive_apply,
    [W_RESOURCE_EDIT] = w_typed_edit_apply,
    [W_RESOURCE_APPLY] = w_include_apply,
};

void
w_apply_resource(struct w_resource_step *step)
{
	step->event.requested_ensure = step->resource->ensure;
	step->event.provider = step->resource->provider;
	if (!w_include_is_open(step, step->resource) &&
	    !w_apply_conditions(step)) {
		w_resource_step_report(step, NULL);
		return;
	}
	step->event.health_only = step->options->health_only;
	if (step->options->health_only)
		w_resource_step_report(step, NULL);
	else
		appliers[step->resource->type](step);
	const size_t shown = step->filled.part_count;
	if (!step->event.failed && !step->is_interrupted)
		w_health_check(step);
	if (step->filled.part_count > shown)
		w_resource_step_report(step, NULL);
}

bool
w_apply_ends(const struct w_resource_step *step)
{
	const struct w_resource *resource = step->resource;
	const struct w_manifest *home =
	    resource->home != NULL ? resource->home : step->manifest;

	return step->event.failed && home->is_fail_on_error &&
	       !step->options->health_only;
}

writ_status
w_apply_conclude(struct w_resource_step *step, uint64_t begun_ns,
    bool *out_stop, writ_error *err)
{
	w_apply_owed_settle(step);
	if (step->event.changed)
		w_typed_cache_forget(step->cache);
	w_registered_add(step);
	writ_status status = w_apply_record(step, begun_ns, err);
	if (status != WRIT_OK)
		return status;
	if (step->runner->is_orphan)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "a command could not be waited for");
	*out_stop = w_apply_ends(step) && !w_include_cut(step, step->resource);
	return WRIT_OK;
}

/* ---- all resources ---- */

/* What has its event is not applied again, except for what ended the apply
 * with its failure, and what is owed a refresh. */
static bool
is_done(const struct w_resource_step *step, const struct w_resource *resource)
{
	struct w_last_event past;

	if (!w_manifest_session_has(step->session, resource->index))
		return false;
	if (resource->home->is_fail_on_error &&
	    w_manifest_session_last(step->session,
		w_resource_word(resource->type), resource->name.text, &past) &&
	    past.failed)
		return false;
	return w_apply_owed_trigger(step, resource) == NULL;
}

/* Without running a command, which would tell that it begins. */
static bool
may_take_long(const struct w_resource *resource)
{
	if (resource->type == W_RESOURCE_EXEC)
		return false;
	if (resource->type != W_RESOURCE_FILE)
		return true;
	const struct w_file_resource *file = resource->as.file;
	return file->source.template.parts != NULL || file->is_recursive ||
	       file->is_purged || file->ensure == W_FILE_ABSENT;
}

/* Applies one, and records it unless it waits with others. *out_stop: it ends
 * the apply. */
static writ_status
apply_one(struct w_resource_step *step, struct w_waiting_files *waiting,
    const struct w_resource *resource, bool *out_stop, writ_error *err)
{
	const uint64_t begun = w_apply_now_ns();

	w_resource_step_begin(step, resource);
	if (may_take_long(resource)) {
		writ_status status = w_quiet_events_begin(step, err);
		if (status != WRIT_OK)
			return status;
	}
	step->batch = w_waiting_files_batch(waiting, step, resource);
	w_apply_resource(step);
	const bool is_behind = w_waiting_files_count(waiting) > 0;
	if (step->is_pending || (is_behind && !step->event.failed))
		return w_waiting_files_add(waiting, step, begun, err);
	/* A failure may end the apply: those before it come first. */
	if (is_behind)
		return w_waiting_files_flush_before(
		    waiting, step, begun, out_stop, err);
	return w_apply_conclude(step, begun, out_stop, err);
}

static writ_status
walk(struct w_resource_step *step, const struct w_apply_selection *selection,
    struct w_apply_result *result, writ_error *err)
{
	const struct w_manifest *manifest = step->manifest;
	struct w_waiting_files waiting = {.count = 0};
	writ_status status = WRIT_OK;
	bool stop = false;

	for (size_t i = 0; i < manifest->count && status == WRIT_OK && !stop;
	     i++) {
		const struct w_resource *resource = &manifest->resources[i];

		if ((selection->chosen != NULL && !selection->chosen[i]) ||
		    is_done(step, resource))
			continue;
		/* They do not take long, and then it is asked again. */
		if (step->quiet.count == 0)
			w_manifest_runner_poll(step->runner);
		if (step->is_interrupted)
			break;
		/* What is entered may have conditions on those that wait. */
		if (!w_waiting_files_suit(&waiting, step, resource))
			status =
			    w_waiting_files_flush(&waiting, step, &stop, err);
		if (status == WRIT_OK && !stop &&
		    w_include_enter(step, resource))
			status =
			    apply_one(step, &waiting, resource, &stop, err);
	}
	if (status == WRIT_OK && !stop)
		status = w_waiting_files_flush(&waiting, step, &stop, err);
	w_waiting_files_done(&waiting);
	const writ_status told =
	    w_quiet_events_tell(step, status == WRIT_OK ? err : NULL);
	if (status == WRIT_OK)
		status = told;
	result->is_cut_short = stop;
	result->is_interrupted = step->is_interrupted;
	return status;
}

static writ_status
apply_all(struct w_resource_step *step, struct w_apply_result *out_result,
    writ_error *err)
{
	struct w_apply_result result = {.is_interrupted = false};
	struct w_apply_selection selection;
	struct w_apply_owed keeper = {.owed = NULL};
	struct w_typed_cache cache = {.first = NULL};
	struct w_registered registered = {.map = {.kind = W_VALUE_MAP}};

	writ_status status =
	    w_apply_select(&selection, step->manifest, step->options, err);
	if (status != WRIT_OK)
		return status;
	status = w_apply_owed_init(
	    &keeper, step->manifest, step->options, selection.chosen, err);
	step->keeper = &keeper;
	step->cache = &cache;
	step->registered = &registered;
	step->inner.results = &registered.map;
	if (status == WRIT_OK)
		status = w_registered_load(
		    &registered, step->manifest, step->session, err);
	step->runner = w_manifest_runner_new(step);
	if (status == WRIT_OK && step->runner == NULL)
		status = w_fail_nomem(err, STAGE);
	if (status == WRIT_OK)
		status = walk(step, &selection, &result, err);
	/* Without it a crash of the machine would only owe too much. */
	if (status == WRIT_OK)
		(void)w_apply_owed_conclude(step, NULL);
	w_quiet_events_done(&step->quiet);
	w_manifest_runner_free(step->runner);
	w_apply_owed_done(&keeper);
	w_typed_cache_done(&cache);
	w_registered_done(&registered);
	w_apply_selection_done(&selection);
	if (status == WRIT_OK)
		*out_result = result;
	return status;
}

writ_status
w_apply(writ_engine *engine, const struct w_manifest *manifest,
    struct w_manifest_session *session, const struct w_expr_scope *scope,
    const struct w_apply_options *options, struct w_apply_result *out_result,
    writ_error *err)
{
	static const struct w_apply_watch no_watch = {
	    .wake_fd = -1, .tick_ms = -1};
	struct w_resource_step step = {
	    .engine = engine,
	    .manifest = manifest,
	    .session = session,
	    .options = options,
	    .watch = options->watch == NULL ? &no_watch : options->watch,
	    .agent = options->agent == NULL ? DEFAULT_AGENT : options->agent,
	    .trace_id = options->trace_id == NULL
			    ? w_manifest_session_name(session)
			    : options->trace_id,
	};

	w_resource_step_init(&step);
	w_manifest_scope_init(&step.inner, manifest, scope);
	step.scope = &step.inner.scope;
	writ_status status = w_include_init(&step, err);
	if (status == WRIT_OK)
		status = apply_all(&step, out_result, err);
	w_include_done(&step);
	w_resource_step_done(&step);
	return status;
}
