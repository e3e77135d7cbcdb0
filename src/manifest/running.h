/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_RUNNING_H
#define W_MANIFEST_RUNNING_H

#include <writ/run.h>

#include "manifest/turn.h"

/*
 * Running one command after the other, while the caller is listened to.
 *
 * The first time that he wants an end the command is told to stop, the second
 * time it is killed. Until it is gone it is waited for: nothing of an apply
 * outlives it.
 */
struct w_running {
	struct w_turn *turn;
	writ_job *job;            /* NULL: nothing runs */
	writ_result *result;      /* of what has ended; NULL: see job */
	uint64_t tick_at_ms;      /* when the caller is asked next */
	writ_output_fn on_output; /* of the request; NULL: nobody listens */
	void *output_ctx;
	bool is_orphan; /* the loop failed; whoever ends it frees this */
};

/* NULL: no memory. */
struct w_running *w_running_new(struct w_turn *turn);
void w_running_free(struct w_running *running);

/*
 * Runs a command to its end. On WRIT_OK *out_result is yours; a result whose
 * outcome is WRIT_CANCELLED is that of an interrupted one.
 */
writ_status w_running_run(struct w_running *running,
    const writ_request *request, writ_result **out_result, writ_error *err);

/* Waits that long, or until somebody wants an end (turn->is_interrupted). */
writ_status w_running_pause(
    struct w_running *running, uint64_t ms, writ_error *err);

/* Asks whether somebody does, without waiting. */
void w_running_look(struct w_running *running);

#endif /* W_MANIFEST_RUNNING_H */
