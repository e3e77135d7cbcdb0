/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ATTACH_RUNS_H
#define W_CLI_ATTACH_RUNS_H

#include <writ/config.h>

#include "mcp/server.h"

/*
 * Lets people attach to the runs with a terminal that an MCP server has
 * started: one attach_server.h for each.
 */
enum {
	W_ATTACH_RUNS_MAX = 16 /* that can be attached to at once */
};

struct w_attach_runs;

/* config: borrowed. NULL: no memory; then nobody can attach. */
struct w_attach_runs *w_attach_runs_new(const writ_config *config);
void w_attach_runs_free(struct w_attach_runs *runs);

/* What a server calls; valid as long as runs. */
const struct w_mcp_terminals *w_attach_runs_terminals(
    const struct w_attach_runs *runs);

#endif /* W_CLI_ATTACH_RUNS_H */
