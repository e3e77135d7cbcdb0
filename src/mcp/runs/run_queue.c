/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts runs: waiting for a free slot, what the server adds to the request,
 * approval, start.
 *
 * A run waits while W_MCP_MAX_RUNS others are running. As long as some of those
 * end, it keeps waiting; when none has ended for as long as its caller would
 * wait for a run, it is refused.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/encode.h"
#include "base/error.h"
#include "base/words.h"
#include "mcp/approval/approver.h"
#include "mcp/resources/notifier.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/runs/workdirs.h"

enum {
	LABEL_MAX = 160,
	TRACE_MAX = 128,
	STALL_MIN_MS = 1000,
	WHOLE_MAX = 4 << 20, /* of a decision object */
	MS_PER_S = 1000,
	NS_PER_MS = 1000000,
};

/* ---- refusals ---- */

static void
run_queue_refuse(
    struct w_mcp_run *run, const writ_error *error, const char *details)
{
	struct w_rpc_request *rpc_request = run->rpc_request;
	const struct w_mcp_run_start *start = run->start;

	w_mcp_run_detach(run);
	if (start->refuse_run != NULL)
		start->refuse_run(rpc_request, run->ctx, error, details);
	else
		start->refuse(rpc_request, error, details);
	w_mcp_run_free(run);
}

/* ---- approval ---- */

static void
set_stall(struct w_mcp_run *run)
{
	const uint64_t after =
	    run->yield_ms < STALL_MIN_MS ? STALL_MIN_MS : run->yield_ms;

	run->started_before = run->server->runs->started;
	(void)w_mcp_timer_set(&run->server->timers, &run->yield, after);
}

static void
approved(
    void *ctx, const char *id, const writ_error *error, const char *details)
{
	struct w_mcp_run *run = ctx;
	struct w_mcp_runs *runs = run->server->runs;

	run->approval_wait = NULL;
	if (id == NULL) {
		run_queue_refuse(run, error, details);
		return;
	}
	(void)snprintf(run->approval, sizeof(run->approval), "%s", id);
	w_mcp_run_move(run, &runs->waiting);
	set_stall(run);
	w_mcp_runs_start_waiting(run->server);
}

static void
run_queue_ask_approval(struct w_mcp_run *run, const writ_error *refusal)
{
	const size_t asked = run->server->runs->asked.count;
	writ_error err = {0};

	if (asked >= W_MCP_MAX_ASKED) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "queue", 0,
		    "too many calls wait for an answer: a person is asked "
		    "about %zu already",
		    asked);
		w_suggest(&err, "wait for answers before calling again");
		run_queue_refuse(run, &err, NULL);
		return;
	}
	w_mcp_run_move(run, &run->server->runs->asked);
	run->approval_wait = w_approver_ask(
	    run->rpc_request, run->request, refusal, approved, run);
	if (run->approval_wait != NULL)
		return;
	run->rpc_request = NULL;
	w_mcp_run_free(run);
}

/* ---- start ---- */

static void
started(struct w_mcp_run *run)
{
	struct w_mcp_runs *runs = run->server->runs;
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	runs->started++;
	(void)snprintf(run->id, sizeof(run->id), "%s", writ_job_id(run->job));
	run->begun_ms =
	    (uint64_t)now.tv_sec * MS_PER_S + (uint64_t)now.tv_nsec / NS_PER_MS;
	run->begun_ns = w_mcp_now_ns();
	w_mcp_run_move(run, &runs->running);
	if (run->workdir != NULL)
		w_workdir_save(run->server, run->workdir, run->request);
	w_mcp_run_watch(run);
	w_notifier_check_runs(run->server);
}

/* false: the call had an invalid requestState, and was answered so. */
static bool
find_approval(struct w_mcp_run *run)
{
	struct w_rpc_request *rpc_request = run->rpc_request;
	bool is_fault = false;

	if (run->approval[0] == '\0') {
		const char *id = w_approver_id_of_call(rpc_request, &is_fault);

		(void)snprintf(run->approval, sizeof(run->approval), "%s",
		    id == NULL ? "" : id);
	}
	if (!is_fault) {
		run->request->approval =
		    run->approval[0] == '\0' ? NULL : run->approval;
		return true;
	}
	w_mcp_run_detach(run);
	w_mcp_run_free(run);
	w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
	    "requestState is not that of this call, or was used before");
	return false;
}

/* The runs of a connection share one session, which is opened by the first. On
 * a machine that cannot build its walls, each run says what is missing. */
