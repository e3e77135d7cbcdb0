/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELD_CLIENT_H
#define W_RUN_HELD_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "run/held/held_charter.h"
#include "run/held/held_saved.h"
#include "run/launch/session_walls.h"

/* What a holder answers. */
struct w_held {
	struct w_held_charter charter;
	struct w_left_state saved;     /* cwd is NULL: nothing was saved */
	bool has_bad_saved;            /* what was saved is not in its form */
	struct w_session_walls *walls; /* a reference */
	int line;         /* the connection; readable: the session ends */
	int pid;          /* of the holder */
	uint32_t runs;    /* that are in it */
	uint64_t idle_ms; /* since the last one ended */
	uint64_t left_ms; /* of its lifetime */
};

/* A holder that is asked answers within milliseconds; one that is stopped
 * never. */
#define W_HELD_ANSWER_MS 2000

struct w_held_question {
	const char *name;
	bool joins;  /* this process is in the session for as long as the line
			is open */
	int wait_ms; /* for the answer: W_HELD_ANSWER_MS, or less */
	w_left_state_risky_fn is_risky;
};

/*
 * Asks the holder of a session for what it keeps.
 *
 * Fails with WRIT_E_NOTFOUND (no such session), _DENIED (not for this process)
 * or _SYSTEM (it does not answer, is full, or what it sent is not what a holder
 * sends). Close *out_held with w_held_done().
 */
writ_status w_held_ask(int dir_fd, const struct w_held_question *question,
    struct w_held **out_held, writ_error *err);

/* NULL is allowed. */
void w_held_done(struct w_held *held);

/* Saves where the next run starts. */
writ_status w_held_save(int line, const char *name,
    const struct w_left_state *saved, writ_error *err);

/* Ends a session and waits for those who are in it, *out_left of whom have not
 * gone in time. If it does not answer and has_force is set, its holder is
 * killed. Fails like w_held_ask(). */
writ_status w_held_end(int dir_fd, const char *name, bool has_force,
    unsigned *out_left, writ_error *err);

#endif /* W_RUN_HELD_CLIENT_H */
