/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_NAME_INDEX_H
#define W_SANDBOX_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/words.h"
#include "os/file_mark.h"

/*
 * Which names the directories of a machine have.
 *
 * A sandbox hides files by lists with hundreds of names, most of which are
 * missing. The index says so for a directory that has not changed for a while,
 * at the price of one stat() of the directory. It is kept in a file of the
 * state directory, so that the next process has it too.
 *
 * Invariants
 *  1. It only ever says that a name is missing. A wrong "missing" would leave
 *     a secret visible; a wrong "maybe" costs a look-up.
 *  2. An entry holds for one state of one directory: device, inode, size and
 *     time of change, which nobody can set. An entry is made only when the
 *     directory was as it is for W_NAME_INDEX_AGE_S, so the coarse clock of a
 *     file system cannot hide a change.
 *  3. The file is a cache: one that is missing, damaged or of somebody else is
 *     an empty one. Nothing fails because of it.
 *
 * A full index says nothing of further directories, and is empty for the next
 * process.
 *
 * Threads: an index belongs to its engine's thread. Two engines may have the
 * same file; the last writer wins.
 */
enum {
	W_NAME_INDEX_AGE_S = 60,    /* unchanged for so long */
	W_NAME_INDEX_DIRS = 128,    /* directories in an index */
	W_NAME_INDEX_NAMES = 4096,  /* names in a directory of the index */
	W_NAME_INDEX_BITS = 1 << 17 /* for the names of a directory, at most */
};

/* The name of its file in the state directory. */
#define W_NAME_INDEX_FILE "directories"

/* The names of one directory: a bit for each name's hash, ignoring case. */
struct w_name_index_dir {
	struct w_file_mark mark;
	uint32_t bit_count; /* a power of two, from 512 */
	uint64_t *bits;
};

/* All zero is an empty index without a file. */
struct w_name_index {
	const char *state_dir; /* borrowed; NULL: it is not kept */
	struct w_name_index_dir *dirs;
	size_t count;
	struct w_words wanted; /* directories to be listed at the end */
	bool was_read;
	bool is_new; /* there was no file: this process may stay the only one,
			so it lists nothing */
};

/*
 * The names of a directory, from its path and what stat() said of it. NULL: it
 * has changed lately, it is too large, or it has names outside ASCII, which a
 * file system that ignores case could match with one of ours. Borrowed until
 * w_name_index_done().
 */
const struct w_name_index_dir *w_name_index_find(
    struct w_name_index *index, const char *path, const struct stat *st);

/* Whether the directory certainly lacks a name. */
bool w_name_index_lacks(
    const struct w_name_index_dir *dir, const char *name, size_t len);

/* Frees it. Directories that it lacked are listed first, and it is written: the
 * next process has them. */
void w_name_index_done(struct w_name_index *index);

/* ---- name_index_file.c ---- */

/* Reads the index from bytes. false: they are none; the index is empty. */
bool w_name_index_parse(
    struct w_name_index *index, const void *bytes, size_t len);
void w_name_index_read(struct w_name_index *index);
void w_name_index_write(const struct w_name_index *index);

#endif /* W_SANDBOX_NAME_INDEX_H */
