/* SPDX-License-Identifier: Apache-2.0 */

/* Measures a large directory in small parts, so that no part keeps the engine's
 * other runs waiting. */

#include "run/limits/disk_walk.h"

#include <fcntl.h>
#include <string.h>

#include "base/auto.h"
#include "run/limits/disk.h"

enum {
	ENTRIES = 2000 /* about two milliseconds */
};

/* Closes the descriptor, which may be -1. */
static void
enter(struct w_disk_walk *walk, int fd)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL)
		w_close(&fd);
	else
		walk->levels[walk->depth++] = dir;
}

static void
look_at(struct w_disk_walk *walk, const char *name)
{
	const int dir = dirfd(walk->levels[walk->depth - 1]);
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    st.st_dev != walk->dev)
		return;
	walk->files++;
	walk->bytes += w_disk_share(&st);
	if (S_ISDIR(st.st_mode) && walk->depth < W_DISK_WALK_DEPTH)
		enter(
		    walk, openat(dir, name,
			      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

static void
leave(struct w_disk_walk *walk)
{
	(void)closedir(walk->levels[--walk->depth]);
	if (walk->depth > 0)
		return;
	walk->last_bytes = walk->bytes;
	walk->last_files = walk->files;
	walk->bytes = 0;
	walk->files = 0;
}

void
w_disk_walk_on(struct w_disk_walk *walk, int dir_fd)
{
	const struct dirent *entry;
	struct stat st;

	if (walk->depth == 0 && fstat(dir_fd, &st) == 0) {
		walk->dev = st.st_dev;
		enter(walk,
		    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	}
	for (int i = 0; i < ENTRIES && walk->depth > 0; i++) {
		entry = readdir(walk->levels[walk->depth - 1]);
		if (entry == NULL)
			leave(walk);
		else if (strcmp(entry->d_name, ".") != 0 &&
			 strcmp(entry->d_name, "..") != 0)
			look_at(walk, entry->d_name);
	}
}

uint64_t
w_disk_walk_bytes(const struct w_disk_walk *walk)
{
	return walk->bytes > walk->last_bytes ? walk->bytes : walk->last_bytes;
}

uint64_t
w_disk_walk_files(const struct w_disk_walk *walk)
{
	return walk->files > walk->last_files ? walk->files : walk->last_files;
}

void
w_disk_walk_done(struct w_disk_walk *walk)
{
	while (walk->depth > 0)
		leave(walk);
}
