/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_STORE_H
#define W_UNDO_CHANGE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"

/* Where the changes of all runs are kept: STATE/undo. */

#define W_UNDO_STORE "undo"

enum {
	W_CHANGE_ID_MAX = 64
};

/* How much is kept, and how long. */
struct w_change_limits {
	uint64_t bytes_max;
	uint64_t age_ms;
	/* Whether the session of that name lives, apart from owners
	 * (change_owner.h); NULL: none does. */
	bool (*lives)(void *ctx, const char *session);
	void *ctx;
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
 * the limits. Those of a session that lives stay, and those of which something
 * is held back have no age. Needs the lock. */
void w_change_store_prune(int store_fd, const struct w_change_limits *limits);

/* Whether there is room for so many bytes more next to what is not removed:
 * that of sessions that live. Needs the lock. */
bool w_change_store_fits(
    int store_fd, const struct w_change_limits *limits, uint64_t bytes);

/* Whether it can be a run's id; as a name it stays in its directory. */
bool w_change_store_is_id(const char *id);

/* Whether it can be a session's name: a word without blanks. */
bool w_change_store_is_session(const char *name);

#endif /* W_UNDO_CHANGE_STORE_H */
