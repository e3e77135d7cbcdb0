/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_STORE_H
#define W_UNDO_CHANGE_STORE_H

#include <stdint.h>

#include "base/words.h"

/* Where the changes of all runs are kept: STATE/undo. */

#define W_CHANGE_STORE_BYTES (UINT64_C(2) << 30)
#define W_CHANGE_STORE_DAYS  7

enum {
	W_CHANGE_ID_MAX = 64
};

/* *out_fd is -1 if there is none yet and may_make is false. */
writ_status w_change_store_open(
    const char *state_dir, bool may_make, int *out_fd, writ_error *err);

/* Waits until no other process moves changes; closing the descriptor ends
 * that. */
writ_status w_change_store_lock(int store_fd, writ_error *err);

/* The runs that have changes there, oldest first. */
writ_status w_change_store_list(
    int store_fd, struct w_words *out_ids, writ_error *err);

/* Removes the oldest changes that nobody waits for, until the rest is within
 * the limits. Those of which something is held back have no age. Needs the
 * lock. */
void w_change_store_prune(int store_fd, uint64_t bytes_max, unsigned days_max);

/* Whether it can be a run's id; as a name it stays in its directory. */
bool w_change_store_is_id(const char *id);

#endif /* W_UNDO_CHANGE_STORE_H */
