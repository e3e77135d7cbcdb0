/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A running run: its output, its progress, the end of its caller's patience
 * (yield), and its end.
 */

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "mcp/resources/notifier.h"
#include "mcp/runs/run_table_state.h"

enum {
	TICK_MS = 1000,
	/* What a command leaves behind often ends soon: git's own upkeep. */
	LEFT_BEHIND_MS = 300,
	/* Nobody is quicker to end a run than this. */
	LAST_MS = 300,
	/* Output arrives in pieces: readers get those that arrive together. */
	SETTLE_MS = 10,
	LINE_MAX_LEN = 200,
	MESSAGE_MAX = 512,
	KEPT_BYTES = 16 << 20, /* in memory, of all ended runs */
};

/* ---- readers ---- */

static void
reader_late(void *ctx)
{
	struct w_mcp_run_reader *reader = ctx;

	reader->check(reader);
}

static void
reader_cancelled(struct w_rpc_request *rpc_request)
{
	w_mcp_run_reader_free(rpc_request->state);
}

struct w_mcp_run_reader *
w_mcp_run_reader_new(struct w_mcp_run *run, struct w_rpc_request *rpc_request,
    void (*check)(struct w_mcp_run_reader *), uint64_t wait_ms)
{
	struct w_mcp_run_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	reader->run = run;
	reader->rpc_request = rpc_request;
	reader->check = check;
	reader->wait = (struct w_mcp_timer){.fire = reader_late, .ctx = reader};
	if (wait_ms != WRIT_ZERO &&
	    !w_mcp_timer_set(&run->server->timers, &reader->wait, wait_ms)) {
		free(reader);
		return NULL;
	}
	reader->next = run->readers;
	run->readers = reader;
	rpc_request->state = reader;
	rpc_request->on_cancel = reader_cancelled;
	return reader;
}

void
w_mcp_run_reader_free(struct w_mcp_run_reader *reader)
{
	struct w_mcp_run_reader **link = &reader->run->readers;

	while (*link != reader)
		link = &(*link)->next;
	*link = reader->next;
	w_mcp_timer_stop(&reader->run->server->timers, &reader->wait);
	free(reader);
}

static void
wake_readers(struct w_mcp_run *run)
{
	struct w_mcp_run_reader *next;

	for (struct w_mcp_run_reader *reader = run->readers; reader != NULL;
	     reader = next) {
		next = reader->next;
		reader->check(reader);
	}
}

static void
output_settled(void *ctx)
{
	wake_readers(ctx);
}

int
w_mcp_run_on_output(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct w_mcp_run *run = ctx;

	(void)job;
	(void)bytes;
	(void)len;
	run->recent = stream;
	if (run->readers != NULL && run->settle.place == 0)
		(void)w_mcp_timer_set(
		    &run->server->timers, &run->settle, SETTLE_MS);
	return 0;
}

/* ---- progress ---- */

/* The last non-blank line, without control characters. */
static void
add_last_line(struct w_buf *buf, const char *bytes, size_t len)
{
	while (len > 0 && (unsigned char)bytes[len - 1] <= ' ')
		len--;
	size_t start = len;
	while (start > 0 && bytes[start - 1] != '\n' &&
	       bytes[start - 1] != '\r' && len - start < LINE_MAX_LEN)
		start--;
	start += w_utf8_trim_start(bytes + start, len - start);
	len = start + w_utf8_trim_end(bytes + start, len - start);
	if (len == start || !w_utf8_valid(bytes + start, len - start))
		return;
	w_buf_add_str(buf, ": ");
	for (size_t i = start; i < len; i++) {
		if ((unsigned char)bytes[i] >= ' ' && bytes[i] != 0x7f)
			w_buf_add_char(buf, bytes[i]);
	}
}

static void
send_progress(struct w_mcp_run *run)
{
	const uint64_t bytes = w_mcp_run_bytes(run, run->recent);
	char last[LINE_MAX_LEN + 8];
	const uint64_t from = bytes > sizeof(last) ? bytes - sizeof(last) : 0;
	size_t len = 0;
	W_AUTO_BUF struct w_buf message;

	w_buf_init(&message, MESSAGE_MAX);
	if (run->host_wait != NULL)
		w_buf_add_fmt(
		    &message, "a person is asked about %s; ", run->waits_for);
	w_buf_add_fmt(&message, "%" PRIu64 " bytes",
	    w_mcp_run_bytes(run, WRIT_STDOUT) +
		w_mcp_run_bytes(run, WRIT_STDERR));
	if (w_mcp_run_read(run, run->recent, from, last, sizeof(last), &len) ==
	    WRIT_OK)
		add_last_line(&message, last, len);
	w_rpc_request_progress(run->rpc_request, message.data);
}

static void
tick(void *ctx)
{
	struct w_mcp_run *run = ctx;

	send_progress(run);
	(void)w_mcp_timer_set(&run->server->timers, &run->tick, TICK_MS);
}

/* ---- the caller ---- */

static void
run_monitor_answer(struct w_mcp_run *run)
{
	struct w_rpc_request *rpc_request = run->rpc_request;

	w_mcp_timer_stop(&run->server->timers, &run->yield);
	w_mcp_timer_stop(&run->server->timers, &run->tick);
	if (rpc_request == NULL)
		return;
	w_mcp_run_detach(run);
	run->start->answer(rpc_request, run);
}

