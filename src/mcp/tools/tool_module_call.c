/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `module_call`: runs a module by its id. */

#include "mcp/tools/module_tool_call.h"
#include "mcp/tools/tool.h"
#include "mcp/tools/tool_methods.h"

static void
tool_module_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	const char *id;
	writ_error err = {0};

	if (w_tool_text(arguments, "id", &id, &err) != WRIT_OK)
		w_tool_refuse(rpc_request, &err, NULL);
	else
		w_mcp_module_call(rpc_request, id,
		    yyjson_obj_get(arguments, "arguments"), arguments);
}

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"id\":{\"type\":\"string\"},"
	"\"arguments\":{\"type\":\"object\",\"description\":"
		"\"as module_describe says\"},"
	"\"cwd\":{\"type\":\"string\"},"
	"\"env\":{\"type\":\"object\",\"additionalProperties\":"
		"{\"type\":\"string\"}},"
	"\"stdin\":{\"type\":\"string\"},"
	"\"timeout_ms\":{\"type\":\"integer\"},"
	"\"yield_ms\":{\"type\":\"integer\"},"
	"\"max_bytes\":{\"type\":\"integer\"},"
	"\"session\":{\"type\":\"string\"}},"
	"\"required\":[\"id\"],\"additionalProperties\":false}";
/* clang-format on */

/* No output schema: a module that makes an image returns no object. */
const struct w_tool w_tool_module_call = {
    .name = "module_call",
    .title = "Run a module",
    .description = "Runs a module: its arguments are checked, then it "
		   "runs like exec, with the same options and answer.",
    .input_schema = input_schema,
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = tool_module_call,
};
