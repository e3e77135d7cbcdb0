/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tool `run_kill`: ends a run. It replies with the result once no process
 * of the run is left.
 */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/signal_name.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/tool.h"

/* "TERM" or "SIGTERM"; 0: unknown. */
static int
find_signal(const char *name)
{
	char full[W_SIGNAL_NAME_MAX];

	if (name == NULL)
		return SIGTERM;
	(void)snprintf(full, sizeof(full), "%s%s",
	    strncmp(name, "SIG", 3) == 0 ? "" : "SIG", name);
	return w_signal_find(full);
}

static void
tool_run_kill_check(struct w_mcp_run_reader *reader)
{
	struct w_rpc_request *rpc_request = reader->rpc_request;
	struct w_mcp_run *run = reader->run;

	if (run->result == NULL)
		return;
	w_mcp_run_reader_free(reader);
	rpc_request->on_cancel = NULL;
	/* Not an error: the end is what the caller wanted. */
	w_mcp_run_reply(rpc_request, run, false);
}

static void
tool_run_kill_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_mcp_run *run = w_mcp_run_argument(rpc_request, arguments);
	const char *name = yyjson_get_str(yyjson_obj_get(arguments, "signal"));
	const int sig = find_signal(name);
	writ_error err = {0};

	if (run == NULL)
		return;
	if (sig == 0) {
		(void)w_fail(&err, WRIT_E_INVALID, "run_kill", 0,
		    "there is no signal '%.32s'", name);
		w_suggest(&err, "TERM, INT, HUP, QUIT or KILL");
		w_tool_refuse(rpc_request, &err, NULL);
		return;
	}
	if (run->result != NULL) {
		w_mcp_run_reply(rpc_request, run, false);
		return;
	}
	if (w_mcp_run_reader_new(
		run, rpc_request, tool_run_kill_check, WRIT_ZERO) == NULL) {
		(void)w_fail_nomem(&err, "run_kill");
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	w_mcp_run_end(run, sig,
	    w_tool_arguments_number(
		arguments, "grace_ms", WRIT_DEFAULT_GRACE_MS));
}

const struct w_tool w_tool_run_kill = {
    .name = "run_kill",
    .title = "End a run",
    .description = "Ends a run with all its processes; answers when they are "
		   "gone.",
    .input_schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"run_id\":{\"type\":\"string\"},"
	"\"signal\":{\"type\":\"string\",\"description\":\"default TERM\"},"
	"\"grace_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":5000,"
	"\"description\":\"then KILL\"}},"
	"\"required\":[\"run_id\"],\"additionalProperties\":false}",
    .hints = W_TOOL_DESTRUCTIVE,
    .call = tool_run_kill_call,
};
