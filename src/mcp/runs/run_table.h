/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RUN_TABLE_H
#define W_MCP_RUN_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/writ.h>

#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"

/*
 * The runs of this server: waiting for their turn, going, and ended ones that
 * can still be read.
 *
 *     waiting --its turn--> asked about --approved--> going --> ended --> gone
 *
 * Invariants
 *  1. A run that was not answered yet belongs to its exchange: when that is
 *     cancelled, the run is killed. Once the answer "running" has gone out it
 *     belongs to its peer, and is killed when that goes.
 *  2. An ended run keeps its result (with its spill files) until
 *     W_MCP_KEPT_RUNS later ones have ended, or the server ends.
 *  3. A run is in exactly one of the lists of struct w_mcp_runs
 * (run_table_state.h).
 */
struct w_mcp_run {
	struct w_mcp *server;
	struct w_connection *connection; /* NULL: it has gone */
	struct w_rpc_request
	    *rpc_request;    /* that waits for it; NULL: answered */
	writ_job *job;       /* NULL: not started, or ended */
	writ_result *result; /* NULL: not ended */
	const struct w_mcp_run_start *start;
	void *ctx;             /* of start; NULL: freed */
	writ_request *request; /* likewise */
	const char *workdir;   /* likewise; NULL: nothing to remember */
	struct w_approver_wait *approval_wait;   /* NULL: nobody is asked */
	struct w_mcp_run_list *list;             /* that it is in */
	char approval[WRIT_APPROVAL_ID_LEN + 1]; /* "": none */
	char id[27];       /* of writ; "" before it started */
	char *label;       /* the command, for people; cut */
	uint64_t begun_ms; /* since 1970 */
	uint64_t begun_ns;
	uint64_t output; /* budget of its answer */
	uint64_t yield_ms;
	size_t weight;  /* bytes of output in memory, when it has ended */
	uint64_t turn;  /* how many had started when it began to wait */
	bool waits;     /* is answered only when it has ended */
	bool has_input; /* its standard input is open */
	bool is_pty;
	unsigned rows; /* of that terminal */
	unsigned columns;
	writ_stream recent; /* where output came last */
	struct w_mcp_timer yield;
	struct w_mcp_timer tick;          /* of progress */
	struct w_mcp_timer settle;        /* output came: readers look, soon */
	struct w_mcp_timer force;         /* the grace of run_kill is over */
	struct w_mcp_run_reader *readers; /* who waits for output or the end */
	struct w_mcp_run *next;
	struct w_mcp_run *prev;
};

/* How a run is begun and answered: what differs between exec, the seeds'
 * shapes and modules. */
struct w_mcp_run_start {
	/* Makes the answer of an ended run, or of one that goes on (result
	 * NULL). Answers the exchange. */
	void (*answer)(
	    struct w_rpc_request *rpc_request, struct w_mcp_run *run);
	/* Answers that it did not run. */
	void (*refuse)(struct w_rpc_request *rpc_request,
	    const writ_error *error, const char *details);
	/* Frees what w_mcp_run_begin() was given; may be NULL. */
	void (*free)(void *ctx);
};

struct w_mcp_run_plan {
	const struct w_mcp_run_start *start;
	writ_request *request; /* lives until start->free(ctx) */
	void *ctx;
	const char *workdir; /* the session of workdirs.h that remembers where
			      it started; likewise. NULL: none */
	uint64_t yield_ms;   /* 0: as the server says; WRIT_ZERO: at once */
	uint64_t output;     /* 0: as the server says; WRIT_ZERO: none */
	bool has_input;      /* keep standard input open */
	bool waits;          /* answer only when it has ended */
};

/* Takes over the exchange: the run starts now or when others have ended, with
 * the server's agent, session and trace; asks a person where the policy wants
 * that; and answers by plan->start. */
void w_mcp_run_begin(
    struct w_rpc_request *rpc_request, const struct w_mcp_run_plan *plan);

/* Of plan->ctx, for start->answer. */
void *w_mcp_run_ctx(const struct w_mcp_run *run);

/* The run of that id which this peer may see; NULL: none. */
struct w_mcp_run *w_mcp_run_find(
    struct w_connection *connection, const char *id);

/* All that this peer may see and that have an id, the newest first. */
typedef void (*w_mcp_run_each_fn)(void *ctx, struct w_mcp_run *run);
void w_mcp_runs_each(
    struct w_connection *connection, w_mcp_run_each_fn each, void *ctx);

/* Kills what belongs to a peer that goes. */
void w_mcp_runs_drop(struct w_connection *connection);

/* Forgets everything; the engine is still there, and so are its runs. */
void w_mcp_runs_free(struct w_mcp *server);

/* The usual answer: text form and result object, head and tail. */
void w_mcp_run_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run);

/* Appends the text form of a result (the same for people and models). */
void w_mcp_run_add_text(struct w_buf *buf, const writ_result *result);

/* Appends "Took 1.5s" or "Took 2m 5.0s", with that word. */
void w_mcp_run_add_duration(struct w_buf *buf, const char *word, uint64_t ms);

/* Likewise of a run, within the budget of its answer: output so far and how to
 * go on, or how it ended and where the rest is. */
void w_mcp_run_add_answer(struct w_buf *buf, struct w_mcp_run *run);

/* Appends what an answer has of the result object of a run, or of one that goes
 * on: what says nothing is left out, streams are cut to the budget, "cursor"
 * and "hint" are added. */
void w_mcp_run_add_result(struct w_buf *buf, struct w_mcp_run *run);

/* Likewise by a result object that has more in it. */
void w_mcp_run_add_result_json(
    struct w_buf *buf, struct w_mcp_run *run, const char *json, size_t len);

#endif /* W_MCP_RUN_TABLE_H */
