/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_TREE_WALK_H
#define W_FILES_TREE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Goes through a directory and those below it, by name. No link is followed. */
struct w_files_entry {
	const char *below; /* path below the directory */
	const char *path;  /* absolute */
	struct stat st;
};

struct w_files_walk {
	uint64_t depth;   /* levels; 0: all */
	bool has_ignored; /* also what is ignored */
	/* Called for each entry, a directory before what is in it. false: stop.
	 */
	bool (*each)(void *ctx, const struct w_files_entry *entry);
	void *ctx;
	bool has_left_out; /* out: something was ignored */
	bool is_cut;       /* out: there was too much */
};

/* 0, or the errno of opening the directory itself; what cannot be opened below
 * it is passed over. */
int w_files_walk(const char *place, struct w_files_walk *walk);

#endif /* W_FILES_TREE_WALK_H */
