/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests of the protocol version without a handshake: every request identifies
 * the client.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"
#include "mcp/protocol/protocol_version.h"

#define PARAMS_MAX ((size_t)1 << 16)
#define META       "io.modelcontextprotocol/"

/* Sends one request to a new server; rest is the content of params. */
static bool
call_once(struct w_conformance *check, struct w_conformance_client *client,
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
	if (w_conformance_client_start(client, check->argv, &err) == WRIT_OK &&
	    w_conformance_client_call(
		client, method, params.data, out_result, &err) == WRIT_OK)
		return true;
	w_conformance_fail(check, client, &err);
	return false;
}

void
w_conformance_test_discover(struct w_conformance *check)
{
	const char *version = w_mcp_traits(W_MCP_2026_07_28)->name;
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	yyjson_val *it;
	size_t i;
	size_t count;
	bool has_it = false;

	if (call_once(check, &client, "server/discover", "", &result)) {
		yyjson_arr_foreach(
		    yyjson_obj_get(result, "supportedVersions"), i, count, it)
		{
			has_it |= yyjson_equals_str(it, version);
		}
		w_conformance_end(check,
		    has_it ? W_CONFORMANCE_PASSED : W_CONFORMANCE_FAILED,
		    "%s %s", version, has_it ? "is served" : "is not named");
	}
	w_conformance_client_done(&client);
}

void
w_conformance_test_stateless(struct w_conformance *check)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;

	if (call_once(check, &client, "tools/call",
		"\"name\":\"exec\",\"arguments\":{\"argv\":[\"true\"]}",
		&result)) {
		const char *code = w_conformance_error_code(result);
		yyjson_val *done = yyjson_obj_get(result, "structuredContent");

		if (code != NULL)
			w_conformance_end(check,
			    w_conformance_is_forbidden(code)
				? W_CONFORMANCE_SKIPPED
				: W_CONFORMANCE_FAILED,
			    "%.64s", code);
		else if (strcmp(w_conformance_text(result, "resultType"),
			     "complete") == 0 &&
			 strcmp(w_conformance_text(done, "outcome"),
			     "exited") == 0)
			w_conformance_end(check, W_CONFORMANCE_PASSED,
			    "true, and its result");
		else
			w_conformance_end(check, W_CONFORMANCE_FAILED,
			    "the result says '%.32s'",
			    w_conformance_text(result, "resultType"));
	}
	w_conformance_client_done(&client);
}

void
w_conformance_test_stateless_form(struct w_conformance *check)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	W_AUTO_BUF struct w_buf rest;

	w_buf_init(&rest, PARAMS_MAX);
	w_buf_add_fmt(
	    &rest, "\"name\":\"exec\",\"arguments\":%s", check->asked[0]);
	if (call_once(check, &client, "tools/call", rest.data, &result)) {
		const char *type = w_conformance_text(result, "resultType");
		const bool is_asked =
		    strcmp(type, "input_required") == 0 &&
		    w_conformance_text(result, "requestState")[0] != '\0';

		w_conformance_end(check,
		    is_asked ? W_CONFORMANCE_PASSED : W_CONFORMANCE_FAILED,
		    "%s%.32s", is_asked ? "" : "the result says ", type);
	}
	w_conformance_client_done(&client);
}
