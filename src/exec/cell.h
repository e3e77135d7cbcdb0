/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_CELL_H
#define W_EXEC_CELL_H

#include "exec/explain.h"
#include "exec/launch.h"

/*
 * Starts a command in a cell of its ward: copied by the ward's spawner, which
 * is started with the second run, else built from nothing.
 *
 * WRIT_OK: out_attempt->error tells whether it runs (0) and otherwise what
 * went wrong. The status is for failures that are nobody's but ours.
 */
writ_status w_cell_start(struct w_launcher *launcher,
    const struct w_launch *launch, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err);

/* Starts the ward's spawner. */
writ_status w_cell_open_spawner(
    struct w_launcher *launcher, struct w_ward *ward, writ_error *err);

/* Has it make a nest whose name ends in these digits. 0, or an errno; a
 * spawner that does not answer is given up. */
int w_cell_ask_nest(struct w_ward *ward, const char *digits, int *out_rules);

#endif /* W_EXEC_CELL_H */
