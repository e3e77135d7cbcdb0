/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `exec` in the schema of seed 002: a command, its arguments and a directory,
 * but no shell text. The answer is both streams and the exit code as JSON text;
 * the directory must be beneath the server's.
 */

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json_words.h"
#include "mcp/runs/output_view.h"
#include "mcp/runs/workdirs.h"
#include "mcp/tools/exec_shape.h"

enum {
	TIMEOUT_MS = 30000,
	MS_PER_S = 1000,
};

#define TEXT_MAX ((size_t)256 << 20)

/* The command is a name or a path, not shell text. */
#define SHELL_CHARACTERS "|&;$`<>(){}\n\r"

static const char *const keys[] = {"command", "args", "cwd", NULL};

/* ---- refusals ---- */

static const char *
argument(const struct w_rpc_request *rpc_request, const char *key)
{
	yyjson_val *arguments =
	    yyjson_obj_get(rpc_request->params, "arguments");
	const char *text = yyjson_get_str(yyjson_obj_get(arguments, key));

	return text == NULL ? "" : text;
}

/* Whether a directory that cannot be used would be outside of base, judged by
 * the part of its path that exists. Only for the message; the engine has
 * already refused it. */
static bool
is_outside(const char *base, const char *cwd)
{
	char path[2 * PATH_MAX];
	W_AUTO_FREE char *there = NULL;
	const size_t len = strlen(base);
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
	return strncmp(there, base, len) != 0 ||
	       (there[len] != '\0' && there[len] != '/' && len > 1);
}

static void
refuse_cwd(struct w_rpc_request *rpc_request, const writ_error *error)
{
	const char *cwd = argument(rpc_request, "cwd");

	if (error->sys_errno == 0 || is_outside(rpc_request->server->cwd, cwd))
		w_shape_refuse(rpc_request, error, NULL,
		    "Working directory '%.256s' is outside the allowed base "
		    "directory",
		    cwd);
	else
		w_shape_refuse(rpc_request, error, NULL,
		    "Failed to resolve working directory '%.256s': %s", cwd,
		    strerrordesc_np(error->sys_errno));
}

static void
exec_seed002_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details)
{
	const char *command = argument(rpc_request, "command");

	if (strcmp(error->stage, "cwd") == 0)
		refuse_cwd(rpc_request, error);
	else if (error->status == WRIT_E_NOTFOUND)
		w_shape_refuse(rpc_request, error, details,
		    "Command '%.256s' not found in system PATH", command);
	else if (error->status == WRIT_E_NOTEXEC)
		w_shape_refuse(rpc_request, error, details,
		    "Permission denied executing command '%.256s'", command);
	else if (error->status == WRIT_E_SYSTEM ||
		 error->status == WRIT_E_SANDBOX)
		w_shape_refuse(rpc_request, error, details,
		    "Failed to spawn command '%.128s': %s", command,
		    error->message);
	else
		w_shape_refuse(
		    rpc_request, error, details, "%s", error->message);
}

/* ---- answer ---- */

/* The three members of the schema; others only if these do not say
 * everything. */
static void
exec_seed002_add_result(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view)
{
	const writ_result *result = run->result;

	w_buf_add_char(buf, '{');
	w_shape_add_stream(buf, "stdout", &view->streams[WRIT_STDOUT]);
	w_buf_add_char(buf, ',');
	w_shape_add_stream(buf, "stderr", &view->streams[WRIT_STDERR]);
	w_buf_add_fmt(buf, ",\"exit_code\":%d", result->exit_code);
	if (result->outcome != WRIT_EXITED)
		w_json_add_text_member(
		    buf, "outcome", writ_outcome_word(result->outcome));
	if (result->limit != WRIT_LIMIT_NONE)
		w_json_add_text_member(
		    buf, "limit", writ_limit_word(result->limit));
	if (view->streams[0].is_cut || view->streams[1].is_cut)
		w_json_add_text_member(buf, "run_id", result->run_id);
	w_buf_add_char(buf, '}');
}

/* The error, then the output so far. */
static void
add_timeout(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view)
{
	const uint64_t ms = result->limit_value;

	w_buf_add_fmt(buf, "Command timed out after %" PRIu64, ms / MS_PER_S);
	if (ms % MS_PER_S != 0)
		w_buf_add_fmt(buf, ".%03" PRIu64, ms % MS_PER_S);
	w_buf_add_char(buf, 's');
	if (result->out[0].bytes + result->out[1].bytes == 0)
		return;
	w_buf_add_str(buf, "\n\n");
	w_shape_add_output(buf, view);
}

static void
exec_seed002_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	const writ_result *result = run->result;
	const bool is_late = result->outcome == WRIT_TIMED_OUT;
	W_AUTO_OUTPUT_VIEW struct w_output_view view;
	W_AUTO_BUF struct w_buf object;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&object, TEXT_MAX);
	w_buf_init(&text, TEXT_MAX);
	w_output_view_init(&view, run);
	exec_seed002_add_result(&object, run, &view);
	if (is_late)
		add_timeout(&text, result, &view);
	if (object.failed || text.failed) {
		w_shape_fail_memory(rpc_request);
		return;
	}
	const bool is_good =
	    result->outcome == WRIT_EXITED && result->exit_code == 0;
	w_tool_reply(rpc_request, is_late ? text.data : object.data,
	    is_late ? text.len : object.len, object.data, !is_good);
}

