/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests of read-only tools: modules, policy, resources.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"

void
w_conformance_test_modules(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	if (!w_conformance_call_tool(check, "module_search",
		"{\"query\":\"git log\",\"limit\":3}", &result))
		return;
	yyjson_val *first =
	    yyjson_arr_get(yyjson_obj_get(result, "modules"), 0);
	if (first == NULL)
		w_conformance_end(
		    check, W_CONFORMANCE_FAILED, "no module for git log");
	else
		w_conformance_end(check, W_CONFORMANCE_PASSED, "found %.64s",
		    w_conformance_text(first, "id"));
}

/*
 * Arguments of exec that a policy may ask about, for the approval tests. None
 * of them runs, since every elicitation is declined. None would do harm if it
 * ran, and none asks for more than the sandbox allows, which no approval can
 * grant. The first ones need only what every system has. Each is asked about
 * for another reason, so a policy that asks less still asks about one of them.
 * What has an & may leave a process behind, so it cannot be undone.
 */
static const char *const asked_about[] = {
    "{\"argv\":[\"unlink\",\".git/writ-mcp-check\"]}",
    "{\"argv\":[\"shred\",\".writ-mcp-check\"]}",
    "{\"command\":\"true & shred .writ-mcp-check\"}",
    "{\"argv\":[\"cat\",\"--writ-mcp-check\"]}",
    "{\"argv\":[\"curl\",\"http://writ-mcp-check.invalid/\"]}",
    "{\"argv\":[\"wget\",\"http://writ-mcp-check.invalid/\"]}",
    "{\"argv\":[\"git\",\"push\"]}",
};

_Static_assert(
    sizeof(asked_about) / sizeof(asked_about[0]) <= W_CONFORMANCE_ASKED_MAX,
    "W_CONFORMANCE_ASKED_MAX is too small");

void
w_conformance_test_policy(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	for (size_t i = 0; i < sizeof(asked_about) / sizeof(asked_about[0]);
	     i++) {
		if (!w_conformance_call_tool(
			check, "policy_check", asked_about[i], &result))
			return;
		if (strcmp(w_conformance_text(result, "decision"), "ask") == 0)
			check->asked[check->asked_count++] = asked_about[i];
	}
	w_conformance_end(check, W_CONFORMANCE_PASSED, "git push: %.16s",
	    w_conformance_text(result, "decision"));
}

void
w_conformance_test_resources(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	if (!w_conformance_ask(check, "resources/list", "{}", &result))
		return;
	const size_t listed =
	    yyjson_arr_size(yyjson_obj_get(result, "resources"));

	if (w_conformance_ask(
		check, "resources/read", "{\"uri\":\"writ://runs\"}", &result))
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "%zu listed, writ://runs was read", listed);
}
