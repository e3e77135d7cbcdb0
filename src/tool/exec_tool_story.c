/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The shape "story": a command, its arguments and a directory, but no shell
 * text. The answer is both streams and the exit code as JSON text; the
 * directory must be beneath the base.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json_words.h"
#include "tool/exec_tool.h"

#define STAGE "arguments"

enum {
	TIMEOUT_MS = 30000,
	MS_PER_S = 1000,
};

/* The command is a name or a path, not shell text. */
#define SHELL_CHARACTERS "|&;$`<>(){}\n\r"

static const char *const keys[] = {"command", "args", "cwd", NULL};

/* ---- refusals ---- */

static const char *
argument(const struct writ_tool_run *run, const char *key)
{
	yyjson_val *input = w_json_root(run->input);
	const char *text = yyjson_get_str(yyjson_obj_get(input, key));

	return text == NULL ? "" : text;
}

/* Whether a path is the base, or beneath it. */
static bool
is_beneath(const char *base, const char *path)
{
	const size_t len = strlen(base);

	return strncmp(path, base, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/' || len == 1);
}

/* Whether a directory that cannot be used would be outside of base, judged by
 * the part of its path that exists. Only for the message; the engine has
 * already refused it. */
static bool
is_outside(const char *base, const char *cwd)
{
	char path[2 * PATH_MAX];
	W_AUTO_FREE char *there = NULL;
	int written = cwd[0] == '/'
			  ? snprintf(path, sizeof(path), "%s", cwd)
			  : snprintf(path, sizeof(path), "%s/%s", base, cwd);

	if (written < 0 || (size_t)written >= sizeof(path))
		return false;
	while ((there = realpath(path, NULL)) == NULL) {
		char *slash = strrchr(path, '/');

		if (slash == NULL || slash == path)
			return true;
		*slash = '\0';
	}
	return !is_beneath(base, there);
}

static void
refuse_cwd(
    const struct writ_tool_run *run, const writ_error *why, struct w_buf *out)
{
	const char *cwd = argument(run, "cwd");

	if (why->sys_errno == 0 || is_outside(run->tool->base, cwd))
		w_buf_add_fmt(out,
		    "Working directory '%.256s' is outside the allowed base "
		    "directory",
		    cwd);
	else
		w_buf_add_fmt(out,
		    "Failed to resolve working directory '%.256s': %s", cwd,
		    strerrordesc_np(why->sys_errno));
}

static void
exec_tool_story_refuse(
    const struct writ_tool_run *run, const writ_error *why, struct w_buf *out)
{
	const char *command = argument(run, "command");

	if (strcmp(why->stage, "cwd") == 0)
		refuse_cwd(run, why, out);
	else if (why->status == WRIT_E_NOTFOUND)
		w_buf_add_fmt(
		    out, "Command '%.256s' not found in system PATH", command);
	else if (why->status == WRIT_E_NOTEXEC)
		w_buf_add_fmt(out,
		    "Permission denied executing command '%.256s'", command);
	else if (why->status == WRIT_E_SYSTEM || why->status == WRIT_E_SANDBOX)
		w_buf_add_fmt(out, "Failed to spawn command '%.128s': %s",
		    command, why->message);
	else
		w_buf_add_str(out, why->message);
}

/* ---- answer ---- */

/* The three members of the schema; others only if these do not say
 * everything. */
static void
exec_tool_story_add_object(
    struct w_buf *buf, const writ_result *result, const writ_tool_shown *shown)
{
	w_buf_add_char(buf, '{');
	w_shape_add_streams(buf, shown);
	w_buf_add_fmt(buf, ",\"exit_code\":%d", result->exit_code);
	if (result->outcome != WRIT_EXITED)
		w_json_add_text_member(
		    buf, "outcome", writ_outcome_word(result->outcome));
	if (result->limit != WRIT_LIMIT_NONE)
		w_json_add_text_member(
		    buf, "limit", writ_limit_word(result->limit));
	if (shown->is_cut)
		w_json_add_text_member(buf, "run_id", result->run_id);
	w_buf_add_char(buf, '}');
}

/* The error, then the output so far. */
static void
exec_tool_story_add_timeout(
    struct w_buf *buf, const writ_result *result, const writ_tool_shown *shown)
{
	const uint64_t ms = result->limit_value;

	w_buf_add_fmt(buf, "Command timed out after %" PRIu64, ms / MS_PER_S);
	if (ms % MS_PER_S != 0)
		w_buf_add_fmt(buf, ".%03" PRIu64, ms % MS_PER_S);
	w_buf_add_char(buf, 's');
	if (result->out[0].bytes + result->out[1].bytes == 0)
		return;
	w_buf_add_str(buf, "\n\n");
	w_shape_add_output(buf, shown);
}

static void
exec_tool_story_answer(const struct writ_tool_run *run,
    const writ_result *result, const writ_tool_shown *shown,
    struct w_tool_texts *out)
{
	(void)run;
	exec_tool_story_add_object(&out->json, result, shown);
	if (result->outcome == WRIT_TIMED_OUT)
		exec_tool_story_add_timeout(&out->text, result, shown);
	else
		w_buf_add(&out->text, out->json.data, out->json.len);
}

/* ---- call ---- */

static writ_status
exec_tool_story_check_args(yyjson_val *args, writ_error *err)
{
	yyjson_val *item;
	size_t i;
	size_t count;

	if (!yyjson_is_arr(args))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Missing required parameter 'args' (must be an array)");
	yyjson_arr_foreach(args, i, count, item)
	{
		if (w_json_is_text(item))
			continue;
		W_AUTO_FREE char *json = yyjson_val_write(item, 0, NULL);
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Argument at index %zu is not a string%s: %.64s", i,
		    yyjson_is_str(item) ? " without a NUL" : "",
		    json == NULL ? "" : json);
	}
	return WRIT_OK;
}

