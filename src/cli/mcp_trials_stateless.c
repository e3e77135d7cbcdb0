/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The trials of `writ mcp check` in the version without a handshake: every
 * request says who speaks.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp_check.h"
#include "mcp/version.h"

#define PARAMS_MAX ((size_t)1 << 16)
#define META       "io.modelcontextprotocol/"

/* Sends one request to a server of its own; rest is the inside of params. */
static bool
call_once(struct w_mcp_check *check, struct w_mcp_talk *talk,
    const char *method, const char *rest, yyjson_val **out_result)
{
	writ_error err;
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_fmt(&params,
	    "{\"_meta\":{\"" META "protocolVersion\":\"%s\",\"" META
	    "clientCapabilities\":{\"elicitation\":{\"form\":{}}},\"" META
	    "clientInfo\":{\"name\":\"writ mcp "
	    "check\",\"version\":\"" WRIT_VERSION "\"}}%s%s}",
	    w_mcp_traits(W_MCP_2026_07_28)->name, rest[0] == '\0' ? "" : ",",
	    rest);
	if (w_mcp_talk_start(talk, check->argv, &err) == WRIT_OK &&
	    w_mcp_talk_call(talk, method, params.data, out_result, &err) ==
		WRIT_OK)
		return true;
	w_mcp_trial_fail(check, talk, &err);
	return false;
}

void
w_mcp_trial_discover(struct w_mcp_check *check)
{
	const char *version = w_mcp_traits(W_MCP_2026_07_28)->name;
	struct w_mcp_talk talk;
	yyjson_val *result = NULL;
	yyjson_val *it;
	size_t i;
	size_t count;
	bool has_it = false;

	if (call_once(check, &talk, "server/discover", "", &result)) {
		yyjson_arr_foreach(
		    yyjson_obj_get(result, "supportedVersions"), i, count, it)
		{
			has_it |= yyjson_equals_str(it, version);
		}
		w_mcp_trial_end(check,
		    has_it ? W_MCP_TRIAL_WORKS : W_MCP_TRIAL_FAILS, "%s %s",
		    version, has_it ? "is served" : "is not named");
	}
	w_mcp_talk_done(&talk);
}

void
w_mcp_trial_stateless(struct w_mcp_check *check)
{
	struct w_mcp_talk talk;
	yyjson_val *result = NULL;

	if (!w_mcp_trial_has_argv(check))
		return;
	if (call_once(check, &talk, "tools/call",
		"\"name\":\"exec\",\"arguments\":{\"argv\":[\"true\"]}",
		&result)) {
		const char *code = w_mcp_trial_error_code(result);
		yyjson_val *done = yyjson_obj_get(result, "structuredContent");

		if (code != NULL)
			w_mcp_trial_end(check,
			    w_mcp_trial_is_forbidden(code) ? W_MCP_TRIAL_SKIPPED
							   : W_MCP_TRIAL_FAILS,
			    "%.64s", code);
		else if (strcmp(w_mcp_trial_text(result, "resultType"),
			     "complete") == 0 &&
			 strcmp(w_mcp_trial_text(done, "outcome"), "exited") ==
			     0)
			w_mcp_trial_end(
			    check, W_MCP_TRIAL_WORKS, "true, and its result");
		else
			w_mcp_trial_end(check, W_MCP_TRIAL_FAILS,
			    "the result says '%.32s'",
			    w_mcp_trial_text(result, "resultType"));
	}
	w_mcp_talk_done(&talk);
}

void
w_mcp_trial_stateless_form(struct w_mcp_check *check)
{
	struct w_mcp_talk talk;
	yyjson_val *result = NULL;
	W_AUTO_BUF struct w_buf rest;

	w_buf_init(&rest, PARAMS_MAX);
	if (!w_mcp_trial_has_argv(check) || !w_mcp_trial_has_asked(check))
		return;
	w_buf_add_fmt(
	    &rest, "\"name\":\"exec\",\"arguments\":%s", check->asked[0]);
	if (call_once(check, &talk, "tools/call", rest.data, &result)) {
		const char *type = w_mcp_trial_text(result, "resultType");
		const bool is_asked =
		    strcmp(type, "input_required") == 0 &&
		    w_mcp_trial_text(result, "requestState")[0] != '\0';

		w_mcp_trial_end(check,
		    is_asked ? W_MCP_TRIAL_WORKS : W_MCP_TRIAL_FAILS, "%s%.32s",
		    is_asked ? "" : "the result says ", type);
	}
	w_mcp_talk_done(&talk);
}