static const struct w_mcp_run_start start = {
    .answer = exec_seed002_answer,
    .refuse = exec_seed002_refuse,
    .free = w_shape_free,
};

/* ---- call ---- */

/* false: the request was answered. */
static bool
exec_seed002_check(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	yyjson_val *command = yyjson_obj_get(arguments, "command");
	yyjson_val *args = yyjson_obj_get(arguments, "args");
	yyjson_val *cwd = yyjson_obj_get(arguments, "cwd");
	yyjson_val *item;
	size_t i;
	size_t count;

	if (!w_json_is_text(command)) {
		w_shape_refuse_arguments(
		    rpc_request, "Missing required parameter 'command'");
		return false;
	}
	if (!yyjson_is_arr(args)) {
		w_shape_refuse_arguments(rpc_request,
		    "Missing required parameter 'args' (must be an array)");
		return false;
	}
	yyjson_arr_foreach(args, i, count, item)
	{
		if (w_json_is_text(item))
			continue;
		W_AUTO_FREE char *json = yyjson_val_write(item, 0, NULL);
		w_shape_refuse_arguments(rpc_request,
		    "Argument at index %zu is not a string%s: %.64s", i,
		    yyjson_is_str(item) ? " without a NUL" : "",
		    json == NULL ? "" : json);
		return false;
	}
	if (cwd != NULL && !w_json_is_text(cwd)) {
		w_shape_refuse_arguments(
		    rpc_request, "Parameter 'cwd' must be a string");
		return false;
	}
	if (strpbrk(yyjson_get_str(command), SHELL_CHARACTERS) != NULL ||
	    yyjson_get_len(command) == 0) {
		w_shape_refuse_arguments(rpc_request,
		    "Invalid command '%.64s': it must be a program's name, "
		    "without shell characters; arguments go into 'args'",
		    yyjson_get_str(command));
		return false;
	}
	return w_shape_check_keys(rpc_request, arguments, keys);
}

/* A link to a directory beneath the base is that directory. What leads outside
 * stays as it is, and is refused with its name. */
static writ_status
set_cwd(
    struct w_mcp *server, const char *cwd, writ_draft *draft, writ_error *err)
{
	const size_t len = strlen(server->cwd);
	writ_status status = w_workdir_apply(server, NULL, cwd, draft, err);

	if (status != WRIT_OK || cwd == NULL)
		return status;
	W_AUTO_FREE char *real = realpath(writ_draft_request(draft)->cwd, NULL);
	if (real == NULL || strncmp(real, server->cwd, len) != 0 ||
	    (real[len] != '\0' && real[len] != '/' && len > 1))
		return WRIT_OK;
	return writ_draft_set(draft, "cwd", real, err);
}

static writ_status
exec_seed002_fill(struct w_mcp *server, yyjson_val *arguments,
    writ_draft *draft, writ_error *err)
{
	yyjson_val *args = yyjson_obj_get(arguments, "args");
	yyjson_val *item;
	size_t i;
	size_t count;
	writ_status status = writ_draft_set(draft, "argv",
	    yyjson_get_str(yyjson_obj_get(arguments, "command")), err);

	yyjson_arr_foreach(args, i, count, item)
	{
		if (status == WRIT_OK)
			status = writ_draft_set(
			    draft, "argv", yyjson_get_str(item), err);
	}
	if (status == WRIT_OK)
		status = writ_draft_set(draft, "roots", server->cwd, err);
	return status == WRIT_OK
		   ? set_cwd(server,
			 yyjson_get_str(yyjson_obj_get(arguments, "cwd")),
			 draft, err)
		   : status;
}

static void
exec_seed002_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	writ_draft *draft = NULL;
	writ_error err = {0};

	if (!exec_seed002_check(rpc_request, arguments))
		return;
	writ_status status = writ_draft_new(&draft, &err);
	if (status == WRIT_OK)
		status = exec_seed002_fill(
		    rpc_request->server, arguments, draft, &err);
	if (status == WRIT_OK) {
		uint64_t timeout_ms = TIMEOUT_MS;
		uint64_t max_ms = 0;

		w_shape_timeouts(rpc_request->server, &timeout_ms, &max_ms);
		w_shape_run(rpc_request, &start, draft, timeout_ms);
		return;
	}
	writ_draft_free(draft);
	w_shape_refuse_arguments(rpc_request, "%s", err.message);
}

static const char input_schema[] =
    "{\"type\":\"object\",\"properties\":{\"command\":{\"type\":\"string\","
    "\"description\":\"Command to execute (e.g., 'ls', 'git', 'cargo')\"},"
    "\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
    "\"description\":\"Command arguments as array (prevents shell "
    "injection)\"},\"cwd\":{\"type\":\"string\",\"description\":\"Optional "
    "working directory path\"}},\"required\":[\"command\",\"args\"]}";

const struct w_tool w_tool_exec_seed002 = {
    .name = "exec",
    .title = "Run a command",
    .description =
	"Runs a command with its arguments, which are taken literally: no "
	"shell is involved. cwd must lie beneath the base directory. Answers "
	"with the JSON of stdout, stderr and exit_code; after 30 seconds the "
	"command is ended.",
    .input_schema = input_schema,
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = exec_seed002_call,
    .checks_input = true,
    .keeps_object = true,
};
