/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_EXISTENCE_CACHE_H
#define W_SANDBOX_EXISTENCE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/path/name_index.h"

/*
 * Tells cheaply that a path does not exist. Built-in lists name many files,
 * most of which are missing. A directory in the name index answers for all its
 * names. Else a lookup costs half of an attempt to open; a small directory that
 * is asked about often is read once; and everything in a missing directory is
 * free.
 */
enum {
	W_EXISTENCE_CACHE_DIRS = 64,
	W_EXISTENCE_CACHE_BITS = 2048
};

struct w_existence_cache_dir {
	char *path;
	size_t len;
	int state;
	unsigned asked;
	const struct w_name_index_dir *indexed; /* NULL: not in the index */
	uint64_t
	    names[W_EXISTENCE_CACHE_BITS / 64]; /* a bit for each name's hash */
};

/* Initialise to zeros, or to an index. */
struct w_existence_cache {
	struct w_name_index *index; /* borrowed; NULL: none */
	struct w_existence_cache_dir *dirs;
	size_t count;
};

/* Whether an absolute path may exist; false only if it is certainly missing. */
bool w_existence_cache_may_exist(
    struct w_existence_cache *cache, const char *path);

/* The same, and what lstat() says of the path: a mode of 0 if it fails for
 * another reason than that nothing is there. */
bool w_existence_cache_look(
    struct w_existence_cache *cache, const char *path, struct stat *out_st);

/* Tells the cache what stat() said of a directory that will be asked about
 * often: it saves one, and a small directory is read at the first question. */
void w_existence_cache_know(struct w_existence_cache *cache, const char *path,
    size_t len, const struct stat *st);
void w_existence_cache_done(struct w_existence_cache *cache);

#endif /* W_SANDBOX_EXISTENCE_CACHE_H */