static writ_status
exec_tool_story_check_input(yyjson_val *input, writ_error *err)
{
	yyjson_val *command = yyjson_obj_get(input, "command");
	yyjson_val *cwd = yyjson_obj_get(input, "cwd");

	if (!w_json_is_text(command))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Missing required parameter 'command'");
	writ_status status =
	    exec_tool_story_check_args(yyjson_obj_get(input, "args"), err);
	if (status != WRIT_OK)
		return status;
	if (cwd != NULL && !w_json_is_text(cwd))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Parameter 'cwd' must be a string");
	if (strpbrk(yyjson_get_str(command), SHELL_CHARACTERS) != NULL ||
	    yyjson_get_len(command) == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Invalid command '%.64s': it must be a program's name, "
		    "without shell characters; arguments go into 'args'",
		    yyjson_get_str(command));
	return w_shape_check_keys(input, keys, err);
}

/* A link to a directory beneath the base is that directory. What leads outside
 * stays as it is, and is refused with its name. */
static writ_status
exec_tool_story_set_cwd(
    const struct writ_tool_run *run, const char *cwd, writ_error *err)
{
	writ_status status = w_shape_set_cwd(run, cwd, err);

	if (status != WRIT_OK || cwd == NULL)
		return status;
	W_AUTO_FREE char *real =
	    realpath(writ_draft_request(run->draft)->cwd, NULL);
	if (real == NULL || !is_beneath(run->tool->base, real))
		return WRIT_OK;
	return writ_draft_set(run->draft, "cwd", real, err);
}

static writ_status
exec_tool_story_check(
    struct writ_tool_run *run, yyjson_val *input, writ_error *err)
{
	uint64_t timeout_ms = TIMEOUT_MS;
	uint64_t max_ms = 0;
	writ_status status = exec_tool_story_check_input(input, err);

	if (status == WRIT_OK)
		status = writ_draft_set(
		    run->draft, "argv", argument(run, "command"), err);
	if (status == WRIT_OK)
		status = w_shape_add_words(
		    run->draft, yyjson_obj_get(input, "args"), err);
	if (status == WRIT_OK)
		status =
		    writ_draft_set(run->draft, "roots", run->tool->base, err);
	if (status == WRIT_OK)
		status = exec_tool_story_set_cwd(
		    run, yyjson_get_str(yyjson_obj_get(input, "cwd")), err);
	if (status != WRIT_OK)
		return status;
	w_shape_timeouts(run->tool, &timeout_ms, &max_ms);
	writ_draft_request(run->draft)->timeout_ms = timeout_ms;
	return WRIT_OK;
}

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{\"command\":{\"type\":\"string\","
    "\"description\":\"Command to execute (e.g., 'ls', 'git', 'cargo')\"},"
    "\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
    "\"description\":\"Command arguments as array (prevents shell "
    "injection)\"},\"cwd\":{\"type\":\"string\",\"description\":\"Optional "
    "working directory path\"}},\"required\":[\"command\",\"args\"]}";

const struct w_tool_shape w_shape_story = {
    .word = "story",
    .title = "Run a command",
    .description =
	"Runs a command with its arguments, which are taken literally: no "
	"shell is involved. cwd must lie beneath the base directory. Answers "
	"with the JSON of stdout, stderr and exit_code; after 30 seconds the "
	"command is ended.",
    .schema = schema,
    .check = exec_tool_story_check,
    .answer = exec_tool_story_answer,
    .refuse = exec_tool_story_refuse,
};
