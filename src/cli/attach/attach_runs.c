/* SPDX-License-Identifier: Apache-2.0 */

/* The terminals of an MCP server's runs. */

#include "cli/attach/attach_runs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/attach/attach_server.h"
#include "cli/attach/kill_server.h"

struct attached_run {
	struct w_attach_server *server; /* NULL: free */
	writ_job *job;
};

struct w_attach_runs {
	const writ_config *config;
	struct w_mcp_terminals terminals;
	struct w_kill_server killing;
	struct attached_run items[W_ATTACH_RUNS_MAX];
};

_Static_assert((int)(W_ATTACH_RUNS_MAX *W_ATTACH_POLLS) + (int)W_KILL_POLLS <=
		   (int)W_MCP_TERMINAL_FDS,
    "each run has room");

static void
attach_runs_begin(void *ctx, writ_job *job)
{
	struct w_attach_runs *runs = ctx;

	for (int i = 0; i < W_ATTACH_RUNS_MAX; i++) {
		struct attached_run *run = &runs->items[i];

		if (run->server != NULL)
			continue;
		run->job = job;
		run->server =
		    w_attach_server_new(runs->config, writ_job_id(job));
		return;
	}
}

/* The server has other clients: a terminal that does not read is not waited
 * for. */
static void
attach_runs_end(void *ctx, const writ_result *result)
{
	struct w_attach_runs *runs = ctx;

	for (int i = 0; i < W_ATTACH_RUNS_MAX; i++) {
		struct attached_run *run = &runs->items[i];

		if (run->server == NULL ||
		    strcmp(w_attach_server_run(run->server), result->run_id) !=
			0)
			continue;
		w_attach_server_free(run->server, result, 0);
		*run = (struct attached_run){.server = NULL};
	}
}

static void
attach_runs_last(void *ctx)
{
	struct w_attach_runs *runs = ctx;

	w_kill_server_open(&runs->killing, runs->config);
}

/* First, if it is open, the socket at which runs are ended. */
static size_t
attach_runs_fill(void *ctx, struct pollfd *polls, size_t max)
{
	struct w_attach_runs *runs = ctx;
	size_t count = 0;

	if (runs->killing.fd >= 0) {
		w_kill_server_fill(&runs->killing, polls);
		count = W_KILL_POLLS;
	}

	for (int i = 0; i < W_ATTACH_RUNS_MAX; i++) {
		const struct attached_run *run = &runs->items[i];

		if (run->server == NULL || count + W_ATTACH_POLLS > max)
			continue;
		w_attach_server_fill(run->server, run->job, polls + count);
		count += W_ATTACH_POLLS;
	}
	return count;
}

static int
attach_runs_wait_ms(void *ctx)
{
	const struct w_attach_runs *runs = ctx;
	int least_ms = -1;

	for (int i = 0; i < W_ATTACH_RUNS_MAX; i++) {
		const int ms =
		    runs->items[i].server == NULL
			? -1
			: w_attach_server_wait_ms(runs->items[i].server);

		if (ms >= 0 && (least_ms < 0 || ms < least_ms))
			least_ms = ms;
	}
	return least_ms;
}

/* In the order of fill: no run begins or ends in between, but by what is told
 * here last. */
static void
attach_runs_step(
    void *ctx, const struct pollfd *polls, size_t count, struct w_mcp *server)
{
	struct w_attach_runs *runs = ctx;
	const bool is_killing = runs->killing.fd >= 0;
	size_t at = is_killing ? (size_t)W_KILL_POLLS : 0;

	for (int i = 0; i < W_ATTACH_RUNS_MAX; i++) {
		struct attached_run *run = &runs->items[i];

		if (run->server == NULL || at + W_ATTACH_POLLS > count)
			continue;
		w_attach_server_step(run->server, run->job, polls + at);
		at += W_ATTACH_POLLS;
	}
	if (is_killing)
		w_kill_server_step(&runs->killing, polls, server);
}

struct w_attach_runs *
w_attach_runs_new(const writ_config *config)
{
	struct w_attach_runs *runs = calloc(1, sizeof(*runs));

	if (runs == NULL)
		return NULL;
	runs->config = config;
	w_kill_server_init(&runs->killing);
	runs->terminals = (struct w_mcp_terminals){
	    .ctx = runs,
	    .begin = attach_runs_begin,
	    .end = attach_runs_end,
	    .last = attach_runs_last,
	    .fill = attach_runs_fill,
	    .wait_ms = attach_runs_wait_ms,
	    .step = attach_runs_step,
	};
	return runs;
}

void
w_attach_runs_free(struct w_attach_runs *runs)
{
	if (runs == NULL)
		return;
	for (int i = 0; i < W_ATTACH_RUNS_MAX; i++)
		w_attach_server_free(runs->items[i].server, NULL, 0);
	w_kill_server_close(&runs->killing);
	free(runs);
}

const struct w_mcp_terminals *
w_attach_runs_terminals(const struct w_attach_runs *runs)
{
	return runs == NULL ? NULL : &runs->terminals;
}
