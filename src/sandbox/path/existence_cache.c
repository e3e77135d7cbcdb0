/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Remembers which paths do not exist.
 *
 * A wrong "does not exist" would leave a secret visible, so every doubt is a
 * "maybe" that the caller must look up: only ENOENT counts; a directory listing
 * is trusted only if it was read to its end and has no names outside ASCII,
 * which a case-insensitive file system may match with one of ours.
 */

#include "sandbox/path/existence_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/auto.h"

enum {
	/* measured: reading a large directory costs more than forty lookups */
	SMALL = 4096,
	/* getdents64() needs twice the room of short names on the disk */
	BLOCK = 2 * SMALL,
	WORTH_READING = 3
};

enum {
	PLAIN,   /* look up each path */
	COUNTED, /* the same, until reading it pays off */
	LISTED,
	INDEXED,
	ABSENT
};

static bool
existence_cache_is_missing(const char *path, struct stat *out_st)
{
	return fstatat(AT_FDCWD, path, out_st, AT_SYMLINK_NOFOLLOW) < 0 &&
	       errno == ENOENT;
}

/* The bit of a name, ignoring case. */
static size_t
hash(const char *name, size_t len)
{
	uint32_t value = 2166136261U;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c >= 'A' && c <= 'Z')
			c |= 0x20;
		value = (value ^ c) * 16777619U;
	}
	return (value ^ value >> 15) % W_EXISTENCE_CACHE_BITS;
}

static bool
is_ascii(const char *name)
{
	while (*name != '\0' && (unsigned char)*name < 0x80)
		name++;
	return *name == '\0';
}

static bool
existence_cache_add_names(
    struct w_existence_cache_dir *dir, const char *block, size_t len)
{
	for (size_t at = 0; at < len;) {
		const struct dirent64 *entry = (const void *)(block + at);
		size_t bit = hash(entry->d_name, strlen(entry->d_name));

		if (!is_ascii(entry->d_name))
			return false;
		dir->names[bit / 64] |= UINT64_C(1) << bit % 64;
		at += entry->d_reclen;
	}
	return true;
}

/* Whether a directory certainly lacks a name. */
static bool
existence_cache_lacks(
    const struct w_existence_cache_dir *dir, const char *name, size_t len)
{
	const size_t bit = hash(name, len);

	if (dir->state == INDEXED)
		return w_name_index_lacks(dir->indexed, name, len);
	return dir->state == ABSENT ||
	       (dir->state == LISTED &&
		   (dir->names[bit / 64] >> bit % 64 & 1) == 0);
}

static int
read_dir(struct w_existence_cache_dir *dir)
{
	_Alignas(struct dirent64) char block[BLOCK];
	W_AUTO_FD int fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return PLAIN;
	long got = syscall(SYS_getdents64, fd, block, sizeof(block));
	if (got < 0 || !existence_cache_add_names(dir, block, (size_t)got))
		return PLAIN;
	got = syscall(SYS_getdents64, fd, block, sizeof(block));
	return got == 0 ? LISTED : PLAIN;
}

static struct w_existence_cache_dir *
existence_cache_find_dir(
    const struct w_existence_cache *cache, const char *path, size_t len)
{
	for (size_t i = 0; i < cache->count; i++) {
		const struct w_existence_cache_dir *dir = &cache->dirs[i];

		if (dir->len == len && memcmp(dir->path, path, len) == 0)
			return &cache->dirs[i];
	}
	return NULL;
}

/* What is known of a directory that exists. */
static void
existence_cache_enter(struct w_existence_cache *cache,
    struct w_existence_cache_dir *dir, const struct stat *st)
{
	dir->indexed = cache->index == NULL || !S_ISDIR(st->st_mode)
			   ? NULL
			   : w_name_index_find(cache->index, dir->path, st);
	if (dir->indexed != NULL)
		dir->state = INDEXED;
	else
		dir->state = st->st_size <= SMALL ? COUNTED : PLAIN;
}

/* NULL: no room or no memory; then each path is looked up. */
static struct w_existence_cache_dir *
existence_cache_add_dir(struct w_existence_cache *cache, const char *path,
    size_t len, const struct stat *known)
{
	const char *slash = memrchr(path, '/', len);
	const struct w_existence_cache_dir *parent =
	    slash == NULL
		? NULL
		: existence_cache_find_dir(cache, path, (size_t)(slash - path));
	struct stat st;

	if (cache->dirs == NULL)
		cache->dirs =
		    calloc(W_EXISTENCE_CACHE_DIRS, sizeof(*cache->dirs));
	if (cache->dirs == NULL || cache->count == W_EXISTENCE_CACHE_DIRS)
		return NULL;
	struct w_existence_cache_dir *dir = &cache->dirs[cache->count];
	dir->path = strndup(path, len);
	if (dir->path == NULL)
		return NULL;
	dir->len = len;
	cache->count++;
	if (known != NULL)
		existence_cache_enter(cache, dir, known);
	else if (parent != NULL && existence_cache_lacks(parent, slash + 1,
				       len - (size_t)(slash + 1 - path)))
		dir->state = ABSENT;
	else if (stat(dir->path, &st) == 0)
		existence_cache_enter(cache, dir, &st);
	else if (errno == ENOENT)
		dir->state = ABSENT;
	return dir;
}

/* Whether a path is certainly missing, without looking it up. *out_is_listed:
 * nothing but a lookup could say more. */
static bool
existence_cache_is_known_missing(
    struct w_existence_cache *cache, const char *path, bool *out_is_listed)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash != NULL ? (size_t)(slash - path) : 0;

	*out_is_listed = len == 0;
	if (len == 0)
		return false;
	struct w_existence_cache_dir *dir =
	    existence_cache_find_dir(cache, path, len);
	if (dir == NULL)
		dir = existence_cache_add_dir(cache, path, len, NULL);
	if (dir == NULL)
		return false;
	if (dir->state == COUNTED && ++dir->asked >= WORTH_READING)
		dir->state = read_dir(dir);
	*out_is_listed = dir->state == LISTED || dir->state == INDEXED;
	return existence_cache_lacks(dir, slash + 1, strlen(slash + 1));
}

bool
w_existence_cache_may_exist(struct w_existence_cache *cache, const char *path)
{
	bool is_listed;
	struct stat st;

	if (existence_cache_is_known_missing(cache, path, &is_listed))
		return false;
	return is_listed || !existence_cache_is_missing(path, &st);
}

bool
w_existence_cache_look(
    struct w_existence_cache *cache, const char *path, struct stat *out_st)
{
	bool is_listed;

	out_st->st_mode = 0;
	return !existence_cache_is_known_missing(cache, path, &is_listed) &&
	       !existence_cache_is_missing(path, out_st);
}

void
w_existence_cache_know(struct w_existence_cache *cache, const char *path,
    size_t len, const struct stat *st)
{
	struct w_existence_cache_dir *dir = NULL;

	if (existence_cache_find_dir(cache, path, len) == NULL)
		dir = existence_cache_add_dir(cache, path, len, st);
	if (dir != NULL)
		dir->asked = WORTH_READING - 1;
}

void
w_existence_cache_done(struct w_existence_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++)
		free(cache->dirs[i].path);
	free(cache->dirs);
	*cache = (struct w_existence_cache){0};
}
