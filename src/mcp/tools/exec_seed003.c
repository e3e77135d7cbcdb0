/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `exec` in the schema of seed 003: shell text, or a listed program and its
 * arguments, by mode. The policy decides, and its message is passed on behind
 * the name of the mode; see the preset 'allowlist'.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json_words.h"
#include "mcp/runs/output_view.h"
#include "mcp/tools/exec_shape.h"

enum {
	TIMEOUT_S = 120,
	TIMEOUT_MAX_S = 600,
	MS_PER_S = 1000,
	DECISION_DEPTH = 64,
};

#define TEXT_MAX ((size_t)256 << 20)

static const char *const keys[] = {
    "mode", "command", "binary", "args", "timeout", NULL};

/* ---- refusals ---- */

/* Policy denials and invalid arguments have messages of their own; the rest is
 * the system's. */
static void
refuse_as(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details, const char *mode)
{
	const bool is_said = error->status == WRIT_E_DENIED ||
			     error->status == WRIT_E_APPROVAL ||
			     error->status == WRIT_E_REFUSED;

	if (is_said)
		w_shape_refuse(rpc_request, error, details, "exec (%s): %s",
		    mode, error->message);
	else
		w_shape_refuse(rpc_request, error, details,
		    "exec (%s): %s execution error: %s", mode, mode,
		    error->message);
}

static void
refuse_shell(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details)
{
	refuse_as(rpc_request, error, details, "shell");
}

static void
refuse_structured(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details)
{
	refuse_as(rpc_request, error, details, "structured");
}

/* ---- answer ---- */

static void
exec_seed003_add_result(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view)
{
	w_buf_add_char(buf, '{');
	w_shape_add_stream(buf, "stdout", &view->streams[WRIT_STDOUT]);
	w_buf_add_char(buf, ',');
	w_shape_add_stream(buf, "stderr", &view->streams[WRIT_STDERR]);
	w_buf_add_fmt(buf, ",\"exit_code\":%d,\"duration_ms\":%" PRIu64,
	    result->exit_code, result->duration_ms);
	if (view->streams[0].is_cut || view->streams[1].is_cut)
		w_json_add_text_member(buf, "run_id", result->run_id);
	w_buf_add_char(buf, '}');
}

void
w_shape_seed003_add_text(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view)
{
	w_shape_add_output(buf, view);
	if (result->exit_code != 0)
		w_buf_add_fmt(
		    buf, "\n\nCommand exited with code %d", result->exit_code);
	w_buf_add_str(buf, "\n\n");
	w_mcp_run_add_duration(buf, "Took", result->duration_ms);
}

static void
answer_as(struct w_rpc_request *rpc_request, const struct w_mcp_run *run,
    const char *mode)
{
	const writ_result *result = run->result;
	W_AUTO_OUTPUT_VIEW struct w_output_view view;
	W_AUTO_BUF struct w_buf object;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&object, TEXT_MAX);
	w_buf_init(&text, TEXT_MAX);
	w_output_view_init(&view, run);
	exec_seed003_add_result(&object, result, &view);
	if (result->outcome == WRIT_TIMED_OUT) {
		w_buf_add_fmt(&text,
		    "exec (%s): %s command timed out after %" PRIu64 "ms", mode,
		    mode, result->limit_value);
		if (result->out[0].bytes + result->out[1].bytes > 0) {
			w_buf_add_str(&text, "\n\n");
			w_shape_add_output(&text, &view);
		}
	} else {
		w_shape_seed003_add_text(&text, result, &view);
	}
	if (object.failed || text.failed) {
		w_shape_fail_memory(rpc_request);
		return;
	}
	w_tool_reply(rpc_request, text.data, text.len, object.data,
	    result->outcome != WRIT_EXITED || result->exit_code != 0);
}

static void
answer_shell(struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	answer_as(rpc_request, run, "shell");
}

static void
answer_structured(struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	answer_as(rpc_request, run, "structured");
}

static const struct w_mcp_run_start start_shell = {
    .answer = answer_shell,
    .refuse = refuse_shell,
    .free = w_shape_free,
};

