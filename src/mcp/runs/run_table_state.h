/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RUN_TABLE_STATE_H
#define W_MCP_RUN_TABLE_STATE_H

#include "mcp/runs/run_table.h"

/* Shared by the files of runs. */

struct w_mcp_run_list {
	struct w_mcp_run *first; /* oldest */
	struct w_mcp_run *last;
	size_t count;
};

struct w_mcp_runs {
	struct w_mcp_run_list waiting; /* for a free slot */
	struct w_mcp_run_list asked;   /* approval is pending */
	struct w_mcp_run_list running;
	struct w_mcp_run_list ended;
	uint64_t started; /* total so far */
	size_t weight;    /* output of ended runs in memory */
};

/* Another request that waits for output of a run, or for its end. */
struct w_mcp_run_reader {
	struct w_mcp_run_reader *next;
	struct w_mcp_run *run;
	struct w_rpc_request *rpc_request;
	/* Called when there may be something new. Replies, or keeps waiting. */
	void (*check)(struct w_mcp_run_reader *reader);
	writ_stream stream;
	uint64_t cursor;
	size_t max_bytes;
	struct w_mcp_timer wait; /* its timeout */
};

/* Appends the run to a list. */
void w_mcp_run_move(struct w_mcp_run *run, struct w_mcp_run_list *list);

/* Removes it from its list and frees it, unless the engine still runs it. */
void w_mcp_run_free(struct w_mcp_run *run);

/* Frees what only the start and the first answer need. */
void w_mcp_run_release_request(struct w_mcp_run *run);

/* The request is answered or gone: unlinks it from the run. */
void w_mcp_run_detach(struct w_mcp_run *run);

/* Starts waiting runs, as many as the limit allows. */
void w_mcp_runs_start_waiting(struct w_mcp *server);

/* Ends one that goes on: by a signal, and by SIGKILL after the grace time. */
void w_mcp_run_end(struct w_mcp_run *run, int sig, uint64_t grace_ms);

/* Called when it has started: sets up timers and callbacks. */
void w_mcp_run_watch(struct w_mcp_run *run);
int w_mcp_run_on_output(void *ctx, writ_job *job, writ_stream stream,
    const char *bytes, size_t len);
void w_mcp_run_on_done(void *ctx, writ_job *job, writ_result *result);

/* run_memory.c: the directory and variables that the last shell left behind,
 * for this run; none of it; and what this one leaves. */
bool w_mcp_run_recall(struct w_mcp_run *run);
void w_mcp_run_forget(struct w_mcp_run *run);
void w_mcp_run_remember(struct w_mcp_run *run);

/* A writ_connection_fn; ctx is the server. */
bool w_mcp_run_on_connection(
    void *ctx, writ_job *job, writ_connection_question *question);

/* The time is over for which the caller waits; it starts anew. */
void w_mcp_run_set_yield(struct w_mcp_run *run);

/* Kills the whole process tree at once. */
void w_mcp_run_kill(struct w_mcp_run *run);

/* A new reader that waits at most wait_ms; NULL: no memory. Dropping one
 * unlinks and frees it, but leaves its request alone. */
struct w_mcp_run_reader *w_mcp_run_reader_new(struct w_mcp_run *run,
    struct w_rpc_request *rpc_request, void (*check)(struct w_mcp_run_reader *),
    uint64_t wait_ms);
void w_mcp_run_reader_free(struct w_mcp_run_reader *reader);

/* Bytes of a stream so far, running or ended; and a part of them. */
uint64_t w_mcp_run_bytes(const struct w_mcp_run *run, writ_stream stream);
writ_status w_mcp_run_read(const struct w_mcp_run *run, writ_stream stream,
    uint64_t offset, void *buf, size_t len, size_t *out_len);

/* "running", or how it ended. */
const char *w_mcp_run_outcome(const struct w_mcp_run *run);

/* tool_run_list.c: appends its row of the list, as an object. */
void w_mcp_run_add_row(struct w_buf *buf, const struct w_mcp_run *run);

/* The default answer, with is_error as given. */
void w_mcp_run_reply(
    struct w_rpc_request *rpc_request, struct w_mcp_run *run, bool is_error);

/* The run that the argument "run_id" names. NULL: unknown, and the request was
 * answered with a list of those that exist. */
struct w_mcp_run *w_mcp_run_argument(
    struct w_rpc_request *rpc_request, yyjson_val *arguments);

#endif /* W_MCP_RUN_TABLE_STATE_H */
