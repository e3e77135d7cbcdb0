/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RUN_TABLE_H
#define W_MCP_RUN_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/writ.h>

#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"

/*
 * The runs of this server: queued, running, and ended but still readable.
 *
 *     waiting --free slot--> asked --approved--> running --> ended --> gone
 *
 * Invariants
 *  1. A run that was not answered yet belongs to its request: when that is
 *     cancelled, the run is killed. Once the answer "running" was sent it
 *     belongs to its connection, and is killed when that closes.
 *  2. An ended run keeps its result (with its spill files) until
 *     W_MCP_KEPT_RUNS later ones have ended, or the server ends.
 *  3. A run is in exactly one of the lists of struct w_mcp_runs
 *     (run_table_state.h).
 */
struct w_mcp_run {
	struct w_mcp *server;
	struct w_connection *connection;   /* NULL: it has closed */
	struct w_rpc_request *rpc_request; /* waiting for it; NULL: answered */
	writ_job *job;                     /* NULL: not started, or ended */
	writ_result *result;               /* NULL: not ended */
	const struct w_mcp_run_start *start;
	void *ctx;             /* for start's functions; NULL: freed */
	writ_request *request; /* likewise */
	const char *workdir;   /* likewise; NULL: nothing to save */
	struct w_approver_wait *approval_wait; /* NULL: none */
	struct w_approver_wait *host_wait; /* a connection of it; NULL: none */
	char waits_for[96];                /* its host, cut */
	struct w_mcp_run_list *list;       /* the list that it is in */
	char approval[WRIT_APPROVAL_ID_LEN + 1]; /* "": none */
	char id[27];       /* run id; "" before it started */
	char *label;       /* the command, for people; cut */
	uint64_t begun_ms; /* Unix time */
	uint64_t begun_ns;
	uint64_t output; /* output budget of its answer */
	uint64_t yield_ms;
	size_t weight;           /* output in memory once it has ended */
	uint64_t started_before; /* runs started when it began to wait */
	char *cwd;               /* that a shell left behind; NULL: its own */
	char **env;              /* likewise; NULL-ended */
	char *new_cwd;           /* that this one leaves; NULL: as before */
	bool remembers;          /* it starts where the last shell was */
	bool has_lost_cwd;       /* that could not be used */
	bool waits;              /* answer only when it has ended */
	bool has_input;          /* its standard input is open */
	bool is_pty;
	unsigned rows; /* of its terminal */
	unsigned columns;
	writ_stream recent; /* the last to produce output */
	struct w_mcp_timer yield;
	struct w_mcp_timer tick;          /* progress */
	struct w_mcp_timer settle;        /* after output: readers look soon */
	struct w_mcp_timer force;         /* end of run_kill's grace */
	struct w_mcp_timer last;          /* people may want to end it */
	struct w_mcp_run_reader *readers; /* waiting for output or the end */
	struct w_mcp_run *next;
	struct w_mcp_run *prev;
};

/* How a run is answered: differs between exec, the schemas of the seeds, and
 * modules. */
struct w_mcp_run_start {
	/* Answers with an ended run, or one that still runs (result NULL). */
	void (*answer)(
	    struct w_rpc_request *rpc_request, struct w_mcp_run *run);
	/* Answers that it did not run. */
	void (*refuse)(struct w_rpc_request *rpc_request,
	    const writ_error *error, const char *details);
	/* Likewise, with the plan's ctx: if that says how. NULL: refuse. */
	void (*refuse_run)(struct w_rpc_request *rpc_request, void *ctx,
	    const writ_error *error, const char *details);
	/* Frees the plan's ctx; may be NULL. */
	void (*free)(void *ctx);
};

struct w_mcp_run_plan {
	const struct w_mcp_run_start *start;
	writ_request *request; /* valid until start->free(ctx) */
	void *ctx;
	const char *workdir; /* session that saves its directory (workdirs.h);
			      * likewise. NULL: none */
	uint64_t yield_ms;   /* 0: server default; WRIT_ZERO: at once */
	uint64_t output;     /* 0: server default; WRIT_ZERO: none */
	bool has_input;      /* keep standard input open */
	bool waits;          /* answer only when it has ended */
	bool remembers;      /* no directory was given: it starts where the last
				shell of the connection was, and leaves its own */
};

/* Takes over the request: the run starts now or when others have ended, with
 * the server's agent, session and trace; asks a person if the policy says so;
 * and answers through plan->start. */
void w_mcp_run_begin(
    struct w_rpc_request *rpc_request, const struct w_mcp_run_plan *plan);

/* The run of that id, if this connection may see it; else NULL. */
struct w_mcp_run *w_mcp_run_find(
    struct w_connection *connection, const char *id);

/* All runs with an id that this connection may see, newest first. */
typedef void (*w_mcp_run_each_fn)(void *ctx, struct w_mcp_run *run);
void w_mcp_runs_each(
    struct w_connection *connection, w_mcp_run_each_fn each, void *ctx);

/* Kills the runs that a request of this connection waits for, which answers it;
 * a call that waits for its turn is refused. */
void w_mcp_runs_kill(struct w_connection *connection);

/* A connection closes: kills its runs. */
void w_mcp_runs_drop(struct w_connection *connection);

/* Frees all; the engine and its runs must still exist. */
void w_mcp_runs_free(struct w_mcp *server);

/* The default answer: text and result object, with head and tail of the
 * output. */
void w_mcp_run_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run);

/* Appends a result as text, for people and models. */
void w_mcp_run_add_text(struct w_buf *buf, const writ_result *result);

/* Likewise for a run, within the budget of its answer: output so far and how to
 * continue, or how it ended and where the rest is. */
void w_mcp_run_add_answer(struct w_buf *buf, struct w_mcp_run *run);

/* Appends the result object of an ended or running run, reduced: streams are
 * cut to the budget, "cursor" and "hint" are added. */
void w_mcp_run_add_result(struct w_buf *buf, struct w_mcp_run *run);

/* Likewise, from a given result object. */
void w_mcp_run_add_result_json(
    struct w_buf *buf, struct w_mcp_run *run, const char *json, size_t len);

#endif /* W_MCP_RUN_TABLE_H */
