/* SPDX-License-Identifier: Apache-2.0 */

/*
 * validate: a command looks at new content before it replaces the old.
 *
 * The content is written beside the file, where its own includes are found,
 * under a name that begins with a point and does not end like that of the file,
 * so that no program takes it for one of its own. The name is always the same:
 * the next apply removes what a crash leaves.
 */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "manifest/apply/exec_resource.h"
#include "manifest/apply/manifest_runner.h"
#include "manifest/apply/resource_output.h"
#include "manifest/file/file_step.h"

#define STAGE       "validate"
#define SUFFIX      ".writ-check"
#define TIMEOUT_MS  UINT64_C(60000)
#define OUTPUT_KEPT UINT64_C(8192)
#define TAIL_MAX    512
#define NUMBER_MAX  24

/* ---- the file ---- */

static writ_status
name_copy(struct w_resource_step *step, const char *path, writ_error *err)
{
	const char *name = strrchr(path, '/') + 1;

	if (strlen(name) + sizeof("." SUFFIX) > NAME_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the name of '%.200s' is too long to be validated", path);
	step->checked = w_resource_step_text(
	    step, "%.*s.%s" SUFFIX, (int)(name - path), path, name);
	return WRIT_OK;
}

static writ_status
remove_copy(struct w_resource_step *step, writ_error *err)
{
	writ_file_request gone = WRIT_FILE_REQUEST_INIT;
	bool is_changed;

	w_managed_set(step, &gone);
	gone.path = step->checked;
	gone.ensure = WRIT_FILE_ABSENT;
	return w_managed_change(step, &gone, &is_changed, err);
}

/* Ours, and new: in a directory that others can write, one of that name may be
 * theirs. */
static writ_status
write_copy(struct w_resource_step *step, const writ_file_request *request,
    writ_error *err)
{
	writ_file_request copy = WRIT_FILE_REQUEST_INIT;
	char uid[NUMBER_MAX], gid[NUMBER_MAX];
	bool is_changed;
	writ_status status = remove_copy(step, err);

	(void)snprintf(uid, sizeof(uid), "%u", (unsigned)geteuid());
	(void)snprintf(gid, sizeof(gid), "%u", (unsigned)getegid());
	w_managed_set(step, &copy);
	copy.path = step->checked;
	copy.content = request->content;
	copy.content_len = request->content_len;
	copy.source = request->source;
	copy.owner = uid;
	copy.group = gid;
	copy.mode = WRIT_FILE_MODE(0600);
	copy.hide_content = request->hide_content;
	copy.secrets = request->secrets;
	return status == WRIT_OK
		   ? w_managed_change(step, &copy, &is_changed, err)
		   : status;
}

void
w_managed_validate_done(struct w_resource_step *step)
{
	writ_error err;

	if (step->checked == NULL)
		return;
	if (remove_copy(step, &err) != WRIT_OK)
		w_resource_step_warn(step, "%s", err.message);
	step->checked = NULL;
}

/* ---- the command ---- */

/* '%' becomes the path, "%%" a '%'. NULL: no memory. */
static const char *
put_path(struct w_resource_step *step, const char *word)
{
	W_AUTO_BUF struct w_buf made;

	w_buf_init(&made, W_VALUE_TEXT_MAX);
	for (; *word != '\0'; word++) {
		if (*word != '%')
			w_buf_add_char(&made, *word);
		else if (word[1] == '%')
			w_buf_add_char(&made, *word++);
		else
			w_buf_add_str(&made, step->checked);
	}
	return made.failed ? NULL
			   : w_arena_text(&step->arena, made.data, made.len);
}

static const char *const *
make_words(struct w_resource_step *step, const char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	const char **made =
	    w_arena_alloc(&step->arena, count + 1, sizeof(*made));
	for (size_t i = 0; made != NULL && i < count; i++) {
		made[i] = put_path(step, words[i]);
		if (made[i] == NULL)
			return NULL;
	}
	return made;
}

/* What it said, on whichever stream. */
static const char *
last_words(struct w_resource_step *step, const writ_result *result, bool hides)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TAIL_MAX + 1);
	if (hides || step->resource->is_sensitive)
		return "";
	for (int i = 1; i >= 0 && text.len == 0; i--)
		w_resource_output_add_tail(
		    &text, step, &result->out[i], TAIL_MAX);
	while (text.len > 0 && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\n')
			text.data[i] = ' ';
	}
	return text.len == 0 ? ""
			     : w_resource_step_text(step, ": %s", text.data);
}

static writ_status
judge(struct w_resource_step *step, const writ_result *result, bool hides,
    writ_error *err)
{
	w_resource_step_add_run(step, result->run_id);
	if (result->outcome == WRIT_EXITED && result->status_known &&
	    result->exit_code == 0)
		return WRIT_OK;
	if (result->outcome == WRIT_CANCELLED)
		step->is_cut = true;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the new content is not valid, the file stays as it is: validate "
	    "ended with %.64s%.700s",
	    w_exec_ending(step, result), last_words(step, result, hides));
}

static writ_status
run_check(struct w_resource_step *step, const writ_file_request *file,
    writ_error *err)
{
	struct w_filled_command command;
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	if (!w_fill_command(
		step, &step->resource->as.file->validate, false, &command))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "validate could not be filled in");
	request.argv = make_words(step, command.argv);
	if (request.argv == NULL)
		return w_fail_nomem(err, STAGE);
	request.cwd = "/";
	request.env = w_exec_plain_env;
	request.timeout_ms = TIMEOUT_MS;
	request.umask = WRIT_UMASK(022);
	request.output_limit = OUTPUT_KEPT;
	request.spill_limit = WRIT_ZERO;
	request.agent = step->agent;
	request.caller = step->options->caller;
	request.trace_id = step->trace_id;
	if (file->hide_content)
		request.keep = WRIT_ZERO;
	writ_status status =
	    w_manifest_runner_run(step->runner, &request, &result, err);
	if (status != WRIT_OK)
		return status;
	status = judge(step, result, file->hide_content, err);
	writ_result_free(result);
	return status;
}

writ_status
w_managed_validate(
    struct w_resource_step *step, writ_file_request *request, writ_error *err)
{
	writ_status status = name_copy(step, request->path, err);

	if (status == WRIT_OK)
		status = write_copy(step, request, err);
	if (status == WRIT_OK)
		status = run_check(step, request, err);
	/* The source may be another one by now. */
	if (status == WRIT_OK && request->source != NULL)
		request->source = step->checked;
	return status;
}
