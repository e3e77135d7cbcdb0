/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tool `exec`: a text for a shell, or a list of words. Its arguments may
 * come in other spellings (tool_spelling.h); the schema says one.
 */

#include <stdlib.h>

#include "base/error.h"
#include "data/json_words.h"
#include "mcp/runs/run_table.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/tool.h"
#include "mcp/tools/tool_methods.h"
#include "mcp/tools/tool_spelling.h"

enum {
	DESCRIPTION_MAX = 300, /* as the engine has it */
};

/* Arguments that are keys of a request. */
static const char *const request_keys[] = {"command", "argv", "env", "stdin",
    "timeout_ms", "description", "sandbox", "network", "hosts", "write", NULL};

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
check_command(yyjson_val *arguments, writ_error *err)
{
	yyjson_val *text = yyjson_obj_get(arguments, "command");
	yyjson_val *why = yyjson_obj_get(arguments, "description");

	if (yyjson_get_len(why) > DESCRIPTION_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "'description' is longer than %d bytes", DESCRIPTION_MAX);
	if (text != NULL && !w_json_is_text(text))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "'command' is not text without a NUL byte");
	if (text != NULL || yyjson_obj_get(arguments, "argv") != NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "request", 0,
	    "there is nothing to run: 'command' is missing");
	w_suggest(err, "{\"command\": \"ls -la\"}");
	return WRIT_E_INVALID;
}

static writ_status
tool_exec_read_command(struct w_rpc_request *rpc_request, yyjson_val *arguments,
    struct tool_exec_command *command, writ_error *err)
{
	writ_status status = writ_draft_new(&command->draft, err);

	if (status == WRIT_OK)
		status = check_command(arguments, err);
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
tool_exec_run(struct w_rpc_request *rpc_request, yyjson_val *arguments)
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

static void
tool_exec_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_json *json = NULL;
	writ_error err = {0};

	if (w_tool_spelling_read(arguments, &json, &arguments, &err) != WRIT_OK)
		w_tool_refuse_input(rpc_request, &err, NULL, 0);
	else if (w_tool_check_input(rpc_request, &w_tool_exec, arguments))
		tool_exec_run(rpc_request, arguments);
	w_json_free(json);
}

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"command\":{\"type\":\"string\",\"description\":"
		"\"text for bash\"},"
	"\"argv\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
		"\"minItems\":1,\"description\":"
		"\"instead of command: program and arguments, taken "
		"literally\"},"
	"\"description\":{\"type\":\"string\",\"description\":"
		"\"why, in a few words: for the record and for who is "
		"asked\"},"
	"\"cwd\":{\"type\":\"string\"},"
	"\"timeout_ms\":{\"type\":\"integer\",\"minimum\":0,"
		"\"description\":\"then it is killed\"},"
	"\"yield_ms\":{\"type\":\"integer\",\"minimum\":0,"
		"\"maximum\":600000,\"description\":"
		"\"answer 'running' after this; default 20000; 0: in the "
		"background\"},"
	"\"env\":{\"type\":\"object\",\"additionalProperties\":"
		"{\"type\":\"string\"}},"
	"\"stdin\":{\"type\":\"string\",\"description\":"
		"\"all that it reads\"},"
	"\"stdin_open\":{\"type\":\"boolean\",\"description\":"
		"\"keep stdin open for run_input\"},"
	"\"max_bytes\":{\"type\":\"integer\",\"minimum\":0,"
		"\"maximum\":1048576,\"description\":"
		"\"of output answered; default 18432\"},"
	"\"pty\":{\"type\":\"boolean\"},"
	"\"rows\":{\"type\":\"integer\",\"maximum\":4096},"
	"\"columns\":{\"type\":\"integer\",\"maximum\":4096},"
	"\"session\":{\"type\":\"string\",\"description\":"
		"\"a name: cwd and env hold for its calls\"},"
	"\"sandbox\":{\"type\":\"string\",\"description\":"
		"\"another profile; a person may be asked\"},"
	"\"network\":{\"type\":\"string\",\"description\":"
		"\"off, loopback, hosts or host; likewise\"},"
	"\"hosts\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
		"\"description\":\"as api.example:443; likewise\"},"
	"\"write\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
		"\"description\":\"to write; likewise\"}},"
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
	"Runs a command in the sandbox and waits for it. Every command is "
	"judged by the policy and recorded. Answers with its output and, "
	"unless that is 0, 'exit code N'. 'running': continue with run_read, "
	"run_input, run_kill; pkill cannot reach another call's processes. "
	"'denied': do something else. 'approval_required': a person must "
	"approve first.",
    .input_schema = input_schema,
    .output_schema = output_schema,
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = tool_exec_call,
    .checks_input = true,
    .is_vital = true,
};
