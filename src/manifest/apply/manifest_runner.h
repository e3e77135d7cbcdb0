/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_RUNNER_H
#define W_MANIFEST_MANIFEST_RUNNER_H

#include <writ/run.h>

#include "manifest/apply/resource_step.h"

/*
 * Runs one command at a time, while listening to the caller.
 *
 * At the caller's first request to stop the command is terminated, at the
 * second it is killed. Then it is still waited for: nothing outlives an apply.
 */
struct w_manifest_runner {
	struct w_resource_step *step;
	writ_job *job;            /* NULL: nothing runs */
	writ_result *result;      /* of the ended run; NULL: see job */
	uint64_t tick_at_ms;      /* when on_wake is called next */
	writ_output_fn on_output; /* of the request; NULL: none */
	void *output_ctx;
	bool is_orphan; /* the loop failed; freed when the run ends */
};

/* NULL: no memory. */
struct w_manifest_runner *w_manifest_runner_new(struct w_resource_step *step);
void w_manifest_runner_free(struct w_manifest_runner *runner);

/*
 * Runs a command to its end. On WRIT_OK *out_result is yours; outcome
 * WRIT_CANCELLED means interrupted.
 */
writ_status w_manifest_runner_run(struct w_manifest_runner *runner,
    const writ_request *request, writ_result **out_result, writ_error *err);

/* Waits that long, or until interrupted (step->is_interrupted). */
writ_status w_manifest_runner_pause(
    struct w_manifest_runner *runner, uint64_t ms, writ_error *err);

/* Checks for an interruption without waiting. */
void w_manifest_runner_poll(struct w_manifest_runner *runner);

#endif /* W_MANIFEST_MANIFEST_RUNNER_H */
