/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_FILE_SET_H
#define W_FILES_FILE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "files/file_words.h"
#include "os/stage.h"

/*
 * Files that change together: all of them, or none.
 *
 *   load     each file is opened, looked at and read
 *   change   the caller fills new_text, or sets is_removed
 *   stage    the new files are written, without a name
 *   commit   each gets its name; if one fails, those before it are put back
 *
 * Invariants
 *  1. Until the commit nothing that has a name has changed, except that
 *     directories were made, which go again if it is not reached.
 *  2. What is replaced is the file that was read: the two names are exchanged,
 *     and what came out is compared with it.
 *  3. A file keeps its mode, its owner and its group. Where the sandbox cannot
 *     give a new file the owner, or make one in that directory, the old one is
 *     rewritten in place: only if it has no other name.
 */
struct w_files_change {
	const struct w_files_path *path;
	int dir_fd;
	const char *name; /* in that directory */
	bool exists;
	int fd; /* of the old file; -1: none */
	struct stat st;
	struct w_buf old_text;
	struct w_buf new_text;
	bool is_removed;
	mode_t new_mode; /* of a file that is not there yet; 0: the usual one */
	unsigned made_dirs;

	/* The commit. */
	struct w_stage stage;
	bool is_staged;
	bool is_in_place;
	bool is_done;
	char aside[40]; /* name of the old file meanwhile; "": none */
};

struct w_files_set {
	struct w_files_change *items;
	size_t count;
	size_t cap;
	bool is_applied;
};

/* Adds a file. Fails with a message if it is there and is not wanted, or the
 * other way round. Returns 0, or the exit status. */
enum w_files_wanted {
	W_FILES_ANY,
	W_FILES_PRESENT,
	W_FILES_ABSENT,
};
int w_files_set_load(struct w_files_set *set, const struct w_files_path *path,
    enum w_files_wanted wanted, struct w_files_change **out_change);

/* Stages and commits all of it. 0, or the exit status. */
int w_files_set_apply(struct w_files_set *set);
void w_files_set_done(struct w_files_set *set);

/* Appends the differences, at most W_FILES_DIFF_MAX bytes in all. */
void w_files_set_add_diff(struct w_buf *buf, const struct w_files_set *set);

/* "12 lines" */
void w_files_add_lines(struct w_buf *buf, const struct w_buf *text);

/* file_set_commit.c: 0, or an errno; then *out_failed is the change that
 * failed, and nothing has changed. */
int w_files_set_stage(
    struct w_files_set *set, struct w_files_change **out_failed);
int w_files_set_commit(
    struct w_files_set *set, struct w_files_change **out_failed);

#endif /* W_FILES_FILE_SET_H */