static writ_status
join_session(struct w_mcp_run *run, writ_error *err)
{
	struct w_connection *connection = run->connection;
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_status status = WRIT_OK;

	options.agent = run->server->options.agent;
	options.publish = run->server->options.publish;
	options.connect = run->server->options.connect;
	if (connection->session == NULL && !connection->has_no_session)
		status = writ_session_open(
		    run->server->engine, &options, &connection->session, err);
	if (status == WRIT_E_SANDBOX) {
		connection->has_no_session = true;
		status = WRIT_OK;
	}
	run->request->in_session = connection->session;
	run->request->background = !run->waits && connection->session != NULL
				       ? WRIT_BACKGROUND_WAIT
				       : WRIT_BACKGROUND_KILL;
	return status;
}

static writ_status
start_afresh(struct w_mcp_run *run, writ_status status, writ_error *err)
{
	w_mcp_run_forget(run);
	return status != WRIT_OK ? status
				 : writ_start(run->server->engine, run->request,
				       w_mcp_run_on_done, run, &run->job, err);
}

static void
run_queue_try_start(struct w_mcp_run *run)
{
	writ_error err = {0};

	if (!find_approval(run))
		return;
	writ_status status = join_session(run, &err);
	if (status == WRIT_OK && w_mcp_run_recall(run))
		status = writ_start(run->server->engine, run->request,
		    w_mcp_run_on_done, run, &run->job, &err);
	else
		status = start_afresh(run, status, &err);
	/* What needs a question, or cannot start there, starts where the server
	 * did. */
	if (run->cwd != NULL &&
	    (status == WRIT_E_APPROVAL || status == WRIT_E_INVALID ||
		status == WRIT_E_SANDBOX)) {
		run->has_lost_cwd = status != WRIT_E_APPROVAL;
		status = start_afresh(run, WRIT_OK, &err);
	}
	run->approval[0] = '\0';
	run->request->approval = NULL;
	if (status == WRIT_OK) {
		started(run);
		return;
	}
	if (status == WRIT_E_APPROVAL) {
		run_queue_ask_approval(run, &err);
		return;
	}
	/* A policy denial includes the decision object. */
	const char *decision = writ_engine_decision(run->server->engine);
	W_AUTO_BUF struct w_buf details;
	w_buf_init(&details, WHOLE_MAX);
	if (status == WRIT_E_DENIED && decision != NULL)
		w_buf_add_fmt(&details, "{\"decision\":%s}", decision);
	run_queue_refuse(run, &err, details.len == 0 ? NULL : details.data);
}

void
w_mcp_runs_start_waiting(struct w_mcp *server)
{
	struct w_mcp_runs *runs = server->runs;
	const size_t max = server->options.max_runs == 0
			       ? W_MCP_MAX_RUNS
			       : server->options.max_runs;

	while (!server->is_closing && runs->waiting.first != NULL &&
	       runs->running.count < max) {
		struct w_mcp_run *run = runs->waiting.first;

		w_mcp_timer_stop(&server->timers, &run->yield);
		run_queue_try_start(run);
	}
}

/* ---- waiting ---- */

static void
stalled(void *ctx)
{
	struct w_mcp_run *run = ctx;
	const struct w_mcp_runs *runs = run->server->runs;
	writ_error err = {0};

	if (run->started_before != runs->started) {
		w_rpc_request_progress(
		    run->rpc_request, "waiting for its turn");
		set_stall(run);
		return;
	}
	(void)w_fail(&err, WRIT_E_SYSTEM, "queue", 0,
	    "%zu runs are in progress and none has ended", runs->running.count);
	w_suggest(&err, "see run_list, and end one with run_kill");
	run_queue_refuse(run, &err, NULL);
}

static void
enqueue(struct w_mcp_run *run)
{
	struct w_mcp_runs *runs = run->server->runs;
	writ_error err = {0};

	if (runs->waiting.count >= W_MCP_MAX_WAITING) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "queue", 0,
		    "%zu calls wait for their turn already",
		    runs->waiting.count);
		w_suggest(&err, "wait for answers before calling again");
		run_queue_refuse(run, &err, NULL);
		return;
	}
	run->yield = (struct w_mcp_timer){.fire = stalled, .ctx = run};
	w_mcp_run_move(run, &runs->waiting);
	set_stall(run);
	w_mcp_runs_start_waiting(run->server);
}

static void
refuse_waiting(struct w_connection *connection)
{
	struct w_mcp_run *next;
	writ_error err = {0};

	(void)w_fail(&err, WRIT_E_SYSTEM, "queue", 0,
	    "the input has ended before its turn came");
	for (struct w_mcp_run *run = connection->server->runs->waiting.first;
	     run != NULL; run = next) {
		next = run->next;
		if (run->connection == connection)
			run_queue_refuse(run, &err, NULL);
	}
}

void
w_mcp_runs_kill(struct w_connection *connection)
{
	const struct w_mcp_runs *runs = connection->server->runs;

	if (runs == NULL)
		return;
	/* First: an end would start the next one. */
	refuse_waiting(connection);
	for (struct w_mcp_run *run = runs->running.first; run != NULL;
	     run = run->next) {
		if (run->connection == connection)
			w_mcp_run_kill(run);
	}
}

