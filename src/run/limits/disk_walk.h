/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DISK_WALK_H
#define W_RUN_DISK_WALK_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * How much a large directory holds, found in small parts while commands change
 * it. One descriptor is open for each level.
 *
 * Not seen: what lies deeper than W_DISK_WALK_DEPTH levels, files that are
 * deleted and still open, and directories that we may not enter.
 */
enum {
	W_DISK_WALK_DEPTH = 64
};

/* All zero: no walk yet. */
struct w_disk_walk {
	DIR *levels[W_DISK_WALK_DEPTH];
	int depth; /* 0: between two walks */
	dev_t dev;
	uint64_t bytes; /* of this walk, so far */
	uint64_t files;
	uint64_t last_bytes; /* of the last whole walk */
	uint64_t last_files;
};

/* Looks at some more entries of the directory, and begins a new walk after the
 * last one. */
void w_disk_walk_on(struct w_disk_walk *walk, int dir_fd);

/* Bytes and files of the last whole walk, or of this one if it has found more
 * already. */
uint64_t w_disk_walk_bytes(const struct w_disk_walk *walk);
uint64_t w_disk_walk_files(const struct w_disk_walk *walk);

void w_disk_walk_done(struct w_disk_walk *walk);

#endif /* W_RUN_DISK_WALK_H */
