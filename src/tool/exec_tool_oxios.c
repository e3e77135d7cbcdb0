/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The shape "oxios": shell text, or a listed program and its arguments, by
 * mode. The policy decides, and its message is passed on behind the name of the
 * mode; see the preset 'allowlist'.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <writ/policy.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "data/json_words.h"
#include "tool/exec_tool.h"

#define STAGE "arguments"

enum {
	TIMEOUT_S = 120,
	TIMEOUT_MAX_S = 600,
	MS_PER_S = 1000,
	DECISION_DEPTH = 64,
};

static const char *const keys[] = {
    "mode", "command", "binary", "args", "timeout", NULL};

static const char *
mode_of(const struct writ_tool_run *run)
{
	return yyjson_get_str(yyjson_obj_get(w_json_root(run->input), "mode"));
}

/* ---- refusals ---- */

/* Policy denials and invalid arguments have messages of their own; the rest is
 * the system's. */
static void
exec_tool_oxios_refuse(
    const struct writ_tool_run *run, const writ_error *why, struct w_buf *out)
{
	const bool is_said = why->status == WRIT_E_DENIED ||
			     why->status == WRIT_E_APPROVAL ||
			     why->status == WRIT_E_REFUSED;
	const char *mode = mode_of(run);

	if (is_said)
		w_buf_add_fmt(out, "exec (%s): %s", mode, why->message);
	else
		w_buf_add_fmt(out, "exec (%s): %s execution error: %s", mode,
		    mode, why->message);
}

/* ---- answer ---- */

static void
exec_tool_oxios_add_object(
    struct w_buf *buf, const writ_result *result, const writ_tool_shown *shown)
{
	w_buf_add_char(buf, '{');
	w_shape_add_streams(buf, shown);
	w_buf_add_fmt(buf, ",\"exit_code\":%d,\"duration_ms\":%" PRIu64,
	    result->exit_code, result->duration_ms);
	if (shown->is_cut)
		w_json_add_text_member(buf, "run_id", result->run_id);
	w_buf_add_char(buf, '}');
}

static void
exec_tool_oxios_add_timeout(struct w_buf *buf, const writ_result *result,
    const writ_tool_shown *shown, const char *mode)
{
	w_buf_add_fmt(buf,
	    "exec (%s): %s command timed out after %" PRIu64 "ms", mode, mode,
	    result->limit_value);
	if (result->out[0].bytes + result->out[1].bytes == 0)
		return;
	w_buf_add_str(buf, "\n\n");
	w_shape_add_output(buf, shown);
}

static void
exec_tool_oxios_answer(const struct writ_tool_run *run,
    const writ_result *result, const writ_tool_shown *shown,
    struct w_tool_texts *out)
{
	exec_tool_oxios_add_object(&out->json, result, shown);
	if (result->outcome == WRIT_TIMED_OUT) {
		exec_tool_oxios_add_timeout(
		    &out->text, result, shown, mode_of(run));
		return;
	}
	w_shape_add_output(&out->text, shown);
	if (result->exit_code != 0)
		w_buf_add_fmt(&out->text, "\n\nCommand exited with code %d",
		    result->exit_code);
	w_buf_add_str(&out->text, "\n\n");
	w_duration_add(&out->text, "Took", result->duration_ms);
}

/* ---- shell ---- */

/* Asks the policy first whether there is a shell at all. NULL: no objection.
 * The text is yours. */
static char *
exec_tool_oxios_find_denial(const writ_tool *tool, const char *shell)
{
	const struct w_json_limits limits = {W_TOOL_TEXT_MAX, DECISION_DEPTH};
	writ_request request = WRIT_REQUEST_INIT;
	W_AUTO_FREE char *json = NULL;
	struct w_json *tree = NULL;
	char *denial = NULL;
	size_t len = 0;

	request.shell = shell;
	request.cwd = tool->base;
	request.agent = tool->agent;
	if (writ_decide(tool->engine, &request, &json, &len, NULL) != WRIT_OK ||
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

static writ_status
check_shell(
    const struct writ_tool_run *run, yyjson_val *command, writ_error *err)
{
	if (!yyjson_is_str(command))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "shell mode requires 'command' parameter");
	const char *text = yyjson_get_str(command);
	if (!w_json_is_text(command))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "exec (shell): shell_exec: command has a NUL in it");
	if (text[strspn(text, " \t\r\n")] == '\0') {
		W_AUTO_FREE char *denial =
		    exec_tool_oxios_find_denial(run->tool, " ");

		return w_fail(err, WRIT_E_INVALID, STAGE, 0, "exec (shell): %s",
		    denial == NULL ? "shell_exec: command must not be empty"
				   : denial);
	}
	return writ_draft_set(run->draft, "shell", text, err);
}

