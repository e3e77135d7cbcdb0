/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The trials of `writ mcp check`: all there are, and the steps that several of
 * them make. Those with a handshake talk to one server, which the first starts
 * and the last ends.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp_check.h"

#define PARAMS_MAX ((size_t)1 << 16)

writ_status
w_mcp_trial_handshake(struct w_mcp_check *check, struct w_mcp_talk *talk,
    const char *version, yyjson_val **out_result, writ_error *err)
{
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_fmt(&params,
	    "{\"protocolVersion\":\"%s\",\"capabilities\":{\"elicitation\":"
	    "{}},\"clientInfo\":{\"name\":\"writ mcp check\",\"version\":"
	    "\"" WRIT_VERSION "\"}}",
	    version);
	writ_status status = w_mcp_talk_start(talk, check->argv, err);
	if (status == WRIT_OK)
		status = w_mcp_talk_call(
		    talk, "initialize", params.data, out_result, err);
	return status;
}

const char *
w_mcp_trial_error_code(yyjson_val *result)
{
	yyjson_val *error = yyjson_obj_get(
	    yyjson_obj_get(result, "structuredContent"), "error");

	return yyjson_get_str(yyjson_obj_get(error, "code"));
}

/* What the policy forbids here does not work because it should not. */
bool
w_mcp_trial_is_forbidden(const char *code)
{
	return strcmp(code, "denied") == 0 ||
	       strncmp(code, "approval_", strlen("approval_")) == 0;
}

static const char *
error_message(yyjson_val *structured)
{
	const char *text = yyjson_get_str(
	    yyjson_obj_get(yyjson_obj_get(structured, "error"), "message"));

	return text == NULL ? "" : text;
}

bool
w_mcp_trial_tool(struct w_mcp_check *check, const char *tool,
    const char *arguments, yyjson_val **out_structured)
{
	yyjson_val *result = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_fmt(
	    &params, "{\"name\":\"%s\",\"arguments\":%s}", tool, arguments);
	if (w_mcp_talk_call(&check->talk, "tools/call", params.data, &result,
		&err) != WRIT_OK) {
		w_mcp_trial_fail(check, &check->talk, &err);
		return false;
	}
	const char *code = w_mcp_trial_error_code(result);

	*out_structured = yyjson_obj_get(result, "structuredContent");
	if (code == NULL && *out_structured != NULL)
		return true;
	if (code == NULL)
		w_mcp_trial_end(check, W_MCP_TRIAL_FAILS,
		    "%s: no structuredContent in its answer", tool);
	else
		w_mcp_trial_end(check,
		    w_mcp_trial_is_forbidden(code) ? W_MCP_TRIAL_SKIPPED
						   : W_MCP_TRIAL_FAILS,
		    "%s: %s: %s", tool, code, error_message(*out_structured));
	return false;
}

const char *
w_mcp_trial_text(yyjson_val *object, const char *key)
{
	const char *text = yyjson_get_str(yyjson_obj_get(object, key));

	return text == NULL ? "" : text;
}

bool
w_mcp_trial_has_argv(struct w_mcp_check *check)
{
	if (!check->has_argv)
		w_mcp_trial_end(check, W_MCP_TRIAL_SKIPPED,
		    "exec has another shape here: it does not take argv");
	return check->has_argv;
}

bool
w_mcp_trial_has_asked(struct w_mcp_check *check)
{
	if (check->asked_count == 0)
		w_mcp_trial_end(check, W_MCP_TRIAL_SKIPPED,
		    "this policy asks about nothing");
	return check->asked_count > 0;
}

const struct w_mcp_trial w_mcp_trials[] = {
    {"start", false, w_mcp_trial_start},
    {"versions", false, w_mcp_trial_versions},
    {"ping", true, w_mcp_trial_ping},
    {"tools/list", true, w_mcp_trial_list},
    {"tool names, schemas", false, w_mcp_trial_lint},
    {"exec", true, w_mcp_trial_exec},
    {"background, run_kill", true, w_mcp_trial_background},
    {"cancel", true, w_mcp_trial_cancel},
    {"run_input, run_read", true, w_mcp_trial_input},
    {"terminal", true, w_mcp_trial_pty},
    {"module_search", true, w_mcp_trial_modules},
    {"policy_check", true, w_mcp_trial_policy},
    {"resources", true, w_mcp_trial_resources},
    {"approval by a form", true, w_mcp_trial_form},
    {"end of input", true, w_mcp_trial_finish},
    {"server/discover", false, w_mcp_trial_discover},
    {"exec without handshake", false, w_mcp_trial_stateless},
    {"approval by a result", false, w_mcp_trial_stateless_form},
    {NULL, false, NULL},
};

_Static_assert(
    sizeof(w_mcp_trials) / sizeof(w_mcp_trials[0]) <= W_MCP_TRIALS_MAX,
    "W_MCP_TRIALS_MAX is too small");