static const struct w_mcp_run_start start_structured = {
    .answer = answer_structured,
    .refuse = refuse_structured,
    .free = w_shape_free,
};

/* ---- shell ---- */

/* Asks the policy first whether there is a shell at all. NULL: no objection.
 * The text is yours. */
static char *
find_denial(struct w_mcp *server, const char *shell)
{
	const struct w_json_limits limits = {TEXT_MAX, DECISION_DEPTH};
	writ_request request = WRIT_REQUEST_INIT;
	W_AUTO_FREE char *json = NULL;
	struct w_json *tree = NULL;
	char *denial = NULL;
	size_t len = 0;

	request.shell = shell;
	request.cwd = server->cwd;
	request.agent = server->options.agent;
	if (writ_decide(server->engine, &request, &json, &len, NULL) !=
		WRIT_OK ||
	    w_json_read(json, len, &limits, &tree, NULL) != WRIT_OK)
		return NULL;
	yyjson_val *root = w_json_root(tree);
	const char *message = yyjson_get_str(yyjson_obj_get(root, "message"));
	if (message != NULL &&
	    yyjson_equals_str(yyjson_obj_get(root, "decision"), "deny"))
		denial = strdup(message);
	w_json_free(tree);
	return denial;
}

static void
call_shell(struct w_rpc_request *rpc_request, yyjson_val *arguments,
    uint64_t timeout_ms)
{
	yyjson_val *command = yyjson_obj_get(arguments, "command");
	writ_draft *draft = NULL;
	writ_error err = {0};

	if (!yyjson_is_str(command)) {
		w_shape_refuse_arguments(
		    rpc_request, "shell mode requires 'command' parameter");
		return;
	}
	const char *text = yyjson_get_str(command);
	if (w_json_is_text(command) && text[strspn(text, " \t\r\n")] == '\0') {
		W_AUTO_FREE char *denial =
		    find_denial(rpc_request->server, " ");

		w_shape_refuse_arguments(rpc_request, "exec (shell): %s",
		    denial == NULL ? "shell_exec: command must not be empty"
				   : denial);
		return;
	}
	writ_status status = writ_draft_new(&draft, &err);
	if (status == WRIT_OK)
		status = w_json_is_text(command)
			     ? writ_draft_set(draft, "shell", text, &err)
			     : w_fail(&err, WRIT_E_INVALID, "arguments", 0,
				   "shell_exec: command has a NUL in it");
	if (status == WRIT_OK) {
		w_shape_run(rpc_request, &start_shell, draft, timeout_ms);
		return;
	}
	writ_draft_free(draft);
	w_shape_refuse_arguments(rpc_request, "exec (shell): %s", err.message);
}

/* ---- structured ---- */

/* false: the request was answered. */
static bool
check_args(struct w_rpc_request *rpc_request, yyjson_val *args)
{
	yyjson_val *item;
	size_t i;
	size_t count;

	if (args != NULL && !yyjson_is_arr(args)) {
		w_shape_refuse_arguments(rpc_request,
		    "exec (structured): structured_exec: args must be an array "
		    "of strings");
		return false;
	}
	yyjson_arr_foreach(args, i, count, item)
	{
		if (w_json_is_text(item))
			continue;
		if (yyjson_is_str(item))
			w_shape_refuse_arguments(rpc_request,
			    "exec (structured): structured_exec: shell "
			    "metacharacters or path traversal not allowed in "
			    "arguments");
		else
			w_shape_refuse_arguments(rpc_request,
			    "exec (structured): structured_exec: argument %zu "
			    "is not a string",
			    i);
		return false;
	}
	return true;
}

static writ_status
exec_seed003_fill(
    const char *binary, yyjson_val *args, writ_draft *draft, writ_error *err)
{
	yyjson_val *item;
	size_t i;
	size_t count;
	writ_status status = writ_draft_set(draft, "argv", binary, err);

	yyjson_arr_foreach(args, i, count, item)
	{
		if (status == WRIT_OK)
			status = writ_draft_set(
			    draft, "argv", yyjson_get_str(item), err);
	}
	return status;
}

