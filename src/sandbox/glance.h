/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_GLANCE_H
#define W_SANDBOX_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Tells cheaply that a path is not there. Built-in lists name many files, of
 * which most do not exist. To ask for a file costs half of an attempt to open
 * it; a small directory that is asked for many is read once and answers for
 * all; and what would lie in a missing directory costs nothing.
 */
enum {
	W_GLANCE_DIRS = 16,
	W_GLANCE_BITS = 2048
};

struct w_glance_dir {
	char *path;
	int state;
	unsigned asked;
	uint64_t names[W_GLANCE_BITS / 64]; /* a bit for each name's hash */
};

/* Starts as zeros. */
struct w_glance {
	struct w_glance_dir *dirs;
	size_t count;
};

/* Whether an absolute path may exist; false only for what is not there. */
bool w_glance_may_exist(struct w_glance *glance, const char *path);
void w_glance_done(struct w_glance *glance);

#endif /* W_SANDBOX_GLANCE_H */
