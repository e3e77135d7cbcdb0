/* SPDX-License-Identifier: Apache-2.0 */

/* The file resource. */

#include "manifest/file/file_resource.h"

#include <stdio.h>
#include <string.h>

#include "expr/template/block_template.h"
#include "manifest/apply/denial_text.h"
#include "manifest/session/event.h"
#include "manifest/session/event_fields.h"

#define STAGE     "file"
#define STATE_MAX ((size_t)1 << 20)
#define ERROR_MAX ((size_t)64 << 10)
#define US_PER_S  UINT64_C(1000000)

/* The state of one application. */
struct apply {
	const struct w_file_resource_job *job;
	const struct w_file_resource *file;
	struct w_file_resource_outcome *out;
	writ_file_request request;
	const char *secrets[2];
};

static const char *
file_resource_copy(struct apply *apply, const char *text, writ_error *err)
{
	const char *copy = w_arena_text(apply->job->arena, text, strlen(text));

	if (copy == NULL)
		(void)w_fail_nomem(err, STAGE);
	return copy;
}

/* ---- deferred properties ---- */

/* A template that could not be filled in: reports its location and the
 * error. */
static writ_status
blame(struct apply *apply, const struct w_property *property, const char *name,
    writ_error *err)
{
	const unsigned line = property->at.line;
	const unsigned column = property->at.column;
	char text[sizeof(err->message) + 512];

	if (err->status == WRIT_E_NOMEM)
		return WRIT_E_NOMEM;
	if (line == 0)
		(void)snprintf(
		    text, sizeof(text), "%s: %s", name, err->message);
	else
		(void)snprintf(text, sizeof(text), "%.256s:%u:%u: %s: %s",
		    apply->job->manifest->file, line, column, name,
		    err->message);
	apply->out->error = file_resource_copy(apply, text, err);
	return apply->out->error == NULL ? WRIT_E_NOMEM : WRIT_OK;
}

/* out->kind is W_VALUE_NULL if the property is absent, or has failed; then the
 * outcome has the error. */
static writ_status
file_resource_fill(struct apply *apply, const struct w_property *property,
    const char *name, struct w_value *out, writ_error *err)
{
	*out = (struct w_value){.kind = W_VALUE_NULL};
	if (property->text != NULL) {
		*out = w_value_text(property->text, strlen(property->text));
		out->is_secret = property->is_secret;
		return WRIT_OK;
	}
	if (property->template.parts == NULL)
		return WRIT_OK;
	writ_status status = w_template_text(&property->template,
	    apply->job->scope, apply->job->arena, out, err);
	return status == WRIT_OK ? WRIT_OK : blame(apply, property, name, err);
}

static writ_status
fill_content(struct apply *apply, writ_error *err)
{
	const bool is_sensitive = apply->job->resource->is_sensitive;
	struct w_value value;
	writ_status status = file_resource_fill(
	    apply, &apply->file->content, "content", &value, err);

	if (status != WRIT_OK || value.kind == W_VALUE_NULL)
		return status;
	apply->request.content = value.as.string.text;
	apply->request.content_len = value.as.string.len;
	if (is_sensitive || value.is_secret)
		apply->request.hide_content = true;
	apply->out->filled.content =
	    apply->request.hide_content ? W_VALUE_HIDDEN : value.as.string.text;
	return WRIT_OK;
}

/* The content is what its file gives. */
static writ_status
fill_template(struct apply *apply, writ_error *err)
{
	const struct w_file_resource_job *job = apply->job;
	const struct w_property *property = &apply->file->template_file;
	struct w_value path;
	struct w_value text;
	writ_status status =
	    file_resource_fill(apply, property, "template", &path, err);

	if (status != WRIT_OK || path.kind == W_VALUE_NULL)
		return status;
	status = w_block_fill_file(
	    path.as.string.text, job->scope, job->arena, &text, err);
	if (status != WRIT_OK)
		return blame(apply, property, "template", err);
	apply->request.content = text.as.string.text;
	apply->request.content_len = text.as.string.len;
	if (job->resource->is_sensitive || text.is_secret || path.is_secret)
		apply->request.hide_content = true;
	apply->out->filled.content =
	    apply->request.hide_content ? W_VALUE_HIDDEN : text.as.string.text;
	return WRIT_OK;
}

