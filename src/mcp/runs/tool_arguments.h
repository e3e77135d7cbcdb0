/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_ARGUMENTS_H
#define W_MCP_TOOL_ARGUMENTS_H

#include <yyjson.h>

#include <writ/draft.h>

#include "mcp/runs/run_table.h"

/*
 * The arguments common to all tools that run something: directory, environment,
 * time and output limits.
 */

/* Copies arguments that are keys of a request; keys ends with NULL. "command"
 * is a text for bash where there is one, else for sh. */
writ_status w_tool_arguments_request(yyjson_val *arguments,
    const char *const *keys, writ_draft *draft, writ_error *err);

/* "cwd" and "session"; *out_place (the session, NULL: none) is yours. */
writ_status w_tool_arguments_workdir(struct w_mcp *server,
    yyjson_val *arguments, writ_draft *draft, char **out_workdir,
    writ_error *err);

/* "pty", "rows", "columns"; fails if they conflict with "stdin" and
 * "stdin_open". */
writ_status w_tool_arguments_terminal(
    yyjson_val *arguments, writ_request *request, writ_error *err);

/* "yield_ms", "max_bytes", "stdin_open". */
void w_tool_arguments_plan(yyjson_val *arguments, struct w_mcp_run_plan *plan);

/* A numeric argument, or standard if absent. */
uint64_t w_tool_arguments_number(
    yyjson_val *arguments, const char *key, uint64_t standard);

#endif /* W_MCP_TOOL_ARGUMENTS_H */
