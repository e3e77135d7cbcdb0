/* SPDX-License-Identifier: Apache-2.0 */

/* Tells whether a file has changed. */

#include "os/file_mark.h"

#include <linux/magic.h>
#include <stddef.h>
#include <sys/vfs.h>
#include <time.h>

enum {
	SETTLED_S = 2,
	NS_PER_S = 1000000000
};

struct w_file_mark
w_file_mark_of(const struct stat *st)
{
	return (struct w_file_mark){
	    .dev = st->st_dev,
	    .ino = st->st_ino,
	    .size = st->st_size,
	    .changed_ns =
		(int64_t)st->st_ctim.tv_sec * NS_PER_S + st->st_ctim.tv_nsec,
	};
}

bool
w_file_mark_is_same(
    const struct w_file_mark *mark, const struct w_file_mark *other)
{
	return mark->changed_ns != 0 && mark->ino == other->ino &&
	       mark->dev == other->dev && mark->size == other->size &&
	       mark->changed_ns == other->changed_ns;
}

/* Whether changes by others are visible here at once. */
static bool
is_local(int fd)
{
	static const unsigned long local[] = {BTRFS_SUPER_MAGIC,
	    EXT4_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC,
	    XFS_SUPER_MAGIC};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++) {
		if ((unsigned long)fs.f_type == local[i])
			return true;
	}
	return false;
}

bool
w_file_mark_is_settled(const struct w_file_mark *mark, int fd)
{
	struct timespec now;

	return clock_gettime(CLOCK_REALTIME, &now) == 0 &&
	       mark->changed_ns / NS_PER_S + SETTLED_S <= now.tv_sec &&
	       is_local(fd);
}