/* Relative to the directory of the manifest. */
static writ_status
fill_source(struct apply *apply, writ_error *err)
{
	const struct w_file_resource_job *job = apply->job;
	struct w_value value;
	writ_status status = file_resource_fill(
	    apply, &apply->file->source, "source", &value, err);

	if (status != WRIT_OK || value.kind == W_VALUE_NULL)
		return status;
	const char *text = value.as.string.text;
	const size_t dir_len = strlen(job->manifest->dir);
	char *path = w_arena_alloc(job->arena, dir_len + strlen(text) + 2, 1);
	if (path == NULL)
		return w_fail_nomem(err, STAGE);
	(void)sprintf(path, "%s%s%s", text[0] == '/' ? "" : job->manifest->dir,
	    text[0] == '/' ? "" : "/", text);
	if (apply->file->ensure == W_FILE_DIRECTORY)
		apply->out->tree = path;
	else
		apply->request.source = path;
	apply->request.hide_content |= job->resource->is_sensitive;
	apply->out->filled.source = value.is_secret ? W_VALUE_HIDDEN : text;
	if (value.is_secret)
		apply->secrets[0] = text;
	return WRIT_OK;
}

/* ---- state ---- */

static void
add_metadata(struct w_buf *buf, const char *name, const writ_file_state *state)
{
	char mode[8];

	w_event_add_text(buf, ",\"metadata\":{\"name\":", name);
	if (state->sha256 != NULL)
		w_event_add_text(buf, ",\"checksum\":", state->sha256);
	if (state->owner != NULL) {
		(void)snprintf(mode, sizeof(mode), "%04o", state->mode & 07777);
		w_event_add_text(buf, ",\"owner\":", state->owner);
		w_event_add_text(buf, ",\"group\":", state->group);
		w_event_add_text(buf, ",\"mode\":", mode);
	}
	w_buf_add_str(buf, ",\"provider\":\"posix\"");
	if (state->mtime > 0)
		w_event_add_time(
		    buf, ",\"mtime\":", (uint64_t)state->mtime * US_PER_S);
	if (state->owner != NULL)
		w_event_add_number(buf, ",\"size\":", state->size);
	w_buf_add_str(buf, ",\"extended\":{}}");
}

/* state is NULL if it is unknown. */
static writ_status
report_state(struct apply *apply, const writ_file_state *state, writ_error *err)
{
	const struct w_resource *resource = apply->job->resource;
	struct w_file_resource_outcome *out = apply->out;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, STATE_MAX);
	w_event_add_time(&buf, "{\"timestamp\":", w_event_now_us());
	w_buf_add_str(&buf,
	    ",\"protocol\":\"io.choria.ccm.v1.resource.file.state\","
	    "\"type\":\"file\"");
	w_event_add_text(&buf, ",\"name\":", resource->name.text);
	w_event_add_text(&buf, ",\"ensure\":", out->final_ensure);
	w_event_add_bool(&buf, ",\"changed\":", out->changed);
	w_event_add_bool(&buf, ",\"refreshed\":", false);
	w_event_add_bool(&buf, ",\"stable\":", !out->changed && !out->failed);
	w_event_add_bool(&buf, ",\"noop\":", apply->job->noop);
	if (out->noop_message != NULL)
		w_event_add_text(&buf, ",\"noop_message\":", out->noop_message);
	if (state != NULL)
		add_metadata(&buf, resource->name.text, state);
	w_buf_add_char(&buf, '}');
	out->status =
	    buf.failed ? NULL : file_resource_copy(apply, buf.data, err);
	return out->status == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static const char *
noop_message(struct apply *apply, const char *what, writ_error *err)
{
	char text[128];

	if (strcmp(what, "replaced the content") == 0)
		what = "changed the file";
	(void)snprintf(text, sizeof(text), "Would have %s", what);
	return file_resource_copy(apply, text, err);
}

static writ_status
copy_if_set(
    struct apply *apply, const char **slot, const char *text, writ_error *err)
{
	*slot = text == NULL ? NULL : file_resource_copy(apply, text, err);
	return text != NULL && *slot == NULL ? WRIT_E_NOMEM : WRIT_OK;
}

static writ_status
file_resource_report(
    struct apply *apply, const writ_file_result *result, writ_error *err)
{
	const bool noop = apply->job->noop;
	const writ_file_state *state = noop ? &result->before : &result->after;
	struct w_file_resource_outcome *out = apply->out;

