/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `exec`: a command as a list of words. */

#include <stdlib.h>

#include "base/error.h"
#include "mcp/runs/run_table.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/tool.h"

/* Arguments that are keys of a request. */
static const char *const request_keys[] = {"argv", "shell", "env", "stdin",
    "timeout_ms", "sandbox", "network", "write", NULL};

/* A call until it was answered. */
struct tool_exec_command {
	writ_draft *draft;
	char *workdir;
};

static void
free_command(void *ctx)
{
	struct tool_exec_command *command = ctx;

	writ_draft_free(command->draft);
	free(command->workdir);
	free(command);
}

static const struct w_mcp_run_start start = {
    .answer = w_mcp_run_answer,
    .refuse = w_tool_refuse,
    .free = free_command,
};

static writ_status
tool_exec_read_command(struct w_rpc_request *rpc_request, yyjson_val *arguments,
    struct tool_exec_command *command, writ_error *err)
{
	writ_status status = writ_draft_new(&command->draft, err);

	if (status == WRIT_OK)
		status = w_tool_arguments_request(
		    arguments, request_keys, command->draft, err);
	if (status == WRIT_OK)
		status = w_tool_arguments_workdir(rpc_request->server,
		    arguments, command->draft, &command->workdir, err);
	if (status == WRIT_OK)
		status = w_tool_arguments_terminal(
		    arguments, writ_draft_request(command->draft), err);
	return status;
}

/* Arguments that make no valid request are recorded too. */
static void
tool_exec_refuse(struct w_rpc_request *rpc_request,
    struct tool_exec_command *command, const writ_error *err)
{
	if (command->draft != NULL) {
		writ_request *request = writ_draft_request(command->draft);

		request->agent = rpc_request->server->options.agent;
		writ_refuse(rpc_request->server->engine, request, err);
	}
	free_command(command);
	w_tool_refuse(rpc_request, err, NULL);
}

static void
tool_exec_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct tool_exec_command *command = calloc(1, sizeof(*command));
	writ_error err = {0};

	if (command == NULL) {
		(void)w_fail_nomem(&err, "exec");
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	if (tool_exec_read_command(rpc_request, arguments, command, &err) !=
	    WRIT_OK) {
		tool_exec_refuse(rpc_request, command, &err);
		return;
	}
	struct w_mcp_run_plan plan = {
	    .start = &start,
	    .request = writ_draft_request(command->draft),
	    .ctx = command,
	    .workdir = command->workdir,
	};
	w_tool_arguments_plan(arguments, &plan);
	w_mcp_run_begin(rpc_request, &plan);
}

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"argv\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
		"\"minItems\":1,\"description\":"
		"\"program and arguments, taken literally\"},"
	"\"shell\":{\"type\":\"string\",\"description\":"
		"\"instead of argv: a text for sh, where allowed\"},"
	"\"cwd\":{\"type\":\"string\",\"description\":"
		"\"default: the session's or the server's\"},"
	"\"env\":{\"type\":\"object\",\"additionalProperties\":"
		"{\"type\":\"string\"}},"
	"\"stdin\":{\"type\":\"string\",\"description\":"
		"\"all that it reads\"},"
	"\"stdin_open\":{\"type\":\"boolean\",\"description\":"
		"\"keep stdin open for run_input\"},"
	"\"timeout_ms\":{\"type\":\"integer\",\"minimum\":0,"
		"\"description\":\"then it is killed\"},"
	"\"yield_ms\":{\"type\":\"integer\",\"minimum\":0,"
		"\"maximum\":600000,\"description\":"
		"\"answer 'running' after this; default 20000\"},"
	"\"max_bytes\":{\"type\":\"integer\",\"minimum\":0,"
		"\"maximum\":1048576,\"description\":"
		"\"of output in the answer; default 24576\"},"
	"\"pty\":{\"type\":\"boolean\",\"description\":"
		"\"run in a terminal\"},"
	"\"rows\":{\"type\":\"integer\",\"maximum\":4096},"
	"\"columns\":{\"type\":\"integer\",\"maximum\":4096},"
	"\"session\":{\"type\":\"string\",\"description\":"
		"\"a name: cwd and env hold for later calls with it\"},"
	"\"sandbox\":{\"type\":\"string\",\"description\":"
		"\"other profile than the policy's; judged\"},"
	"\"network\":{\"type\":\"string\",\"description\":"
		"\"off, loopback or host\"},"
	"\"write\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
		"\"description\":\"more paths to write; judged\"}},"
	"\"additionalProperties\":false}";

static const char output_schema[] = W_TOOL_ANSWER("exec",
	"\"run_id\":{\"type\":\"string\"},"
	"\"outcome\":{\"type\":\"string\"},"
	"\"exit_code\":{\"type\":\"integer\"},"
	"\"stdout\":{},\"stderr\":{},"
	"\"cursor\":{},\"error\":{}");
/* clang-format on */

const struct w_tool w_tool_exec = {
    .name = "exec",
    .title = "Run a command",
    .description =
	"Runs a command in the policy's sandbox and limits and waits "
	"for it. outcome running: continue with run_read, run_input, "
	"run_kill. denied: do something else. approval_required: a "
	"person must approve first.",
    .input_schema = input_schema,
    .output_schema = output_schema,
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = tool_exec_call,
};
