/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `run_input`: writes to a run's standard input, or resizes its
 * terminal. */

#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/tool.h"

static writ_status
check_open(const struct w_mcp_run *run, writ_error *err)
{
	if (run->result != NULL) {
		(void)w_fail(err, WRIT_E_INVALID, "run_input", 0,
		    "%s has ended: %s", run->id, w_mcp_run_outcome(run));
		w_suggest(err, "run_read has what it wrote");
		return WRIT_E_INVALID;
	}
	if (run->has_input)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "run_input", 0,
	    "the standard input of %s is not open", run->id);
	w_suggest(err, "start it with stdin_open or pty");
	return WRIT_E_INVALID;
}

static writ_status
write_text(struct w_mcp_run *run, yyjson_val *text, writ_error *err)
{
	writ_status status;

	if (text == NULL || yyjson_get_len(text) == 0)
		return WRIT_OK;
	status = writ_job_input(
	    run->job, yyjson_get_str(text), yyjson_get_len(text), err);
	if (status == WRIT_E_SYSTEM && err->sys_errno == EAGAIN)
		w_suggest(err, "it does not read: use run_read to see what it "
			       "does, and try "
			       "again");
	return status;
}

static writ_status
resize(struct w_mcp_run *run, yyjson_val *arguments, writ_error *err)
{
	const unsigned rows =
	    (unsigned)w_tool_arguments_number(arguments, "rows", run->rows);
	const unsigned columns = (unsigned)w_tool_arguments_number(
	    arguments, "columns", run->columns);

	if (rows == run->rows && columns == run->columns)
		return WRIT_OK;
	if (!run->is_pty)
		return w_fail(err, WRIT_E_INVALID, "run_input", 0,
		    "%s has no terminal that could have a size", run->id);
	run->rows = rows;
	run->columns = columns;
	writ_job_resize(run->job, rows, columns);
	return WRIT_OK;
}

static void
tool_run_input_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_mcp_run *run = w_mcp_run_argument(rpc_request, arguments);
	yyjson_val *text = yyjson_obj_get(arguments, "text");
	writ_error err = {0};
	char object[160];
	char answer[160];

	if (run == NULL)
		return;
	writ_status status = check_open(run, &err);
	if (status == WRIT_OK)
		status = resize(run, arguments, &err);
	if (status == WRIT_OK)
		status = write_text(run, text, &err);
	if (status != WRIT_OK) {
		w_tool_refuse(rpc_request, &err, NULL);
		return;
	}
	if (yyjson_is_true(yyjson_obj_get(arguments, "close"))) {
		writ_job_close_stdin(run->job);
		/* A terminal only gets an EOF character, and stays open. */
		run->has_input = run->is_pty;
	}
	const size_t bytes = yyjson_get_len(text);
	(void)snprintf(object, sizeof(object),
	    "{\"run_id\":\"%s\",\"bytes\":%zu,\"outcome\":\"%s\"}", run->id,
	    bytes, w_mcp_run_outcome(run));
	const int len =
	    snprintf(answer, sizeof(answer), "%zu bytes written to %s%s", bytes,
		run->id, run->has_input ? "" : ", whose input is closed now");
	w_tool_reply(rpc_request, answer, (size_t)len, object, false);
}

const struct w_tool w_tool_run_input = {
    .name = "run_input",
    .title = "Write input",
    .description =
	"Writes text to the stdin or terminal of a run; judged by the policy.",
    .input_schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"run_id\":{\"type\":\"string\"},"
	"\"text\":{\"type\":\"string\"},"
	"\"close\":{\"type\":\"boolean\",\"description\":\"end of input\"},"
	"\"rows\":{\"type\":\"integer\",\"maximum\":4096},"
	"\"columns\":{\"type\":\"integer\",\"maximum\":4096}},"
	"\"required\":[\"run_id\"],\"additionalProperties\":false}",
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = tool_run_input_call,
};
