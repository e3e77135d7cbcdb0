/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests of interactive runs: standard input and a terminal.
 */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"

#define ARGUMENTS_MAX 256

/* Calls a tool for the run with that id; rest follows the id. */
static bool
about_run(struct w_conformance *check, const char *tool, const char *id,
    const char *rest, yyjson_val **out_structured)
{
	char arguments[ARGUMENTS_MAX];

	(void)snprintf(
	    arguments, sizeof(arguments), "{\"run_id\":\"%s\"%s}", id, rest);
	return w_conformance_call_tool(check, tool, arguments, out_structured);
}

/* Whether cat echoes its input and exits when the input is closed. */
void
w_conformance_test_input(struct w_conformance *check)
{
	yyjson_val *result = NULL;
	char id[40];

	if (!w_conformance_call_tool(check, "exec",
		"{\"argv\":[\"cat\"],\"stdin_open\":true,\"yield_ms\":0}",
		&result))
		return;
	(void)snprintf(
	    id, sizeof(id), "%s", w_conformance_text(result, "run_id"));
	if (!about_run(
		check, "run_input", id, ",\"text\":\"hello\\n\"", &result) ||
	    !about_run(check, "run_read", id, ",\"wait_ms\":5000", &result))
		return;
	if (strcmp(w_conformance_text(result, "data"), "hello\n") != 0) {
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "cat was given 'hello' and wrote '%.32s'",
		    w_conformance_text(result, "data"));
		return;
	}
	if (!about_run(check, "run_input", id, ",\"close\":true", &result) ||
	    !about_run(check, "run_read", id, ",\"cursor\":6,\"wait_ms\":5000",
		&result))
		return;
	w_conformance_end(check,
	    strcmp(w_conformance_text(result, "outcome"), "exited") == 0
		? W_CONFORMANCE_PASSED
		: W_CONFORMANCE_FAILED,
	    "cat wrote what it was given; then: %.32s",
	    w_conformance_text(result, "outcome"));
}

void
w_conformance_test_pty(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	if (!w_conformance_call_tool(
		check, "exec", "{\"argv\":[\"tty\"],\"pty\":true}", &result))
		return;
	const char *out = w_conformance_text(result, "stdout");

	w_conformance_end(check,
	    strncmp(out, "/dev/", strlen("/dev/")) == 0 ? W_CONFORMANCE_PASSED
							: W_CONFORMANCE_FAILED,
	    "tty says %.*s", (int)strcspn(out, "\r\n"), out);
}
