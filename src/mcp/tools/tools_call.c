/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tools/call: finds the tool, validates the arguments by its schema, and calls
 * it. Arguments that the schema does not know never reach a tool.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json_words.h"
#include "mcp/tools/module_tool_call.h"
#include "mcp/tools/tool_list_state.h"
#include "mcp/tools/tool_methods.h"

#define STAGE "arguments"

enum {
	SCHEMA_BYTES_MAX = 1 << 20,
	SCHEMA_DEPTH_MAX = 64,
};

/* ---- schemas of the core ---- */

static writ_status
tools_call_compile(
    struct w_tool_check *check, const struct w_tool *tool, writ_error *err)
{
	const struct w_json_limits limits = {
	    SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX};
	writ_status status = WRIT_OK;

	if (check->document == NULL)
		status = w_json_read(tool->input_schema,
		    strlen(tool->input_schema), &limits, &check->document, err);
	if (status != WRIT_OK)
		return status;
	return w_schema_compile(
	    w_json_root(check->document), NULL, &check->schema, NULL, err);
}

static writ_status
schema_of(struct w_mcp *server, const struct w_tool *tool,
    const struct w_schema **out_schema, writ_error *err)
{
	struct w_tool_list *tool_list = w_tool_list_get(server);
	const size_t fixed = w_tool_list_fixed(server);
	size_t place = 0;
	writ_status status = WRIT_OK;

	if (tool_list == NULL)
		return w_fail_nomem(err, STAGE);
	while (place < fixed && w_tool_list_core(server, place) != tool)
		place++;
	if (place == fixed)
		return w_fail(err, WRIT_E_INTERNAL, STAGE, 0,
		    "the tool '%s' has no place", tool->name);
	struct w_tool_check *check = &tool_list->checks[place];

	if (check->schema == NULL)
		status = tools_call_compile(check, tool, err);
	if (status == WRIT_OK)
		*out_schema = check->schema;
	return status;
}

/* ---- validation ---- */

static void
tools_call_refuse(
    struct w_rpc_request *rpc_request, const struct w_schema_report *report)
{
	writ_problem problems[W_SCHEMA_PROBLEMS_MAX];
	size_t count = 0;
	writ_error err = {0};

	for (; count < report->count && count < W_SCHEMA_PROBLEMS_MAX; count++)
		problems[count] = (writ_problem){
		    .instance = report->problems[count].instance,
		    .schema = report->problems[count].schema,
		    .message = report->problems[count].message,
		    .suggestion = report->problems[count].suggestion,
		};
	(void)w_tool_fail_input(&err, problems, count);
	w_tool_refuse_input(rpc_request, &err, problems, count);
}

bool
w_tool_check_input(struct w_rpc_request *rpc_request, const struct w_tool *tool,
    yyjson_val *arguments)
{
	W_AUTO_REPORT struct w_schema_report report = {NULL, 0, 0, 0};
	const struct w_schema *schema = NULL;
	bool is_valid = false;
	writ_error err;

	if (schema_of(rpc_request->server, tool, &schema, &err) != WRIT_OK) {
		w_rpc_request_fail_with(rpc_request, &err);
		return false;
	}
	/* Most are valid; then no list of problems is needed. */
	if (w_schema_check(schema, arguments, &is_valid, NULL, &err) ==
		WRIT_OK &&
	    is_valid)
		return true;
	if (w_schema_check(schema, arguments, &is_valid, &report, &err) !=
	    WRIT_OK)
		w_tool_refuse_input(rpc_request, &err, NULL, 0);
	else
		tools_call_refuse(rpc_request, &report);
	return false;
}

/* The arguments, {} if absent. NULL: the request was answered. */
static yyjson_val *
arguments_of(struct w_rpc_request *rpc_request)
{
	const struct w_json_limits limits = {8, 2};
	struct w_tool_list *tool_list = w_tool_list_get(rpc_request->server);
	yyjson_val *given = yyjson_obj_get(rpc_request->params, "arguments");
	writ_error err;

	if (yyjson_is_obj(given))
		return given;
	if (given != NULL) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "arguments: expected an object, got %s",
		    w_json_type_words(given));
		return NULL;
	}
	if (tool_list != NULL && tool_list->nothing == NULL)
		(void)w_json_read("{}", 2, &limits, &tool_list->nothing, &err);
	if (tool_list != NULL && tool_list->nothing != NULL)
		return w_json_root(tool_list->nothing);
	w_rpc_request_fail(
	    rpc_request, W_RPC_INTERNAL, NULL, "tools/call: no memory");
	return NULL;
}

static void
tools_call_fail_unknown(
    struct w_rpc_request *rpc_request, const char *name, const char *suggestion)
{
	W_AUTO_BUF struct w_buf data;

	w_buf_init(&data, 4096);
	w_buf_add_str(&data, "{\"suggestion\":");
	w_json_add_text(&data, suggestion);
	w_buf_add_char(&data, '}');
	if (suggestion[0] != '\0')
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS,
		    data.failed ? NULL : data.data,
		    "unknown tool '%.64s', did you mean '%s'?", name,
		    suggestion);
	else
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "unknown tool '%.64s'", name);
}

void
w_method_tools_call(struct w_rpc_request *rpc_request)
{
	yyjson_val *name = yyjson_obj_get(rpc_request->params, "name");
	char suggestion[64];

	if (!w_json_is_text(name)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    name == NULL ? "name: missing; it is the tool to call"
				 : "name: expected a text");
		return;
	}
	const struct w_tool *tool = w_tool_list_find(
	    rpc_request->server, yyjson_get_str(name), suggestion);
	if (tool == NULL) {
		tools_call_fail_unknown(
		    rpc_request, yyjson_get_str(name), suggestion);
		return;
	}
	yyjson_val *arguments = arguments_of(rpc_request);
	if (arguments == NULL ||
	    (!tool->checks_input &&
		!w_tool_check_input(rpc_request, tool, arguments)))
		return;
	rpc_request->keeps_object = tool->keeps_object;
	if (tool->module != NULL)
		w_mcp_module_call(rpc_request, tool->module, arguments, NULL);
	else
		tool->call(rpc_request, arguments);
}
