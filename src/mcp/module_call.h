/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_MODULE_CALL_H
#define W_MCP_MODULE_CALL_H

#include <yyjson.h>

#include "mcp/exchange.h"
#include "mcp/runs.h"

/* Calling a module: by the tool `module_call`, or as a tool of its own. */

/* Takes over the exchange. input is the module's own (NULL: none), options an
 * object with what is said about the run (NULL: nothing). */
void w_module_call(struct w_exchange *exchange, const char *id,
    yyjson_val *input, yyjson_val *options);

/* Of a tool that is a module. */
void w_module_tool_call(
    struct w_exchange *exchange, const char *id, yyjson_val *arguments);

/* module_answer.c: the answer of a run that is this call. */
void w_module_answer(
    struct w_exchange *exchange, struct w_mcp_run *run, const writ_call *call);

#endif /* W_MCP_MODULE_CALL_H */
