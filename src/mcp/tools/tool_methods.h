/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_METHODS_H
#define W_MCP_TOOL_METHODS_H

#include <writ/module.h>

#include "mcp/protocol/rpc_request.h"

/* The methods that are about tools, prompts and completion; see w_methods[]. */
void w_method_tools_list(struct w_rpc_request *rpc_request);
void w_method_tools_call(struct w_rpc_request *rpc_request);
void w_method_prompts_list(struct w_rpc_request *rpc_request);
void w_method_prompts_get(struct w_rpc_request *rpc_request);
void w_method_completion_complete(struct w_rpc_request *rpc_request);

/*
 * Answers that the arguments of a tool are not as its schema says: by a result
 * that the model can learn from, or, in versions which want that, by an error.
 * err has the first of the problems, or is all that there is (count 0).
 */
void w_tool_refuse_input(struct w_rpc_request *rpc_request,
    const writ_error *err, const writ_problem *problems, size_t count);

/* Fills an error by the first of some problems. */
writ_status w_tool_fail_input(
    writ_error *err, const writ_problem *problems, size_t count);

/* A text among the arguments, which has no NUL. */
writ_status w_tool_text(yyjson_val *arguments, const char *key,
    const char **out_text, writ_error *err);

#endif /* W_MCP_TOOL_METHODS_H */
