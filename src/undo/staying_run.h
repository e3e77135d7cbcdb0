/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_STAYING_RUN_H
#define W_UNDO_STAYING_RUN_H

#include <stdbool.h>

/*
 * Runs that are known to stay, such as servers. They work on the project
 * itself, and as long as one lives it is known to all: STATE/undo/stays.ID has
 * its project, and is locked.
 */
enum {
	W_STAYING_NAME_MAX = 80
};

struct w_staying_run {
	int store_fd; /* -1: none */
	int fd;
	char name[W_STAYING_NAME_MAX];
};

#define W_STAYING_RUN_INIT               \
	{                                \
		.store_fd = -1, .fd = -1 \
	}

/* false: nobody knows of it. */
bool w_staying_run_begin(struct w_staying_run *run, const char *state_dir,
    const char *id, const char *root);
void w_staying_run_end(struct w_staying_run *run);

/* Whether one lives in the project, above it or below it. Removes what is left
 * of those that were killed. */
bool w_staying_run_is_in(const char *state_dir, const char *root);

#endif /* W_UNDO_STAYING_RUN_H */
