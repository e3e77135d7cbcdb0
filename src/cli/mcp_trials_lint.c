/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The trial of the tools themselves: whether the providers of models take their
 * names and schemas, and which modules are none for that.
 */

#include <stdio.h>

#include "base/error.h"
#include "cli/mcp_check.h"
#include "mcp/catalogue.h"

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
w_mcp_trial_lint(struct w_mcp_check *check)
{
	struct faults faults = {.count = 0};
	struct faults left_out = {.count = 0};
	struct w_mcp *server = NULL;
	writ_error err;

	if (w_mcp_new(&check->args->options, &server, &err) != WRIT_OK) {
		w_mcp_trial_fail(check, &check->talk, &err);
		return;
	}
	w_catalogue_lint(server, take_fault, &faults);
	w_catalogue_left_out(server, take_fault, &left_out);
	w_mcp_free(server);
	if (faults.count > 0)
		w_mcp_trial_end(check, W_MCP_TRIAL_FAILS,
		    "%zu fault%s; first: %s", faults.count,
		    faults.count == 1 ? "" : "s", faults.first);
	else if (left_out.count > 0)
		w_mcp_trial_end(check, W_MCP_TRIAL_WORKS,
		    "%zu module%s only by module_call; first: %s",
		    left_out.count, left_out.count == 1 ? "" : "s",
		    left_out.first);
	else
		w_mcp_trial_end(check, W_MCP_TRIAL_WORKS,
		    "names and schemas are what model providers take");
}
