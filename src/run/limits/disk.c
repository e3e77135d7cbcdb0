/* SPDX-License-Identifier: Apache-2.0 */

/* Measures how much a private directory holds. */

#include "run/limits/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/auto.h"

enum {
	DEPTH_MAX = 32,
	ENTRIES_MAX = 50000,
	BLOCK = 512
};

struct disk_count {
	dev_t dev;
	uint64_t bytes;
	uint64_t enough;
	unsigned entries;
};

uint64_t
w_disk_share(const struct stat *st)
{
	const uint64_t names = S_ISDIR(st->st_mode) || st->st_nlink == 0
				   ? 1
				   : (uint64_t)st->st_nlink;

	return (uint64_t)st->st_blocks * BLOCK / names;
}

static void count_dir(struct disk_count *count, int fd, int depth);

static void
count_entry(struct disk_count *count, int dir, const char *name, int depth)
{
	struct stat st;

	count->entries++;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    st.st_dev != count->dev)
		return;
	count->bytes += w_disk_share(&st);
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		count_dir(count,
		    openat(dir, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NOATIME |
			    O_CLOEXEC),
		    depth + 1);
}

/* Closes the descriptor, which may be -1. */
static void
count_dir(struct disk_count *count, int fd, int depth)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (dir == NULL) {
		w_close(&fd);
		return;
	}
	while (count->bytes <= count->enough && count->entries <= ENTRIES_MAX &&
	       (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			count_entry(count, dirfd(dir), entry->d_name, depth);
	}
	(void)closedir(dir);
}

uint64_t
w_disk_used(int dir_fd, uint64_t enough)
{
	struct disk_count count = {.enough = enough};
	struct stat st;

	if (fstat(dir_fd, &st) < 0)
		return 0;
	count.dev = st.st_dev;
	count_dir(
	    &count, openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
	return count.bytes;
}

bool
w_disk_is_full(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	return (fs.f_blocks > 0 && fs.f_bfree == 0) ||
	       (fs.f_files > 0 && fs.f_ffree == 0);
}
