/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tests of `writ mcp check`, and steps shared by several of them. Tests
 * with a handshake use one server, which the first test starts and the last one
 * stops.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"

#define PARAMS_MAX ((size_t)1 << 16)

writ_status
w_conformance_handshake(struct w_conformance *check,
    struct w_conformance_client *client, const char *version,
    yyjson_val **out_result, writ_error *err)
{
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_fmt(&params,
	    "{\"protocolVersion\":\"%s\",\"capabilities\":{\"elicitation\":"
	    "{}},\"clientInfo\":{\"name\":\"writ mcp check\",\"version\":"
	    "\"" WRIT_VERSION "\"}}",
	    version);
	writ_status status =
	    w_conformance_client_start(client, check->argv, err);
	if (status == WRIT_OK)
		status = w_conformance_client_call(
		    client, "initialize", params.data, out_result, err);
	return status;
}

const char *
w_conformance_error_code(yyjson_val *result)
{
	yyjson_val *error = yyjson_obj_get(
	    yyjson_obj_get(result, "structuredContent"), "error");

	return yyjson_get_str(yyjson_obj_get(error, "code"));
}

/* What the policy forbids is not a failure. */
bool
w_conformance_is_forbidden(const char *code)
{
	return strcmp(code, "denied") == 0 ||
	       strncmp(code, "approval_", strlen("approval_")) == 0;
}

bool
w_conformance_ask(struct w_conformance *check, const char *method,
    const char *params, yyjson_val **out_result)
{
	writ_error err;

	if (w_conformance_client_call(
		&check->client, method, params, out_result, &err) == WRIT_OK)
		return true;
	w_conformance_fail(check, &check->client, &err);
	return false;
}

bool
w_conformance_call_tool(struct w_conformance *check, const char *tool,
    const char *arguments, yyjson_val **out_structured)
{
	yyjson_val *result = NULL;
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_fmt(
	    &params, "{\"name\":\"%s\",\"arguments\":%s}", tool, arguments);
	if (!w_conformance_ask(check, "tools/call", params.data, &result))
		return false;
	const char *code = w_conformance_error_code(result);

	*out_structured = yyjson_obj_get(result, "structuredContent");
	if (code == NULL && *out_structured != NULL)
		return true;
	if (code == NULL)
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "%s: no structuredContent in its answer", tool);
	else
		w_conformance_end(check,
		    w_conformance_is_forbidden(code) ? W_CONFORMANCE_SKIPPED
						     : W_CONFORMANCE_FAILED,
		    "%s: %s: %s", tool, code,
		    w_conformance_text(
			yyjson_obj_get(*out_structured, "error"), "message"));
	return false;
}

const char *
w_conformance_text(yyjson_val *object, const char *key)
{
	const char *text = yyjson_get_str(yyjson_obj_get(object, key));

	return text == NULL ? "" : text;
}

#define CLIENT W_CONFORMANCE_CLIENT
#define ARGV   W_CONFORMANCE_ARGV
#define ASKED  W_CONFORMANCE_ASKED

const struct w_conformance_test w_conformance_tests[] = {
    {"start", 0, w_conformance_test_start},
    {"versions", 0, w_conformance_test_versions},
    {"ping", CLIENT, w_conformance_test_ping},
    {"tools/list", CLIENT, w_conformance_test_list},
    {"tool names, schemas", 0, w_conformance_test_lint},
    {"exec", CLIENT, w_conformance_test_exec},
    {"background, run_kill", CLIENT | ARGV, w_conformance_test_background},
    {"cancel", CLIENT | ARGV, w_conformance_test_cancel},
    {"run_input, run_read", CLIENT | ARGV, w_conformance_test_input},
    {"terminal", CLIENT | ARGV, w_conformance_test_pty},
    {"module_search", CLIENT, w_conformance_test_modules},
    {"policy_check", CLIENT, w_conformance_test_policy},
    {"resources", CLIENT, w_conformance_test_resources},
    {"approval by a form", CLIENT | ARGV | ASKED, w_conformance_test_form},
    {"end of input", CLIENT, w_conformance_test_finish},
    {"server/discover", 0, w_conformance_test_discover},
    {"exec without handshake", ARGV, w_conformance_test_stateless},
    {"approval by a result", ARGV | ASKED, w_conformance_test_stateless_form},
    {NULL, 0, NULL},
};

_Static_assert(sizeof(w_conformance_tests) / sizeof(w_conformance_tests[0]) <=
		   W_CONFORMANCE_TESTS_MAX,
    "W_CONFORMANCE_TESTS_MAX is too small");
