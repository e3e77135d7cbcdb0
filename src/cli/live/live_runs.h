/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_RUNS_H
#define W_CLI_LIVE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/audit.h>

#include "base/buf.h"

/*
 * The runs that `writ watch` knows: all that are running, and the last ones
 * that ended or were refused.
 */
#define W_LIVE_ID_SIZE   64
#define W_LIVE_ENDED_MAX 1000

/* Facts of one run from the audit trail, copied. A text is NULL if there is
 * none. */
struct w_live_run {
	char id[W_LIVE_ID_SIZE];
	writ_run_state state;
	uint64_t begin_us;
	uint64_t end_us; /* 0: none */
	uint64_t duration_ms;
	int pid;
	int exit_code;
	int signal;
	char *agent;
	char *door;
	char *command;
	char *program;
	char *cwd;
	char *sandbox;
	char *network;
	char *outcome; /* or the code of an error */
	char *reason;  /* why it was refused */
	char *denials; /* what the walls refused: a JSON array */
	size_t denial_count;
	char *recording; /* the file with its output */
	bool is_seen;    /* found by the last check */
};

struct w_live_runs {
	struct w_live_run **running; /* oldest first */
	size_t count;
	size_t cap;
	struct w_live_run *ended[W_LIVE_ENDED_MAX]; /* newest first */
	size_t ended_count;
};

/* A copy; NULL: no memory. */
struct w_live_run *w_live_run_copy(const writ_audit_run *run);
void w_live_run_free(struct w_live_run *run);

bool w_live_run_is_over(const struct w_live_run *run);

/* Appends how it is in a word or two: "running", "exit 1", "denied". */
void w_live_run_add_state(struct w_buf *buf, const struct w_live_run *run);

/* Appends a line for each thing that the walls refused: printable. */
void w_live_run_add_denials(struct w_buf *buf, const struct w_live_run *run);

void w_live_runs_done(struct w_live_runs *runs);

/* Running or ended; NULL: unknown. */
struct w_live_run *w_live_runs_find(
    const struct w_live_runs *runs, const char *id);

/* Adds a run, which it then owns, in place of what it knew of it. A run that is
 * over goes to the ended ones; the oldest of these is dropped. false: no
 * memory, and the run was freed. */
bool w_live_runs_put(struct w_live_runs *runs, struct w_live_run *run);

#endif /* W_CLI_LIVE_RUNS_H */
