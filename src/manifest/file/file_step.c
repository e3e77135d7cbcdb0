/* SPDX-License-Identifier: Apache-2.0 */

/* The file resource as a step of an apply. */

#include "manifest/file/file_step.h"

#include "manifest/apply/apply_owed.h"

static writ_status
file_step_promise(void *ctx, writ_error *err)
{
	return w_apply_owed_promise(ctx, err);
}

void
w_managed_set(struct w_resource_step *step, writ_file_request *request)
{
	request->dry_run = step->options->noop;
	request->agent = step->agent;
	request->trace_id = step->trace_id;
}

void
w_managed_promises(struct w_resource_step *step, writ_file_request *request)
{
	request->on_change = file_step_promise;
	request->change_ctx = step;
}

writ_status
w_managed_change(struct w_resource_step *step, const writ_file_request *request,
    bool *out_changed, writ_error *err)
{
	writ_file_result *result = NULL;
	writ_status status = writ_file(step->engine, request, &result, err);

	if (status != WRIT_OK)
		return status;
	*out_changed = result->changed;
	w_resource_step_add_run(step, result->run_id);
	writ_file_result_free(result);
	return WRIT_OK;
}

/* In noop, a user or group that an earlier resource would have made is not
 * there yet. */
static bool
is_to_come(const struct w_resource_step *step, const char *type,
    const struct w_property *name)
{
	struct w_last_event past;

	return step->options->noop && name->text != NULL &&
	       w_manifest_session_last(
		   step->session, type, name->text, &past) &&
	       past.changed && !past.failed;
}

static bool
has_validate(const struct w_file_resource *file)
{
	return file->validate.line.template.parts != NULL ||
	       file->validate.words.count > 0;
}

/* Only a file has something to look at, or to keep. */
static writ_status
before(void *ctx, writ_file_request *request, const writ_file_result *plan,
    writ_error *err)
{
	struct w_resource_step *step = ctx;
	const struct w_file_resource *file = step->resource->as.file;
	const bool is_content =
	    request->content != NULL || request->source != NULL;
	writ_status status = WRIT_OK;

	if (has_validate(file) && is_content)
		status = w_managed_validate(step, request, err);
	if (status == WRIT_OK && file->backup.text != NULL)
		status = w_managed_backup(step, request, plan, err);
	return status;
}

/* ---- a directory ---- */

static const char *
tree_text(struct w_resource_step *step, const char *what,
    const struct w_managed_tree_result *tree)
{
	const char *written =
	    tree->written == 0 ? ""
			       : w_resource_step_text(step,
				     "changed %zu beneath it", tree->written);
	const char *removed = tree->removed == 0
				  ? ""
				  : w_resource_step_text(step,
					"removed %zu from it", tree->removed);

	return w_resource_step_text(step, "%s%s%s%s%s", what,
	    what[0] != '\0' && written[0] != '\0' ? ", " : "", written,
	    (what[0] != '\0' || written[0] != '\0') && removed[0] != '\0' ? ", "
									  : "",
	    removed);
}

static void
apply_tree(struct w_resource_step *step, struct w_file_resource_outcome *found)
{
	const struct w_file_resource *file = step->resource->as.file;
	struct w_managed_tree_result tree = {.written = 0};

	if (found->failed || file->ensure != W_FILE_DIRECTORY ||
	    (found->tree == NULL && !file->is_recursive && !file->is_purged))
		return;
	const bool is_done = w_managed_tree_apply(step, found->tree, &tree);
	if (tree.written + tree.removed == 0 && is_done)
		return;
	found->changed |= tree.written + tree.removed > 0;
	if (found->decided_by == NULL)
		found->decided_by = tree_text(step, "", &tree);
	if (step->options->noop)
		found->noop_message = tree_text(step,
		    found->noop_message != NULL ? found->noop_message
						: "Would have",
		    &tree);
	if (!is_done)
		found->final_ensure = "";
}

/* ---- the step ---- */

void
w_managed_apply(struct w_resource_step *step)
{
	const struct w_file_resource *file = step->resource->as.file;
	const bool asks = !step->options->noop &&
			  (has_validate(file) || file->backup.text != NULL);
	const struct w_file_resource_job job = {
	    .engine = step->engine,
	    .manifest = step->inner.manifest,
	    .resource = step->resource,
	    .scope = step->scope,
	    .noop = step->options->noop,
	    .owner_is_to_come = is_to_come(step, "user", &file->owner),
	    .group_is_to_come = is_to_come(step, "group", &file->group),
	    .agent = step->agent,
	    .trace_id = step->trace_id,
	    .arena = &step->arena,
	    .on_change = file_step_promise,
	    .change_ctx = step,
	    .batch = step->batch,
	    .before = asks ? before : NULL,
	    .before_ctx = step,
	};
	writ_event *event = &step->event;
	struct w_file_resource_outcome found = {.changed = false};
	writ_error err;

	step->has_acted = !step->options->noop;
	const writ_status status = w_resource_apply_file(&job, &found, &err);
	w_managed_validate_done(step);
	if (status != WRIT_OK) {
		step->is_short = true;
		return;
	}
	apply_tree(step, &found);
	event->changed = found.changed;
	step->is_pending = found.is_pending;
	event->final_ensure = found.final_ensure;
	event->noop_message = found.noop_message;
	event->status = found.status;
	event->diff = found.diff;
	event->decided_by = found.decided_by;
	w_resource_step_add_run(step, found.run_id);
	if (found.failed)
		w_resource_step_fail(step, "%s", found.error);
	w_resource_step_report(step, &found.filled);
}
