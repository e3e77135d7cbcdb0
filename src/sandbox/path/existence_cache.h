/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_EXISTENCE_CACHE_H
#define W_SANDBOX_EXISTENCE_CACHE_H

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
	W_EXISTENCE_CACHE_DIRS = 16,
	W_EXISTENCE_CACHE_BITS = 2048
};

struct w_existence_cache_dir {
	char *path;
	int state;
	unsigned asked;
	uint64_t
	    names[W_EXISTENCE_CACHE_BITS / 64]; /* a bit for each name's hash */
};

/* Starts as zeros. */
struct w_existence_cache {
	struct w_existence_cache_dir *dirs;
	size_t count;
};

/* Whether an absolute path may exist; false only for what is not there. */
bool w_existence_cache_may_exist(
    struct w_existence_cache *cache, const char *path);
void w_existence_cache_done(struct w_existence_cache *cache);

#endif /* W_SANDBOX_EXISTENCE_CACHE_H */
