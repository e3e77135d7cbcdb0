/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The file of a name index: a header, then one entry after the other, each
 * with its bits behind it. Numbers are this machine's.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"
#include "os/replace.h"
#include "sandbox/path/name_index.h"

enum {
	BITS_MIN = 512,
	/* All directories with all their bits. */
	FILE_MAX = W_NAME_INDEX_DIRS * (W_NAME_INDEX_BITS / 8 + 64)
};

static const char magic[8] = "writdir1";

struct name_index_entry {
	uint64_t dev;
	uint64_t ino;
	int64_t size;
	int64_t changed_ns;
	uint64_t bit_count;
};

static bool
is_bit_count(uint64_t count)
{
	return count >= BITS_MIN && count <= W_NAME_INDEX_BITS &&
	       (count & (count - 1)) == 0;
}

/* Reads one entry. Its end, or NULL. */
static const char *
name_index_entry_read(
    struct w_name_index_dir *dir, const char *at, const char *end)
{
	struct name_index_entry entry;

	if ((size_t)(end - at) < sizeof(entry))
		return NULL;
	memcpy(&entry, at, sizeof(entry));
	at += sizeof(entry);
	const size_t size = entry.bit_count / 8;
	if (!is_bit_count(entry.bit_count) || (size_t)(end - at) < size)
		return NULL;
	dir->bits = malloc(size);
	if (dir->bits == NULL)
		return NULL;
	memcpy(dir->bits, at, size);
	dir->mark = (struct w_file_mark){.dev = entry.dev,
	    .ino = entry.ino,
	    .size = entry.size,
	    .changed_ns = entry.changed_ns};
	dir->bit_count = (uint32_t)entry.bit_count;
	return at + size;
}

bool
w_name_index_parse(struct w_name_index *index, const void *bytes, size_t len)
{
	const char *at = bytes;
	const char *end = at + len;

	if (len < sizeof(magic) || memcmp(at, magic, sizeof(magic)) != 0)
		return false;
	index->dirs = calloc(W_NAME_INDEX_DIRS, sizeof(*index->dirs));
	if (index->dirs == NULL)
		return false;
	at += sizeof(magic);
	while (at != NULL && at != end && index->count < W_NAME_INDEX_DIRS) {
		at = name_index_entry_read(&index->dirs[index->count], at, end);
		if (at != NULL)
			index->count++;
	}
	if (at == end && index->count < W_NAME_INDEX_DIRS)
		return true;
	while (index->count > 0)
		free(index->dirs[--index->count].bits);
	return at == end;
}

/* Opens a file of the state directory. Only the user himself may have written
 * it. */
static int
name_index_open(const char *state_dir, struct stat *out_st)
{
	W_AUTO_FD int dir =
	    open(state_dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	const int fd =
	    dir < 0 ? -1
		    : openat(dir, W_NAME_INDEX_FILE,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1; /* ENOENT: there is none yet */
	if (fstat(fd, out_st) == 0 && S_ISREG(out_st->st_mode) &&
	    out_st->st_uid == geteuid() && (out_st->st_mode & 0077) == 0 &&
	    out_st->st_size <= FILE_MAX)
		return fd;
	(void)close(fd);
	errno = EPERM;
	return -1;
}

void
w_name_index_read(struct w_name_index *index)
{
	struct stat st;

	index->was_read = true;
	if (index->state_dir == NULL)
		return;
	W_AUTO_FD int fd = name_index_open(index->state_dir, &st);
	index->is_new = fd < 0 && errno == ENOENT;
	W_AUTO_FREE char *bytes =
	    fd < 0 ? NULL : malloc((size_t)st.st_size + 1);
	if (bytes == NULL)
		return;
	const ssize_t len = read(fd, bytes, (size_t)st.st_size + 1);
	if (len == (ssize_t)st.st_size)
		(void)w_name_index_parse(index, bytes, (size_t)len);
}

/* Whether a later entry tells of the same directory. */
static bool
is_superseded(const struct w_name_index *index, size_t i)
{
	const struct w_file_mark *mark = &index->dirs[i].mark;

	while (++i < index->count) {
		if (index->dirs[i].mark.ino == mark->ino &&
		    index->dirs[i].mark.dev == mark->dev)
			return true;
	}
	return false;
}

void
w_name_index_write(const struct w_name_index *index)
{
	const struct w_replace how = {.mode = 0600, .may_replace = true};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, FILE_MAX);
	w_buf_add(&text, magic, sizeof(magic));
	for (size_t i = 0; i < index->count; i++) {
		const struct w_name_index_dir *dir = &index->dirs[i];
		const struct name_index_entry entry = {.dev = dir->mark.dev,
		    .ino = dir->mark.ino,
		    .size = dir->mark.size,
		    .changed_ns = dir->mark.changed_ns,
		    .bit_count = dir->bit_count};

		if (is_superseded(index, i))
			continue;
		w_buf_add(&text, &entry, sizeof(entry));
		w_buf_add(&text, dir->bits, dir->bit_count / 8);
	}
	W_AUTO_FD int state = open(
	    index->state_dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (index->is_new && index->count == 0) {
		/* An empty file says the same as an empty index. */
		W_AUTO_FD int made = state < 0
					 ? -1
					 : openat(state, W_NAME_INDEX_FILE,
					       O_WRONLY | O_CREAT | O_EXCL |
						   O_NOFOLLOW | O_CLOEXEC,
					       0600);
		(void)made;
		return;
	}
	/* A cache that cannot be written is made again. */
	if (state >= 0 && !text.failed)
		(void)w_replace_file(
		    state, W_NAME_INDEX_FILE, text.data, text.len, &how);
}
