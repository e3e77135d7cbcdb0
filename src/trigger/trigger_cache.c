/* SPDX-License-Identifier: Apache-2.0 */

/* A table of directories with open addressing, at most half full. */

#include "trigger/trigger_cache.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#define SLOTS ((size_t)W_TRIGGER_CACHE_DIRS * 2)

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

struct w_trigger_cache {
	unsigned settle_ms;
	struct timespec settled; /* what changed before it can be kept */
	uint64_t search;
	bool is_full; /* of what this search has met */
	size_t count;
	size_t hits;
	struct w_trigger_dir *slots[SLOTS];
	struct w_trigger_dir *room[W_TRIGGER_CACHE_DIRS];
};

struct w_trigger_cache *
w_trigger_cache_new(unsigned settle_ms)
{
	struct w_trigger_cache *cache = calloc(1, sizeof(*cache));

	if (cache != NULL)
		cache->settle_ms = settle_ms;
	return cache;
}

void
w_trigger_cache_free(struct w_trigger_cache *cache)
{
	for (size_t i = 0; cache != NULL && i < SLOTS; i++)
		free(cache->slots[i]);
	free(cache);
}

size_t
w_trigger_cache_hits(const struct w_trigger_cache *cache)
{
	return cache->hits;
}

static bool
is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static bool
is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Those whose change time nobody can set, neither a command nor a server, and
 * where an inode number is one directory's alone: snapshots of btrfs share
 * numbers and times. */
static bool
keeps_times(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return false;
	switch ((unsigned long)fs.f_type) {
	case EXT4_SUPER_MAGIC:
	case F2FS_SUPER_MAGIC:
	case OVERLAYFS_SUPER_MAGIC:
	case TMPFS_MAGIC:
	case XFS_SUPER_MAGIC:
		return true;
	default:
		return false;
	}
}

bool
w_trigger_cache_begin(struct w_trigger_cache *cache, int root_fd)
{
	const unsigned settle_ms = cache->settle_ms;
	struct timespec now;

	if (!keeps_times(root_fd) ||
	    clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0)
		return false;
	now.tv_sec -= settle_ms / 1000;
	now.tv_nsec -= (long)(settle_ms % 1000) * 1000000;
	if (now.tv_nsec < 0) {
		now.tv_sec--;
		now.tv_nsec += 1000000000;
	}
	cache->settled = now;
	cache->search++;
	cache->is_full = false;
	return true;
}

/* Where it is, or where it would be. */
static size_t
slot_of(const struct w_trigger_cache *cache, dev_t dev, ino_t ino)
{
	size_t at = (size_t)(((uint64_t)ino ^ (uint64_t)dev << 32) *
				 UINT64_C(0x9e3779b97f4a7c15) >>
			     32) %
		    SLOTS;

	while (cache->slots[at] != NULL &&
	       (cache->slots[at]->ino != ino || cache->slots[at]->dev != dev))
		at = (at + 1) % SLOTS;
	return at;
}

const struct w_trigger_dir *
w_trigger_cache_find(struct w_trigger_cache *cache, const struct stat *found)
{
	struct w_trigger_dir *dir =
	    cache->slots[slot_of(cache, found->st_dev, found->st_ino)];

	if (dir == NULL || dir->links != found->st_nlink ||
	    !is_same_time(&dir->changed, &found->st_ctim) ||
	    !is_same_time(&dir->modified, &found->st_mtim))
		return NULL;
	dir->seen = cache->search;
	cache->hits++;
	return dir;
}

/* Forgets the directories that this search has not met so far. */
static void
make_room(struct w_trigger_cache *cache)
{
	struct w_trigger_dir **kept = cache->room;
	size_t count = 0;

	for (size_t i = 0; i < SLOTS; i++) {
		struct w_trigger_dir *dir = cache->slots[i];

		cache->slots[i] = NULL;
		if (dir != NULL && dir->seen == cache->search)
			kept[count++] = dir;
		else
			free(dir);
	}
	for (size_t i = 0; i < count; i++)
		cache->slots[slot_of(cache, kept[i]->dev, kept[i]->ino)] =
		    kept[i];
	cache->count = count;
	cache->is_full = count == W_TRIGGER_CACHE_DIRS;
}

void
w_trigger_cache_keep(struct w_trigger_cache *cache, const struct stat *found,
    size_t entries, const char *names, size_t len)
{
	size_t at = slot_of(cache, found->st_dev, found->st_ino);

	if (!is_before(&found->st_ctim, &cache->settled) ||
	    len > W_TRIGGER_CACHE_NAMES || cache->is_full)
		return;
	if (cache->slots[at] == NULL && cache->count == W_TRIGGER_CACHE_DIRS) {
		make_room(cache);
		at = slot_of(cache, found->st_dev, found->st_ino);
	}
	struct w_trigger_dir *dir =
	    cache->is_full ? NULL : malloc(sizeof(*dir) + len);
	if (dir == NULL)
		return;
	*dir = (struct w_trigger_dir){
	    .dev = found->st_dev,
	    .ino = found->st_ino,
	    .links = found->st_nlink,
	    .changed = found->st_ctim,
	    .modified = found->st_mtim,
	    .seen = cache->search,
	    .entries = entries,
	    .len = len,
	};
	if (len > 0)
		memcpy(dir->names, names, len);
	cache->count += cache->slots[at] == NULL;
	free(cache->slots[at]);
	cache->slots[at] = dir;
}
