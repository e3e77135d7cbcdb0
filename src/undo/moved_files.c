/* SPDX-License-Identifier: Apache-2.0 */

/* Notes on files that writ put back; see moved_files.h. */

#include "undo/moved_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "os/file.h"

#define NOTES "moved"

enum {
	NOTES_MAX = 16 * 1024 * 1024
};

void
w_moved_files_init(struct w_moved_files *moved, int store_fd)
{
	*moved = (struct w_moved_files){.store_fd = store_fd};
	w_buf_init(&moved->fresh, NOTES_MAX);
}

void
w_moved_files_done(struct w_moved_files *moved)
{
	free(moved->items);
	w_buf_done(&moved->fresh);
}

void
w_moved_files_note(struct w_moved_files *moved,
    const struct w_undo_version *version, const struct stat *st)
{
	const struct w_moved_file note = {
	    .dev = version->dev,
	    .ino = version->ino,
	    .from_s = version->ctime_s,
	    .from_ns = version->ctime_ns,
	    .to_s = st->st_ctim.tv_sec,
	    .to_ns = (uint32_t)st->st_ctim.tv_nsec,
	};

	w_buf_add(&moved->fresh, &note, sizeof(note));
}

void
w_moved_files_write(struct w_moved_files *moved)
{
	struct stat st;
	W_AUTO_FD int fd = -1;

	if (moved->fresh.len == 0)
		return;
	fd = openat(moved->store_fd, NOTES,
	    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && fstat(fd, &st) == 0) {
		/* A note that was cut short would shift all that follow. */
		if (st.st_size > NOTES_MAX)
			st.st_size = 0;
		st.st_size -= st.st_size % (off_t)sizeof(struct w_moved_file);
		if (ftruncate(fd, st.st_size) == 0)
			(void)w_file_write_all(
			    fd, moved->fresh.data, moved->fresh.len);
	}
	moved->fresh.len = 0;
}

static void
read_notes(struct w_moved_files *moved)
{
	struct w_buf notes;

	moved->is_read = true;
	w_buf_init(&notes, 2 * NOTES_MAX);
	W_AUTO_FD int fd =
	    openat(moved->store_fd, NOTES, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && w_file_read_all(fd, &notes) == 0 && notes.len > 0) {
		moved->count = notes.len / sizeof(*moved->items);
		moved->items = calloc(moved->count, sizeof(*moved->items));
		if (moved->items == NULL)
			moved->count = 0;
		else
			memcpy(moved->items, notes.data,
			    moved->count * sizeof(*moved->items));
	}
	w_buf_done(&notes);
}

/* One pass from the newest note to the oldest. */
static void
follow_back(const struct w_moved_file *notes, size_t count,
    const struct w_undo_version *version, struct timespec *at)
{
	for (size_t i = count; i-- > 0;) {
		const struct w_moved_file *note = &notes[i];

		if (note->ino != version->ino || note->dev != version->dev ||
		    note->to_s != at->tv_sec ||
		    (long)note->to_ns != at->tv_nsec)
			continue;
		at->tv_sec = note->from_s;
		at->tv_nsec = (long)note->from_ns;
	}
}

/* The change time that the file had before all moves of ours. */
static struct timespec
origin_of(const struct w_moved_files *moved,
    const struct w_undo_version *version, struct timespec at)
{
	follow_back(
	    (const struct w_moved_file *)(const void *)moved->fresh.data,
	    moved->fresh.len / sizeof(*moved->items), version, &at);
	follow_back(moved->items, moved->count, version, &at);
	return at;
}

bool
w_moved_files_explain(struct w_moved_files *moved,
    const struct w_undo_version *version, const struct stat *st)
{
	const struct timespec known = {
	    .tv_sec = version->ctime_s, .tv_nsec = (long)version->ctime_ns};

	if (st->st_ctim.tv_sec == known.tv_sec &&
	    st->st_ctim.tv_nsec == known.tv_nsec)
		return true;
	if (!moved->is_read)
		read_notes(moved);
	/* Another run may have moved it after the version was noted, or
	 * before. */
	const struct timespec was = origin_of(moved, version, known);
	const struct timespec is = origin_of(moved, version, st->st_ctim);
	return is.tv_sec == was.tv_sec && is.tv_nsec == was.tv_nsec;
}