/* ---- structured ---- */

static writ_status
exec_tool_oxios_check_args(yyjson_val *args, writ_error *err)
{
	yyjson_val *item;
	size_t i;
	size_t count;

	if (args != NULL && !yyjson_is_arr(args))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "exec (structured): structured_exec: args must be an array "
		    "of strings");
	yyjson_arr_foreach(args, i, count, item)
	{
		if (w_json_is_text(item))
			continue;
		if (yyjson_is_str(item))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "exec (structured): structured_exec: shell "
			    "metacharacters or path traversal not allowed in "
			    "arguments");
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "exec (structured): structured_exec: argument %zu is not a "
		    "string",
		    i);
	}
	return WRIT_OK;
}

static writ_status
check_structured(
    const struct writ_tool_run *run, yyjson_val *input, writ_error *err)
{
	yyjson_val *binary = yyjson_obj_get(input, "binary");
	yyjson_val *args = yyjson_obj_get(input, "args");

	if (!w_json_is_text(binary))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "structured mode requires 'binary' parameter");
	writ_status status = exec_tool_oxios_check_args(args, err);
	if (status == WRIT_OK)
		status = writ_draft_set(
		    run->draft, "argv", yyjson_get_str(binary), err);
	return status == WRIT_OK ? w_shape_add_words(run->draft, args, err)
				 : status;
}

/* ---- call ---- */

/* Anything but an integer is ignored; others are clamped. */
static uint64_t
exec_tool_oxios_timeout(const writ_tool *tool, yyjson_val *said)
{
	uint64_t timeout_ms = (uint64_t)TIMEOUT_S * MS_PER_S;
	uint64_t max_ms = (uint64_t)TIMEOUT_MAX_S * MS_PER_S;

	w_shape_timeouts(tool, &timeout_ms, &max_ms);
	if (yyjson_is_uint(said)) {
		const uint64_t seconds = yyjson_get_uint(said);

		timeout_ms =
		    seconds > max_ms / MS_PER_S ? max_ms : seconds * MS_PER_S;
	}
	if (timeout_ms < MS_PER_S)
		timeout_ms = MS_PER_S;
	return timeout_ms < max_ms ? timeout_ms : max_ms;
}

static writ_status
exec_tool_oxios_check(
    struct writ_tool_run *run, yyjson_val *input, writ_error *err)
{
	yyjson_val *mode = yyjson_obj_get(input, "mode");
	const bool is_shell = yyjson_equals_str(mode, "shell");

	if (!w_json_is_text(mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Missing required parameter: mode (expected 'shell' or "
		    "'structured')");
	if (!is_shell && !yyjson_equals_str(mode, "structured"))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Invalid mode '%.64s': expected 'shell' or 'structured'",
		    yyjson_get_str(mode));
	writ_status status = w_shape_check_keys(input, keys, err);
	if (status == WRIT_OK)
		status = is_shell ? check_shell(run,
					yyjson_obj_get(input, "command"), err)
				  : check_structured(run, input, err);
	if (status == WRIT_OK)
		status = w_shape_set_cwd(run, NULL, err);
	if (status != WRIT_OK)
		return status;
	writ_draft_request(run->draft)->timeout_ms = exec_tool_oxios_timeout(
	    run->tool, yyjson_obj_get(input, "timeout"));
	return WRIT_OK;
}

static const char schema[] =
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

const struct w_tool_shape w_shape_oxios = {
    .word = "oxios",
    .title = "Exec",
    .description =
	"Execute a command. Use mode='shell' for raw shell strings (pipelines, "
	"redirects) or mode='structured' for a specific binary+args with "
	"allowlist security.",
    .schema = schema,
    .check = exec_tool_oxios_check,
    .answer = exec_tool_oxios_answer,
    .refuse = exec_tool_oxios_refuse,
};
