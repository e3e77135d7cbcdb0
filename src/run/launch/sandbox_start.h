/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SANDBOX_START_H
#define W_RUN_SANDBOX_START_H

#include "run/launch/explain.h"
#include "run/launch/launch.h"

/*
 * Starts a command in its sandbox: with a sandbox init from the fork server,
 * from the second run on, else with one built from nothing.
 *
 * WRIT_OK: out_attempt->error is 0 when it runs, else the errno. Other statuses
 * are failures of the engine itself.
 */
writ_status w_run_sandbox_start(struct w_launcher *launcher,
    const struct w_launch *launch, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err);

/* The same, but only with a sandbox init that is ready: ENOTCONN in
 * out_attempt, and nothing done, when there is none. */
writ_status w_run_sandbox_start_ready(struct w_launcher *launcher,
    const struct w_launch *launch, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err);

#endif /* W_RUN_SANDBOX_START_H */
