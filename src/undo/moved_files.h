/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_MOVED_FILES_H
#define W_UNDO_MOVED_FILES_H

#include "undo/change_list.h"

/*
 * Files that writ itself put back into a project. Moving a file changes its
 * change time (ctime), and an older run that left this file there would take
 * that for somebody's edit. So each move is noted, and a version is followed
 * back through the notes.
 */
struct w_moved_file {
	uint64_t dev;
	uint64_t ino;
	int64_t from_s;
	int64_t to_s;
	uint32_t from_ns;
	uint32_t to_ns;
};

struct w_moved_files {
	int store_fd; /* borrowed: where the notes are */
	struct w_moved_file *items;
	size_t count;
	bool is_read;
	struct w_buf fresh; /* noted, not written yet */
};

void w_moved_files_init(struct w_moved_files *moved, int store_fd);
void w_moved_files_done(struct w_moved_files *moved);

/* The file was version when it was last in the project, and is there again as
 * st. */
void w_moved_files_note(struct w_moved_files *moved,
    const struct w_undo_version *version, const struct stat *st);

/* Appends the notes to the file. Best effort: what is lost shows up as a
 * conflict later. */
void w_moved_files_write(struct w_moved_files *moved);

/* Whether the file with this change time is the version, after moves of ours
 * alone. */
bool w_moved_files_explain(struct w_moved_files *moved,
    const struct w_undo_version *version, const struct stat *st);

#endif /* W_UNDO_MOVED_FILES_H */
