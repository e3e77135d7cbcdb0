/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_LIST_H
#define W_MCP_TOOL_LIST_H

#include <writ/module.h>

#include "mcp/server.h"
#include "mcp/tools/tool.h"

/*
 * The tools of the server: the core in a fixed order, then modules by name.
 * Built on first use, and kept until modules or policy change.
 */

/* The modules of this server, loaded on first use. */
writ_status w_tool_list_modules(
    struct w_mcp *server, writ_modules **out_modules, writ_error *err);

/* NULL: no tool of that name; suggestion is the nearest, or "". */
const struct w_tool *w_tool_list_find(
    struct w_mcp *server, const char *name, char suggestion[64]);

/* Rebuilds it. true: the answer of tools/list has changed. */
bool w_tool_list_refresh(struct w_mcp *server);
void w_tool_list_free(struct w_mcp *server);

/* Modules that are not tools although the options say so, each with the reason:
 * model providers would reject it, or there are too many. They can still be
 * called by module_call. */
typedef void (*w_left_out_fn)(void *ctx, const char *id, const char *reason);
void w_tool_list_left_out(struct w_mcp *server, w_left_out_fn each, void *ctx);

/* Checks all tools against the limits of model providers: name, schema, size.
 * Calls fault for each problem; for tests and `writ mcp check`. false: no
 * memory. */
typedef void (*w_tool_fault_fn)(void *ctx, const char *tool, const char *fault);
bool w_tool_lint(const struct w_tool *tool, w_tool_fault_fn fault, void *ctx);
void w_tool_list_lint(struct w_mcp *server, w_tool_fault_fn fault, void *ctx);

#endif /* W_MCP_TOOL_LIST_H */
