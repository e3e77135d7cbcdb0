/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tool `run_kill`: the end of a run. It is answered when nothing of the
 * run is alive any more, with its result.
 */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/signal_name.h"
#include "mcp/run_arguments.h"
#include "mcp/runs_state.h"
#include "mcp/tool.h"

/* "TERM" or "SIGTERM"; 0: no signal. */
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
look(struct w_run_reader *reader)
{
	struct w_exchange *exchange = reader->exchange;
	struct w_mcp_run *run = reader->run;

	if (run->result == NULL)
		return;
	w_run_reader_free(reader);
	exchange->on_cancel = NULL;
	/* That it ended is what was asked for. */
	w_run_reply(exchange, run, false);
}

static void
end(struct w_mcp_run *run, int sig, uint64_t grace_ms)
{
	if (grace_ms == 0 || sig == SIGKILL) {
		w_run_kill(run);
		return;
	}
	if (run->force.place == 0)
		writ_job_cancel(run->job, sig);
	else
		writ_job_signal(run->job, sig);
	(void)w_mcp_timer_set(&run->server->timers, &run->force, grace_ms);
}

static void
call(struct w_exchange *exchange, yyjson_val *arguments)
{
	struct w_mcp_run *run = w_run_argument(exchange, arguments);
	const char *name = yyjson_get_str(yyjson_obj_get(arguments, "signal"));
	const int sig = find_signal(name);
	writ_error err = {0};

	if (run == NULL)
		return;
	if (sig == 0) {
		(void)w_fail(&err, WRIT_E_INVALID, "run_kill", 0,
		    "there is no signal '%.32s'", name);
		w_suggest(&err, "TERM, INT, HUP, QUIT or KILL");
		w_tool_refuse(exchange, &err, NULL);
		return;
	}
	if (run->result != NULL) {
		w_run_reply(exchange, run, false);
		return;
	}
	if (w_run_reader_new(run, exchange, look, WRIT_ZERO) == NULL) {
		(void)w_fail_nomem(&err, "run_kill");
		w_exchange_fail_with(exchange, &err);
		return;
	}
	end(run, sig,
	    w_run_arguments_number(
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
    .call = call,
};
