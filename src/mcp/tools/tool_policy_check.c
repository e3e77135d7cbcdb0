/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `policy_check`: what the policy would decide about a command.
 * Nothing is run, asked or recorded. */

#include "base/auto.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/policy_answer.h"
#include "mcp/tools/tool.h"
#include "mcp/tools/tool_methods.h"
#include "mcp/tools/tool_spelling.h"

#define ANSWER_MAX ((size_t)4 << 20)

static const char *const request_keys[] = {
    "command", "argv", "env", "sandbox", "network", NULL};

static writ_status
tool_policy_check(struct w_mcp *server, yyjson_val *arguments,
    writ_draft *draft, struct w_buf *json, struct w_buf *text, writ_error *err)
{
	W_AUTO_FREE char *session = NULL;
	writ_status status =
	    w_tool_arguments_request(arguments, request_keys, draft, err);

	if (status == WRIT_OK)
		status = w_tool_arguments_workdir(
		    server, arguments, draft, &session, err);
	return status == WRIT_OK
		   ? w_mcp_policy_add_answer(
			 server, writ_draft_request(draft), json, text, err)
		   : status;
}

static void
policy_check_answer(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	writ_draft *draft = NULL;
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf text;
	writ_error err = {0};

	w_buf_init(&json, ANSWER_MAX);
	w_buf_init(&text, ANSWER_MAX);
	writ_status status = writ_draft_new(&draft, &err);
	if (status == WRIT_OK)
		status = tool_policy_check(
		    rpc_request->server, arguments, draft, &json, &text, &err);
	if (status == WRIT_OK)
		w_tool_reply(
		    rpc_request, text.data, text.len, json.data, false);
	else
		w_tool_refuse(rpc_request, &err, NULL);
	writ_draft_free(draft);
}

static void
tool_policy_check_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_json *json = NULL;
	writ_error err = {0};

	if (w_tool_spelling_read(arguments, &json, &arguments, &err) != WRIT_OK)
		w_tool_refuse_input(rpc_request, &err, NULL, 0);
	else if (w_tool_check_input(
		     rpc_request, &w_tool_policy_check, arguments))
		policy_check_answer(rpc_request, arguments);
	w_json_free(json);
}

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"command\":{\"type\":\"string\"},"
	"\"argv\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	"\"cwd\":{\"type\":\"string\"},"
	"\"env\":{\"type\":\"object\",\"additionalProperties\":"
		"{\"type\":\"string\"}},"
	"\"sandbox\":{\"type\":\"string\"},"
	"\"network\":{\"type\":\"string\"}},"
	"\"additionalProperties\":false}";
/* clang-format on */

const struct w_tool w_tool_policy_check = {
    .name = "policy_check",
    .title = "Ask the policy",
    .description = "What would happen to a command: allow, ask a person, or "
		   "deny, and what is allowed instead. Runs nothing.",
    .input_schema = input_schema,
    .output_schema =
	W_TOOL_ANSWER("policy_check", "\"decision\":{\"type\":\"string\"}"),
    .hints = W_TOOL_READ_ONLY,
    .call = tool_policy_check_call,
    .checks_input = true,
};