static void
call_structured(struct w_rpc_request *rpc_request, yyjson_val *arguments,
    uint64_t timeout_ms)
{
	yyjson_val *binary = yyjson_obj_get(arguments, "binary");
	yyjson_val *args = yyjson_obj_get(arguments, "args");
	writ_draft *draft = NULL;
	writ_error err = {0};

	if (!w_json_is_text(binary)) {
		w_shape_refuse_arguments(
		    rpc_request, "structured mode requires 'binary' parameter");
		return;
	}
	if (!check_args(rpc_request, args))
		return;
	writ_status status = writ_draft_new(&draft, &err);
	if (status == WRIT_OK)
		status = exec_seed003_fill(
		    yyjson_get_str(binary), args, draft, &err);
	if (status == WRIT_OK) {
		w_shape_run(rpc_request, &start_structured, draft, timeout_ms);
		return;
	}
	writ_draft_free(draft);
	w_shape_refuse_arguments(
	    rpc_request, "exec (structured): structured_exec: %s", err.message);
}

/* ---- call ---- */

/* Anything but an integer is ignored; others are clamped. */
static uint64_t
timeout_of(struct w_mcp *server, yyjson_val *arguments)
{
	yyjson_val *said = yyjson_obj_get(arguments, "timeout");
	uint64_t timeout_ms = (uint64_t)TIMEOUT_S * MS_PER_S;
	uint64_t max_ms = (uint64_t)TIMEOUT_MAX_S * MS_PER_S;

	w_shape_timeouts(server, &timeout_ms, &max_ms);
	if (yyjson_is_uint(said)) {
		const uint64_t seconds = yyjson_get_uint(said);

		timeout_ms =
		    seconds > max_ms / MS_PER_S ? max_ms : seconds * MS_PER_S;
	}
	if (timeout_ms < MS_PER_S)
		timeout_ms = MS_PER_S;
	return timeout_ms < max_ms ? timeout_ms : max_ms;
}

static void
exec_seed003_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	yyjson_val *mode = yyjson_obj_get(arguments, "mode");

	if (!w_json_is_text(mode))
		w_shape_refuse_arguments(rpc_request,
		    "Missing required parameter: mode (expected 'shell' or "
		    "'structured')");
	else if (!yyjson_equals_str(mode, "shell") &&
		 !yyjson_equals_str(mode, "structured"))
		w_shape_refuse_arguments(rpc_request,
		    "Invalid mode '%.64s': expected 'shell' or 'structured'",
		    yyjson_get_str(mode));
	else if (!w_shape_check_keys(rpc_request, arguments, keys))
		return;
	else if (yyjson_equals_str(mode, "shell"))
		call_shell(rpc_request, arguments,
		    timeout_of(rpc_request->server, arguments));
	else
		call_structured(rpc_request, arguments,
		    timeout_of(rpc_request->server, arguments));
}

static const char input_schema[] =
    "{\"type\":\"object\",\"properties\":{\"mode\":{\"type\":\"string\","
    "\"enum\":[\"shell\",\"structured\"],\"description\":\"Execution mode: "
    "'shell' for bash -c <command>, 'structured' for binary+args with "
    "allowlist enforcement\"},\"command\":{\"type\":\"string\","
    "\"description\":\"Shell command string (mode='shell' only)\"},"
    "\"binary\":{\"type\":\"string\",\"description\":\"Binary name "
    "(mode='structured' only, must be in allowlist)\"},\"args\":{\"type\":"
    "\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Binary "
    "arguments (mode='structured' only)\"},\"timeout\":{\"type\":"
    "\"integer\",\"description\":\"Timeout in seconds\",\"default\":120}},"
    "\"required\":[\"mode\"]}";

const struct w_tool w_tool_exec_seed003 = {
    .name = "exec",
    .title = "Exec",
    .description =
	"Execute a command. Use mode='shell' for raw shell strings (pipelines, "
	"redirects) or mode='structured' for a specific binary+args with "
	"allowlist security.",
    .input_schema = input_schema,
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = exec_seed003_call,
    .checks_input = true,
    .keeps_object = true,
};
