/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_METHODS_H
#define W_MCP_TOOL_METHODS_H

#include <writ/module.h>

#include "mcp/protocol/rpc_request.h"

/* The methods for tools, prompts and completion; see w_methods[]. */
void w_method_tools_list(struct w_rpc_request *rpc_request);
void w_method_tools_call(struct w_rpc_request *rpc_request);
void w_method_prompts_list(struct w_rpc_request *rpc_request);
void w_method_prompts_get(struct w_rpc_request *rpc_request);
void w_method_completion_complete(struct w_rpc_request *rpc_request);

/*
 * Replies that the arguments of a tool do not match its schema: with a result
 * that the model can learn from or, in versions that require it, an error. err
 * is the first problem, or the only one (count 0).
 */
void w_tool_refuse_input(struct w_rpc_request *rpc_request,
    const writ_error *err, const writ_problem *problems, size_t count);

/* Validates arguments by the schema of the tool. false: the request was
 * answered. */
struct w_tool;
bool w_tool_check_input(struct w_rpc_request *rpc_request,
    const struct w_tool *tool, yyjson_val *arguments);

/* Fills err from the first problem. */
writ_status w_tool_fail_input(
    writ_error *err, const writ_problem *problems, size_t count);

/* A string argument; fails if it contains NUL. */
writ_status w_tool_text(yyjson_val *arguments, const char *key,
    const char **out_text, writ_error *err);

#endif /* W_MCP_TOOL_METHODS_H */
