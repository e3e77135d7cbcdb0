/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_OWNER_H
#define W_UNDO_CHANGE_OWNER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Whether the session that a run belonged to still lives. An engine is one: it
 * has a file in the store, STATE/undo/live.OWNER, and a lock on it for as long
 * as it lives. What its runs replaced is not pruned before that.
 */
enum {
	W_UNDO_OWNER_MAX = 40
};

struct w_undo_owner {
	char id[W_UNDO_OWNER_MAX + 1]; /* "": none yet */
	int fd;                        /* of its file, locked; -1: none */
	int store_fd;
};

#define W_UNDO_OWNER_INIT                \
	{                                \
		.fd = -1, .store_fd = -1 \
	}

/* Makes the file of an owner that has none yet. */
writ_status w_undo_owner_open(
    struct w_undo_owner *owner, const char *state_dir, writ_error *err);

/* Removes it. */
void w_undo_owner_close(struct w_undo_owner *owner);

bool w_undo_owner_lives(int store_fd, const char *id);

/* Removes a file of the store if it is one of an owner that was killed. */
void w_undo_owner_clean(int store_fd, const char *name);

#endif /* W_UNDO_CHANGE_OWNER_H */
