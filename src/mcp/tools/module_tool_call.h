/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_MODULE_TOOL_CALL_H
#define W_MCP_MODULE_TOOL_CALL_H

#include <yyjson.h>

#include "mcp/protocol/rpc_request.h"
#include "mcp/runs/run_table.h"

/* Calls a module: through the tool `module_call`, or as a tool of its own. */

/* Takes over the request. input is the module's own (NULL: none), options an
 * object with options of the run (NULL: none). */
void w_mcp_module_call(struct w_rpc_request *rpc_request, const char *id,
    yyjson_val *input, yyjson_val *options);

/* module_tool_answer.c: answers with the run of a call. */
void w_mcp_module_answer(struct w_rpc_request *rpc_request,
    struct w_mcp_run *run, const writ_call *call);

#endif /* W_MCP_MODULE_TOOL_CALL_H */
