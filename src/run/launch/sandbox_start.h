/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SANDBOX_START_H
#define W_RUN_SANDBOX_START_H

#include "run/launch/explain.h"
#include "run/launch/launch.h"

/*
 * Starts a command in a cell of its ward: one that its spawner has made ready,
 * from the second run on, else one built from nothing.
 *
 * WRIT_OK: out_attempt->error tells whether it runs (0) and otherwise what
 * went wrong. The status is for failures that are nobody's but ours.
 */
writ_status w_run_sandbox_start(struct w_launcher *launcher,
    const struct w_launch *launch, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err);

/* The same, but only in a cell that stands ready: ENOTCONN in out_attempt, and
 * nothing done, when there is none. */
writ_status w_run_sandbox_start_ready(struct w_launcher *launcher,
    const struct w_launch *launch, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err);

#endif /* W_RUN_SANDBOX_START_H */