static void
cancelled(struct w_rpc_request *rpc_request)
{
	struct w_mcp_run *run = rpc_request->state;

	run->rpc_request = NULL;
	if (run->job != NULL)
		w_mcp_run_kill(run);
	else
		w_mcp_run_free(run);
}

/* ---- plan ---- */

/* The run's name: one line, cut. */
static char *
make_label(const writ_request *request)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, WHOLE_MAX);
	for (size_t i = 0; request->argv != NULL && request->argv[i] != NULL &&
			   text.len <= LABEL_MAX;
	     i++) {
		char word[LABEL_MAX + 2];

		if (i > 0)
			w_buf_add_char(&text, ' ');
		(void)snprintf(word, sizeof(word), "%s", request->argv[i]);
		w_words_quote(&text, word);
	}
	if (request->argv == NULL && request->shell != NULL)
		w_buf_add(&text, request->shell,
		    strnlen(request->shell, LABEL_MAX + 1));
	for (size_t i = 0; i < text.len; i++) {
		if ((unsigned char)text.data[i] < ' ' || text.data[i] == 0x7f)
			text.data[i] = ' ';
	}
	if (text.len > LABEL_MAX) {
		text.len = w_utf8_trim_end(text.data, LABEL_MAX);
		w_buf_add_str(&text, "...");
	}
	return w_buf_take(&text, NULL);
}

static bool
is_trace(const char *trace)
{
	const size_t len = trace == NULL ? 0 : strnlen(trace, TRACE_MAX + 1);

	for (size_t i = 0; i < len; i++) {
		if (trace[i] < ' ' || trace[i] > '~')
			return false;
	}
	return len > 0 && len <= TRACE_MAX;
}

static void
complete_request(struct w_mcp_run *run)
{
	const struct w_mcp *server = run->server;
	writ_request *request = run->request;

	request->agent = server->options.agent;
	request->session = server->session;
	request->trace_id =
	    is_trace(run->rpc_request->trace) ? run->rpc_request->trace : NULL;
	if (request->cwd == NULL)
		request->cwd = server->cwd;
	/* A caller that parses the output needs more of it than is shown. */
	if (request->output_limit == 0)
		request->output_limit =
		    run->output == 0 ? WRIT_ZERO : run->output;
	request->on_output = w_mcp_run_on_output;
	request->output_ctx = run;
	if (run->has_input)
		request->stdin_kind = WRIT_STDIN_PIPE;
}

/* 0: the default; WRIT_ZERO: really zero. */
static uint64_t
run_queue_choose(
    uint64_t wanted, uint64_t option, uint64_t standard, uint64_t max)
{
	if (wanted == WRIT_ZERO)
		return 0;
	if (wanted == 0)
		wanted = option == 0 ? standard : option;
	return wanted > max ? max : wanted;
}

static void
copy_plan(struct w_mcp_run *run, const struct w_mcp_run_plan *plan)
{
	const struct w_mcp_options *options = &run->server->options;

	run->start = plan->start;
	run->ctx = plan->ctx;
	run->request = plan->request;
	run->workdir = plan->workdir;
	run->yield_ms = run_queue_choose(plan->yield_ms, options->yield_ms,
	    W_MCP_YIELD_MS, W_MCP_YIELD_MAX_MS);
	run->output = run_queue_choose(
	    plan->output, options->output, W_MCP_OUTPUT, W_MCP_OUTPUT_MAX);
	/* Who does not want to wait for the end at all expects none. */
	plan->request->stays = plan->yield_ms == WRIT_ZERO;
	run->is_pty = plan->request->pty;
	run->waits = plan->waits;
	run->remembers = plan->remembers;
	run->has_input = plan->has_input || run->is_pty;
	run->rows = plan->request->rows;
	run->columns = plan->request->columns;
}

void
w_mcp_run_begin(
    struct w_rpc_request *rpc_request, const struct w_mcp_run_plan *plan)
{
	struct w_mcp *server = rpc_request->server;
	struct w_mcp_run *run = calloc(1, sizeof(*run));
	char *label = make_label(plan->request);

	if (server->runs == NULL)
		server->runs = calloc(1, sizeof(*server->runs));
	if (run == NULL || label == NULL || server->runs == NULL) {
		writ_error err;

		free(run);
		free(label);
		(void)w_fail_nomem(&err, "run");
		if (plan->start->free != NULL)
			plan->start->free(plan->ctx);
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	run->server = server;
	run->connection = rpc_request->connection;
	run->rpc_request = rpc_request;
	run->label = label;
	copy_plan(run, plan);
	complete_request(run);
	rpc_request->state = run;
	rpc_request->on_cancel = cancelled;
	enqueue(run);
}
