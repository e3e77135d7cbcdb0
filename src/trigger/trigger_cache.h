/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_CACHE_H
#define W_TRIGGER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

/*
 * What directories of a project hold, between the searches of one engine: the
 * names that a search acts on. A search opens each directory again, and looks
 * at each trigger again; it only does not read all names of a directory that is
 * as it was.
 *
 * A directory is as it was if its device, inode, number of links and change
 * time are. A command can set the other times, and can make another directory
 * in its place, but the change time of a directory is always that of its last
 * change. Two changes can have the same: the clock of files ticks. So a
 * directory that has just changed is read again, until its last change is older
 * than the coarsest tick of a file system.
 */

enum {
	W_TRIGGER_CACHE_DIRS = 4096,
	W_TRIGGER_CACHE_NAMES = 8192, /* bytes, of one directory */
	W_TRIGGER_CACHE_SETTLE_MS = 2500,
};

struct w_trigger_cache;

/* A directory that is known. */
struct w_trigger_dir {
	dev_t dev;
	ino_t ino;
	nlink_t links;
	struct timespec changed;
	struct timespec modified;
	uint64_t seen;  /* number of the last search that met it */
	size_t entries; /* all of them, for the maximum */
	size_t len;
	char names[]; /* each: its type (DT_...), then a string */
};

/* NULL: no memory. settle_ms: W_TRIGGER_CACHE_SETTLE_MS, less in tests. */
struct w_trigger_cache *w_trigger_cache_new(unsigned settle_ms);
void w_trigger_cache_free(struct w_trigger_cache *cache);

/* Before a search. false: nothing on the file system of root_fd may be kept. */
bool w_trigger_cache_begin(struct w_trigger_cache *cache, int root_fd);

/* Borrowed until the next call; NULL: it has to be read. found is its status,
 * taken before it is read. */
const struct w_trigger_dir *w_trigger_cache_find(
    struct w_trigger_cache *cache, const struct stat *found);

/* Keeps it if its last change is old enough, and there is room. */
void w_trigger_cache_keep(struct w_trigger_cache *cache,
    const struct stat *found, size_t entries, const char *names, size_t len);

/* Directories that were found. */
size_t w_trigger_cache_hits(const struct w_trigger_cache *cache);

#endif /* W_TRIGGER_CACHE_H */
