/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_LOCKED_DIR_H
#define W_RUN_LOCKED_DIR_H

#include <stdbool.h>

/*
 * Directories of the state directory that belong to one engine. Each is locked
 * while its engine lives: one that is not has been left by an engine that was
 * killed, or is kept on purpose.
 */
struct w_locked_dir {
	char *path;
	int fd; /* the lock */
};

#define W_LOCKED_DIR_NONE ((struct w_locked_dir){.path = NULL, .fd = -1})

/* Makes one with a name of its own in parent, which exists. 0, or an errno. */
int w_locked_dir_make(const char *parent, struct w_locked_dir *out_dir);

/* Opens and locks one that exists. 0; EWOULDBLOCK: somebody has it; or another
 * errno. */
int w_locked_dir_open(const char *path, struct w_locked_dir *out_dir);

void w_locked_dir_done(struct w_locked_dir *dir);

/* Calls back for each directory in parent that nobody has locked, while it is
 * locked here. */
typedef void w_locked_dir_fn(void *ctx, int parent_fd, const char *name);
void w_locked_dir_each(const char *parent, w_locked_dir_fn *each, void *ctx);

#endif /* W_RUN_LOCKED_DIR_H */