	out->changed = result->changed;
	out->is_pending = result->pending;
	out->final_ensure = state->ensure; /* a constant of the library */
	writ_status status = copy_if_set(apply, &out->diff, result->diff, err);
	if (status == WRIT_OK)
		status = copy_if_set(apply, &out->run_id, result->run_id, err);
	if (status == WRIT_OK)
		status =
		    copy_if_set(apply, &out->decided_by, result->reason, err);
	if (status == WRIT_OK && noop && result->what != NULL) {
		out->noop_message = noop_message(apply, result->what, err);
		status = out->noop_message == NULL ? WRIT_E_NOMEM : WRIT_OK;
	}
	return status == WRIT_OK ? report_state(apply, state, err) : status;
}

/* ---- applying ---- */

static writ_status
file_resource_fail(struct apply *apply, writ_error *err)
{
	struct w_file_resource_outcome *out = apply->out;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, ERROR_MAX);
	out->failed = true;
	out->final_ensure = "";
	if (out->error == NULL) {
		w_manifest_denial_add_text(&text, apply->job->engine, err);
		out->error = file_resource_copy(apply, text.data, err);
	}
	return out->error == NULL ? WRIT_E_NOMEM
				  : report_state(apply, NULL, err);
}

static void
file_resource_make_request(struct apply *apply)
{
	static const writ_file_ensure words[] = {
	    [W_FILE_PRESENT] = WRIT_FILE_PRESENT,
	    [W_FILE_ABSENT] = WRIT_FILE_ABSENT,
	    [W_FILE_DIRECTORY] = WRIT_FILE_DIRECTORY,
	    [W_FILE_SYMLINK] = WRIT_FILE_LINK,
	};
	const writ_file_request standard = WRIT_FILE_REQUEST_INIT;
	const struct w_file_resource_job *job = apply->job;
	const struct w_file_resource *file = apply->file;
	writ_file_request *request = &apply->request;

	*request = standard;
	request->path = job->resource->name.text;
	request->ensure = words[file->ensure];
	request->owner = job->owner_is_to_come ? NULL : file->owner.text;
	request->group = job->group_is_to_come ? NULL : file->group.text;
	if (file->has_mode)
		request->mode = WRIT_FILE_MODE(file->mode);
	request->force = file->is_forced;
	request->target = file->target.text;
	request->dry_run = job->noop;
	request->agent = job->agent;
	request->trace_id = job->trace_id;
	request->secrets = apply->secrets;
	request->on_change = job->on_change;
	request->change_ctx = job->change_ctx;
	request->batch = job->batch;
}

static writ_status
ask_before(struct apply *apply, writ_error *err)
{
	const struct w_file_resource_job *job = apply->job;
	writ_file_request request = apply->request;
	writ_file_result *plan = NULL;

	request.dry_run = true;
	request.batch = NULL;
	writ_status status = writ_file(job->engine, &request, &plan, err);
	if (status == WRIT_OK && plan->changed)
		status =
		    job->before(job->before_ctx, &apply->request, plan, err);
	writ_file_result_free(plan);
	return status;
}

writ_status
w_resource_apply_file(const struct w_file_resource_job *job,
    struct w_file_resource_outcome *out, writ_error *err)
{
	struct w_file_resource_outcome outcome = {.final_ensure = ""};
	struct apply apply = {
	    .job = job, .file = job->resource->as.file, .out = &outcome};
	writ_file_result *result = NULL;
	writ_error failure = {.status = WRIT_OK};

	file_resource_make_request(&apply);
	writ_status status = fill_content(&apply, &failure);
	if (status == WRIT_OK)
		status = fill_source(&apply, &failure);
	if (status == WRIT_OK)
		status = fill_template(&apply, &failure);
	if (status == WRIT_OK && outcome.error == NULL && job->before != NULL)
		status = ask_before(&apply, &failure);
	if (status == WRIT_OK && outcome.error == NULL)
		status =
		    writ_file(job->engine, &apply.request, &result, &failure);
	if (status == WRIT_OK && outcome.error == NULL)
		status = file_resource_report(&apply, result, &failure);
	else if (status != WRIT_E_NOMEM)
		status = file_resource_fail(&apply, &failure);
	writ_file_result_free(result);
	if (status == WRIT_OK)
		*out = outcome;
	else if (err != NULL)
		*err = failure;
	return status;
}
