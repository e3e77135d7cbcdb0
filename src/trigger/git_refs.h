/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_GIT_REFS_H
#define W_TRIGGER_GIT_REFS_H

#include <stdbool.h>
#include <time.h>

/*
 * Whether a file is what a ref of its repository held before: then a command
 * has not written it, but checked it out.
 */
struct w_git_refs {
	int low_fd;             /* the project, as it was */
	int upper_fd;           /* what was written over it; -1: nothing */
	struct timespec before; /* refs that changed since then do not count */
};

enum {
	W_GIT_COMMITS_MAX = 1000 /* that are looked through */
};

/* dir_fd, name: the file; path: where it lies below the project. */
bool w_git_refs_hold(const struct w_git_refs *refs, const char *path,
    int dir_fd, const char *name);

#endif /* W_TRIGGER_GIT_REFS_H */
