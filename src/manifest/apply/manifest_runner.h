/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_RUNNER_H
#define W_MANIFEST_MANIFEST_RUNNER_H

#include <writ/run.h>

#include "manifest/apply/resource_step.h"

/*
 * Running one command after the other, while the caller is listened to.
 *
 * The first time that he wants an end the command is told to stop, the second
 * time it is killed. Until it is gone it is waited for: nothing of an apply
 * outlives it.
 */
struct w_manifest_runner {
	struct w_resource_step *step;
	writ_job *job;            /* NULL: nothing runs */
	writ_result *result;      /* of what has ended; NULL: see job */
	uint64_t tick_at_ms;      /* when the caller is asked next */
	writ_output_fn on_output; /* of the request; NULL: nobody listens */
	void *output_ctx;
	bool is_orphan; /* the loop failed; whoever ends it frees this */
};

/* NULL: no memory. */
struct w_manifest_runner *w_manifest_runner_new(struct w_resource_step *step);
void w_manifest_runner_free(struct w_manifest_runner *runner);

/*
 * Runs a command to its end. On WRIT_OK *out_result is yours; a result whose
 * outcome is WRIT_CANCELLED is that of an interrupted one.
 */
writ_status w_manifest_runner_run(struct w_manifest_runner *runner,
    const writ_request *request, writ_result **out_result, writ_error *err);

/* Waits that long, or until somebody wants an end (turn->is_interrupted). */
writ_status w_manifest_runner_pause(
    struct w_manifest_runner *runner, uint64_t ms, writ_error *err);

/* Asks whether somebody does, without waiting. */
void w_manifest_runner_poll(struct w_manifest_runner *runner);

#endif /* W_MANIFEST_MANIFEST_RUNNER_H */