static void
yielded(void *ctx)
{
	run_monitor_answer(ctx);
}

void
w_mcp_run_set_yield(struct w_mcp_run *run)
{
	if (run->rpc_request != NULL && !run->waits && run->yield_ms > 0)
		(void)w_mcp_timer_set(
		    &run->server->timers, &run->yield, run->yield_ms);
}

/* Only what the command left behind keeps the run going: a server, or a helper
 * that ends at once. */
static void
left_behind(void *ctx, writ_job *job)
{
	struct w_mcp_run *run = ctx;

	(void)job;
	if (run->rpc_request != NULL && run->yield_ms > LEFT_BEHIND_MS)
		(void)w_mcp_timer_set(
		    &run->server->timers, &run->yield, LEFT_BEHIND_MS);
}

static void
force(void *ctx)
{
	struct w_mcp_run *run = ctx;

	if (run->job != NULL)
		w_mcp_run_kill(run);
}

void
w_mcp_run_end(struct w_mcp_run *run, int sig, uint64_t grace_ms)
{
	if (grace_ms == 0 || sig == SIGKILL) {
		w_mcp_run_kill(run);
		return;
	}
	if (run->force.place == 0)
		writ_job_cancel(run->job, sig);
	else
		writ_job_signal(run->job, sig);
	(void)w_mcp_timer_set(&run->server->timers, &run->force, grace_ms);
}

bool
w_mcp_end_run(struct w_mcp *server, const char *run_id, bool is_now)
{
	struct w_mcp_run *run =
	    server->runs == NULL ? NULL : server->runs->running.first;

	while (run != NULL && strcmp(run->id, run_id) != 0)
		run = run->next;
	if (run == NULL || run->job == NULL)
		return false;
	w_mcp_run_end(run, SIGTERM, is_now ? 0 : WRIT_DEFAULT_GRACE_MS);
	return true;
}

static void
lasts(void *ctx)
{
	const struct w_mcp_run *run = ctx;
	const struct w_mcp_terminals *terminals =
	    run->server->options.terminals;

	terminals->last(terminals->ctx);
}

void
w_mcp_run_watch(struct w_mcp_run *run)
{
	const struct w_mcp_terminals *terminals =
	    run->server->options.terminals;
	struct w_mcp_timers *timers = &run->server->timers;

	run->settle = (struct w_mcp_timer){.fire = output_settled, .ctx = run};
	run->force = (struct w_mcp_timer){.fire = force, .ctx = run};
	run->yield = (struct w_mcp_timer){.fire = yielded, .ctx = run};
	run->tick = (struct w_mcp_timer){.fire = tick, .ctx = run};
	run->last = (struct w_mcp_timer){.fire = lasts, .ctx = run};
	writ_job_on_background(run->job, left_behind, run);
	if (terminals != NULL)
		(void)w_mcp_timer_set(timers, &run->last, LAST_MS);
	if (terminals != NULL && run->is_pty)
		terminals->begin(terminals->ctx, run->job);
	if (run->yield_ms == 0) {
		run_monitor_answer(run);
		return;
	}
	w_mcp_run_set_yield(run);
	if (run->rpc_request->progress_token == NULL)
		return;
	w_rpc_request_progress(run->rpc_request, "started");
	(void)w_mcp_timer_set(timers, &run->tick, TICK_MS);
}

/* ---- end ---- */

/* Output of an ended run in memory; the rest is in its spill files. */
static size_t
weight(const struct w_mcp_run *run)
{
	const writ_result *result = run->result;
	const char *json = result->json_output;

	return result->out[0].head_len + result->out[0].tail_len +
	       result->out[1].head_len + result->out[1].tail_len +
	       (json == NULL ? 0 : strlen(json));
}

static void
run_monitor_keep(struct w_mcp_run *run)
{
	struct w_mcp_runs *runs = run->server->runs;

	run->weight = weight(run);
	runs->weight += run->weight;
	w_mcp_run_move(run, &runs->ended);
	while (runs->ended.count > W_MCP_KEPT_RUNS ||
	       (runs->weight > KEPT_BYTES && runs->ended.first != run)) {
		runs->weight -= runs->ended.first->weight;
		w_mcp_run_free(runs->ended.first);
	}
}

void
w_mcp_run_on_done(void *ctx, writ_job *job, writ_result *result)
{
	struct w_mcp_run *run = ctx;
	struct w_mcp *server = run->server;
	const struct w_mcp_terminals *terminals = server->options.terminals;

	(void)job;
	if (terminals != NULL && run->is_pty)
		terminals->end(terminals->ctx, result);
	run->job = NULL;
	run->result = result;
	run->has_input = false;
	w_mcp_timer_stop(&server->timers, &run->settle);
	w_mcp_timer_stop(&server->timers, &run->force);
	w_mcp_timer_stop(&server->timers, &run->last);
	w_mcp_run_remember(run);
	run_monitor_answer(run);
	wake_readers(run);
	w_mcp_run_release_request(run);
	if (run->connection == NULL)
		w_mcp_run_free(run);
	else
		run_monitor_keep(run);
	w_notifier_check_runs(server);
	w_mcp_runs_start_waiting(server);
}
