/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_EXECUTOR_H
#define W_FLEET_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <writ/config.h>
#include <writ/engine.h>
#include <writ/run.h>

#include "base/buf.h"
#include "expr/value.h"
#include "fleet/host/fleet_frame.h"
#include "fleet/host/fleet_host.h"
#include "fleet/host/fleet_judge.h"
#include "fleet/host/fleet_ledger.h"

/*
 * The executor: the half of a fleet's host that has rights. It verifies orders,
 * keeps the ledger and runs commands with an engine, as an untrusted caller
 * whose agent is "fleet:KEY". It never talks to the network: writ-agentd does,
 * its child, which has no rights, and of which nothing is trusted.
 */
#define W_EXECUTOR_RUNS_MAX 256
#define W_EXECUTOR_SENT_MAX                               \
	16 /* results that wait for their acknowledgement \
	    */
#define W_EXECUTOR_BEAT_MS 10000
#define W_EXECUTOR_OUTPUT_MAX                           \
	((uint64_t)64 << 10) /* of a stream in a result \
			      */

struct executor_run {
	struct w_executor *executor;
	char id[W_ID_LEN + 1]; /* "": this place is free */
	char key[W_FLEET_NAME_MAX + 1];
	writ_job *job;
};

/* The child that talks to the network. */
struct executor_link {
	pid_t pid; /* 0: none */
	int fd;
	struct w_buf in;
	struct w_buf out;
	uint64_t next_start_ms; /* not before, by the monotonic clock */
	uint64_t started_ms;
	unsigned failures; /* in a row */
};

struct w_executor {
	writ_config *config;
	writ_engine *engine;
	struct w_fleet_host host;
	struct w_fleet_host_paths paths;
	struct w_fleet_ledger *ledger;
	struct executor_link link;
	struct executor_run runs[W_EXECUTOR_RUNS_MAX];
	unsigned run_count;
	unsigned sent_count;
	size_t next_received; /* no entry before it waits for a start */
	bool is_ending;
	/* facts for `where`, and until when they are true enough */
	struct w_arena facts_arena;
	struct w_value facts;
	struct w_buf facts_json;
	uint64_t facts_until_ms;
	/* refusals in this minute: the trail is not filled by a stranger */
	uint64_t refusal_minute;
	unsigned refusals;
};

uint64_t w_executor_clock_ms(void);

/* ---- executor_link.c ---- */

/* Starts the child, if it is due. */
writ_status w_executor_link_start(struct w_executor *executor, writ_error *err);
/* Ends it. */
void w_executor_link_end(struct w_executor *executor);
/* Queues a frame for it. Without a child nothing is queued. */
void w_executor_send(struct w_executor *executor, enum w_fleet_frame_kind kind,
    const char *word, const void *bytes, size_t len);
/* Reads and writes what is due; false: the child is gone. */
bool w_executor_link_work(struct w_executor *executor, short events);

/* ---- executor_orders.c ---- */

void w_executor_take(
    struct w_executor *executor, const struct w_fleet_frame *frame);

/* ---- executor_runs.c ---- */

/* Starts what waits, as far as there is room. */
void w_executor_start_runs(struct w_executor *executor);
/* What was started when the last executor ended. */
void w_executor_find_lost(struct w_executor *executor);
/* Ends a run or takes it out of the queue; returns what it was: "queued",
 * "running", "unknown", "ended". */
const char *w_executor_cancel(
    struct w_executor *executor, const char *id, const char *by);

/* ---- executor_answer.c ---- */

/* How an order ended on this host. */
struct w_executor_answer {
	const char *id;
	const char *state; /* done, denied, refused, skipped, lost, cancelled */
	const char *key;   /* name of the one who signed it; NULL: not known */
	const writ_error *error; /* NULL: none */
	const char *member;      /* one more member; NULL: none */
	const char *json;        /* its value */
};
void w_executor_answer_add(struct w_buf *buf, const struct w_executor *executor,
    const struct w_executor_answer *answer);

/* Writes the end into the ledger, from where it is published. */
void w_executor_finish(
    struct w_executor *executor, const struct w_executor_answer *answer);

/* Sends results from the ledger, as far as the window is open. */
void w_executor_publish(struct w_executor *executor);

/* Tells what happened to an order; id: "-" if nothing in it can be believed. */
void w_executor_event(struct w_executor *executor, const char *id,
    const char *event, const char *key, const writ_error *error);

/* ---- executor_facts.c ---- */

/* Whether the expression holds here. *err says why not, or what is wrong with
 * it. */
bool w_executor_where(
    struct w_executor *executor, const char *where, writ_error *err);

/* The facts as JSON; gathered anew after a minute. Borrowed. */
writ_status w_executor_facts(
    struct w_executor *executor, const char **out_json, writ_error *err);

/* A program of writ: beside this one (in a build), or where it is installed.
 * false: it is not there. */
bool w_executor_program(const char *name, char out[W_FLEET_PATH_MAX]);

#endif /* W_FLEET_EXECUTOR_H */
