/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A connection of a run waits until a person has said whether it may reach its
 * host. The call that started the run waits as long.
 */

#include <stdio.h>

#include "mcp/approval/approver.h"
#include "mcp/runs/run_table_state.h"

/* A run of this job's client that a request waits for: the runs of a client
 * share one network. NULL: there is none. */
static struct w_mcp_run *
awaited_run(const struct w_mcp *server, const writ_job *job)
{
	struct w_mcp_run *const first =
	    server->runs == NULL ? NULL : server->runs->running.first;
	struct w_mcp_run *own = first;
	struct w_mcp_run *run = first;

	while (own != NULL && own->job != job)
		own = own->next;
	if (own == NULL || own->rpc_request != NULL)
		return own;
	while (run != NULL &&
	       (run->connection != own->connection || run->rpc_request == NULL))
		run = run->next;
	return run;
}

static void
host_answered(
    void *ctx, const char *id, const writ_error *error, const char *details)
{
	struct w_mcp_run *run = ctx;

	(void)id;
	(void)error;
	(void)details;
	run->host_wait = NULL;
	w_mcp_run_set_yield(run);
}

bool
w_mcp_run_on_connection(
    void *ctx, writ_job *job, writ_connection_question *question)
{
	char words[sizeof(((struct w_mcp_run *)0)->waits_for) + 32];
	struct w_mcp *server = ctx;
	struct w_mcp_run *run = job == NULL ? NULL : awaited_run(server, job);

	if (run == NULL)
		return w_approver_is_attended(server);
	if (question->id == NULL)
		return w_approver_can_ask(run->rpc_request);
	/* The engine may know of an answer sooner. */
	w_approver_leave(run->host_wait);
	run->host_wait = NULL;
	(void)snprintf(
	    run->waits_for, sizeof(run->waits_for), "%s", question->host);
	w_mcp_timer_stop(&run->server->timers, &run->yield);
	run->host_wait = w_approver_ask_running(
	    run->rpc_request, question->id, host_answered, run);
	w_rpc_request_log(run->rpc_request, W_MCP_LEVEL_NOTICE,
	    "a connection to %s waits for approval %s", question->host,
	    question->id);
	if (run->host_wait == NULL)
		return false;
	(void)snprintf(
	    words, sizeof(words), "a person is asked about %s", run->waits_for);
	w_rpc_request_progress(run->rpc_request, words);
	return true;
}
