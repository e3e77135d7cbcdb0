/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELD_SAVED_H
#define W_RUN_HELD_SAVED_H

#include <stdbool.h>
#include <stddef.h>

#include "run/result/left_state.h"

/*
 * Where the next run of a held session starts, as a sealed memory file:
 *
 *     DIRECTORY NUL NAME=VALUE NUL NAME=VALUE NUL ...
 *
 * A run wrote it, so it is hostile. Variables that make programs run code, and
 * those that writ or bash set themselves, are refused as in left_state.h.
 */

/* Reads it. false: it is not in this form; nothing of it is taken. *out_state
 * is empty before. */
bool w_held_saved_read(const char *bytes, size_t len,
    w_left_state_risky_fn is_risky, struct w_left_state *out_state);

/* Changes what was saved by what a shell has left behind: its directory, and
 * the variables that it set. false: no memory; nothing has changed. */
bool w_held_saved_merge(
    struct w_left_state *saved, const char *cwd, const char *const *left);

/* A sealed memory file; or a negative errno, E2BIG: more than may be saved. */
int w_held_saved_write(const struct w_left_state *saved);

#endif /* W_RUN_HELD_SAVED_H */
