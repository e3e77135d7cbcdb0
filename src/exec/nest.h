/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_NEST_H
#define W_EXEC_NEST_H

#include "exec/launch.h"
#include "exec/ward.h"

/*
 * Nests: the private directories of runs that share a view. They lie in the
 * view's own /tmp, are made with their rules by the process that holds the
 * view, and are used again when a run has left one as it was.
 */

enum {
	W_NEST_OUTSIDE = 80
};

/* Takes one, and starts the view's process if need be. */
writ_status w_nest_take(struct w_ward *ward, struct w_launcher *launcher,
    struct w_nest *out_nest, writ_error *err);

/* Gives it back; what a run left in it is deleted. Nobody is in it. */
void w_nest_give(struct w_ward *ward, struct w_nest *nest);

/* Its path from outside the view. */
void w_nest_outside(const struct w_ward *ward, const struct w_nest *nest,
    char out_path[W_NEST_OUTSIDE]);

/* Forgets those that are free; they go with their view. */
void w_nests_drop(struct w_ward *ward);

#endif /* W_EXEC_NEST_H */
