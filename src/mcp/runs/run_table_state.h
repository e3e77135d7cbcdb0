/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RUN_TABLE_STATE_H
#define W_MCP_RUN_TABLE_STATE_H

#include "mcp/runs/run_table.h"

/* What the files of runs share. */

struct w_mcp_run_list {
	struct w_mcp_run *first; /* the oldest */
	struct w_mcp_run *last;
	size_t count;
};

struct w_mcp_runs {
	struct w_mcp_run_list waiting; /* for their turn */
	struct w_mcp_run_list asked;   /* a person is asked about them */
	struct w_mcp_run_list going;
	struct w_mcp_run_list ended;
	uint64_t started; /* how many, ever */
	size_t weight;    /* bytes of output in memory, of the ended */
};

/* Who waits for output of a run, or for its end: another exchange. */
struct w_mcp_run_reader {
	struct w_mcp_run_reader *next;
	struct w_mcp_run *run;
	struct w_rpc_request *rpc_request;
	/* There may be something new. Answers, or waits on. */
	void (*look)(struct w_mcp_run_reader *reader);
	writ_stream stream;
	uint64_t cursor;
	size_t max_bytes;
	struct w_mcp_timer wait; /* as long as it wants to wait */
};

/* Made at its first use; NULL: no memory. */
struct w_mcp_runs *w_mcp_runs_get(struct w_mcp *server);

/* To the end of a list. */
void w_mcp_run_move(struct w_mcp_run *run, struct w_mcp_run_list *list);

/* Out of its list, and freed, unless the engine has it. */
void w_mcp_run_free(struct w_mcp_run *run);

/* Frees what only its start, and its first answer, needed. */
void w_mcp_run_release_request(struct w_mcp_run *run);

/* The exchange is answered or gone: it does not know the run any more. */
void w_mcp_run_detach(struct w_mcp_run *run);

/* Starts those that wait, as many as may go on at once. */
void w_mcp_runs_start_waiting(struct w_mcp *server);

/* It has started: timers, and what is told meanwhile. */
void w_mcp_run_watch(struct w_mcp_run *run);
int w_mcp_run_on_output(void *ctx, writ_job *job, writ_stream stream,
    const char *bytes, size_t len);
void w_mcp_run_on_done(void *ctx, writ_job *job, writ_result *result);

/* Kills it: the whole tree, at once. */
void w_mcp_run_kill(struct w_mcp_run *run);

/* A new reader, which waits at most wait_ms; NULL: no memory. Dropped readers
 * are out of the run's list and freed; their exchange is left alone. */
struct w_mcp_run_reader *w_mcp_run_reader_new(struct w_mcp_run *run,
    struct w_rpc_request *rpc_request, void (*look)(struct w_mcp_run_reader *),
    uint64_t wait_ms);
void w_mcp_run_reader_free(struct w_mcp_run_reader *reader);

/* How much a stream has brought, ended or not; and a part of it. */
uint64_t w_mcp_run_bytes(const struct w_mcp_run *run, writ_stream stream);
writ_status w_mcp_run_read(const struct w_mcp_run *run, writ_stream stream,
    uint64_t offset, void *buf, size_t len, size_t *out_len);

/* "running", or how it ended. */
const char *w_mcp_run_outcome(const struct w_mcp_run *run);

/* Whether a model has to take notice: it ended other than by exiting with 0. */
bool w_mcp_run_has_failed(const struct w_mcp_run *run);

/* tool_run_list.c: appends what a list says about it, as an object. */
void w_mcp_run_add_row(struct w_buf *buf, const struct w_mcp_run *run);

/* The usual answer, with another opinion of whether it is an error. */
void w_mcp_run_reply(
    struct w_rpc_request *rpc_request, struct w_mcp_run *run, bool is_error);

/* The run that the argument "run_id" names. NULL: the exchange was answered
 * with what there is instead. */
struct w_mcp_run *w_mcp_run_argument(
    struct w_rpc_request *rpc_request, yyjson_val *arguments);

#endif /* W_MCP_RUN_TABLE_STATE_H */
