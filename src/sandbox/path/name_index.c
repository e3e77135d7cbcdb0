/* SPDX-License-Identifier: Apache-2.0 */

/* Which names the directories of a machine have. See name_index.h. */

#include "sandbox/path/name_index.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"

enum {
	BLOCK = 8192,
	BITS_MIN = 512,
	BITS_PER_NAME = 32,
	NS_PER_S = 1000000000
};

/* The same for names that differ in the case of ASCII letters only. */
static uint32_t
name_hash(const char *name, size_t len)
{
	uint32_t value = 2166136261U;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c >= 'A' && c <= 'Z')
			c |= 0x20;
		value = (value ^ c) * 16777619U;
	}
	/* Only the low bits are used: all others have to reach them. */
	value = (value ^ value >> 16) * 0x85ebca6bU;
	value = (value ^ value >> 13) * 0xc2b2ae35U;
	return value ^ value >> 16;
}

bool
w_name_index_lacks(
    const struct w_name_index_dir *dir, const char *name, size_t len)
{
	const uint32_t bit = name_hash(name, len) & (dir->bit_count - 1);

	return (dir->bits[bit / 64] >> bit % 64 & 1) == 0;
}

/* The hashes of all names of a directory. false: it cannot be indexed. */
static bool
name_index_list(int fd, uint32_t *hashes, size_t *out_count)
{
	_Alignas(struct dirent64) char block[BLOCK];
	size_t count = 0;

	for (;;) {
		const long got =
		    syscall(SYS_getdents64, fd, block, sizeof(block));

		if (got <= 0) {
			*out_count = count;
			return got == 0;
		}
		for (long at = 0; at < got;) {
			const struct dirent64 *entry =
			    (const void *)(block + at);
			const char *name = entry->d_name;
			const size_t len = strlen(name);

			for (size_t i = 0; i < len; i++) {
				if ((unsigned char)name[i] >= 0x80)
					return false;
			}
			at += entry->d_reclen;
			if (strspn(name, ".") == len && len <= 2)
				continue;
			if (count == W_NAME_INDEX_NAMES)
				return false;
			hashes[count++] = name_hash(name, len);
		}
	}
}

/* Fills an entry. false: this directory gets none. */
static bool
name_index_fill(struct w_name_index_dir *dir, int fd)
{
	W_AUTO_FREE uint32_t *hashes =
	    malloc(W_NAME_INDEX_NAMES * sizeof(*hashes));
	size_t count;

	if (hashes == NULL || !name_index_list(fd, hashes, &count))
		return false;
	dir->bit_count = BITS_MIN;
	while (dir->bit_count < count * BITS_PER_NAME)
		dir->bit_count *= 2;
	dir->bits = calloc(dir->bit_count / 64, sizeof(*dir->bits));
	if (dir->bits == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		const uint32_t bit = hashes[i] & (dir->bit_count - 1);

		dir->bits[bit / 64] |= UINT64_C(1) << bit % 64;
	}
	return true;
}

static bool
is_old(const struct w_file_mark *mark)
{
	struct timespec now;

	return clock_gettime(CLOCK_REALTIME, &now) == 0 &&
	       mark->changed_ns / NS_PER_S + W_NAME_INDEX_AGE_S <= now.tv_sec;
}

/* Remembers a directory that is to be listed. */
static void
name_index_want(struct w_name_index *index, const char *path)
{
	if (index->state_dir != NULL && index->wanted.count < W_NAME_INDEX_DIRS)
		(void)w_words_add(&index->wanted, path, strlen(path));
}

const struct w_name_index_dir *
w_name_index_find(
    struct w_name_index *index, const char *path, const struct stat *st)
{
	const struct w_file_mark mark = w_file_mark_of(st);

	if (!index->was_read)
		w_name_index_read(index);
	for (size_t i = 0; i < index->count; i++) {
		if (w_file_mark_is_same(&index->dirs[i].mark, &mark))
			return &index->dirs[i];
	}
	if (is_old(&mark))
		name_index_want(index, path);
	return NULL;
}

/* Adds a directory, unless it changes meanwhile. */
static bool
name_index_add(struct w_name_index *index, const char *path)
{
	struct stat before, after;
	W_AUTO_FD int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &before) < 0)
		return false;
	struct w_name_index_dir dir = {.mark = w_file_mark_of(&before)};
	if (!is_old(&dir.mark) || !w_file_mark_is_settled(&dir.mark, fd) ||
	    !name_index_fill(&dir, fd))
		return false;
	if (fstat(fd, &after) < 0)
		after = (struct stat){0};
	const struct w_file_mark mark = w_file_mark_of(&after);
	if (!w_file_mark_is_same(&dir.mark, &mark)) {
		free(dir.bits);
		return false;
	}
	index->dirs[index->count++] = dir;
	return true;
}

void
w_name_index_done(struct w_name_index *index)
{
	bool has_changed = index->is_new;

	if (index->wanted.count > 0 && index->dirs == NULL)
		index->dirs = calloc(W_NAME_INDEX_DIRS, sizeof(*index->dirs));
	for (size_t i = 0; i < index->wanted.count; i++) {
		if (index->dirs != NULL && index->count < W_NAME_INDEX_DIRS &&
		    !index->is_new &&
		    name_index_add(index, index->wanted.items[i]))
			has_changed = true;
	}
	if (has_changed && index->wanted.count > 0)
		w_name_index_write(index);
	for (size_t i = 0; index->dirs != NULL && i < index->count; i++)
		free(index->dirs[i].bits);
	free(index->dirs);
	w_words_done(&index->wanted);
	*index = (struct w_name_index){0};
}
