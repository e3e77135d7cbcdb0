/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests of the tool list: whether model providers accept the names and schemas,
 * and which modules are not tools because they would not.
 */

#include <stdio.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"
#include "mcp/tools/tool_list.h"

struct faults {
	size_t count;
	char first[200];
};

static void
take_fault(void *ctx, const char *tool, const char *fault)
{
	struct faults *faults = ctx;

	if (faults->count++ == 0)
		(void)snprintf(faults->first, sizeof(faults->first), "%s: %s",
		    tool, fault);
}

void
w_conformance_test_lint(struct w_conformance *check)
{
	struct faults faults = {.count = 0};
	struct faults left_out = {.count = 0};
	struct w_mcp *server = NULL;
	writ_error err;

	if (w_mcp_new(&check->args->options, &server, &err) != WRIT_OK) {
		w_conformance_fail(check, &check->client, &err);
		return;
	}
	w_tool_list_lint(server, take_fault, &faults);
	w_tool_list_left_out(server, take_fault, &left_out);
	w_mcp_free(server);
	if (faults.count > 0)
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "%zu fault%s; first: %s", faults.count,
		    faults.count == 1 ? "" : "s", faults.first);
	else if (left_out.count > 0)
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "%zu module%s only by module_call; first: %s",
		    left_out.count, left_out.count == 1 ? "" : "s",
		    left_out.first);
	else
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "names and schemas are what model providers take");
}
