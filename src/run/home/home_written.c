/* SPDX-License-Identifier: Apache-2.0 */

#include "run/home/home_written.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/auto.h"

enum {
	DEPTH_MAX = 64,
	ROWS_MAX = 1000,
	ENTRIES_MAX = 200000
};

struct home_written {
	w_home_written_fn tell;
	void *ctx;
	size_t rows;
	size_t entries;
	bool is_cut;
};

static DIR *
open_below(int dir_fd, const char *name)
{
	int fd = openat(
	    dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL)
		w_close(&fd);
	return dir;
}

/* The next entry that is looked at; NULL: none, or enough were. */
static const struct dirent *
home_written_next(struct home_written *self, DIR *dir)
{
	const struct dirent *entry;

	do
		entry = readdir(dir);
	while (entry != NULL && (strcmp(entry->d_name, ".") == 0 ||
				    strcmp(entry->d_name, "..") == 0));
	if (entry != NULL && self->entries++ < ENTRIES_MAX)
		return entry;
	self->is_cut |= entry != NULL;
	return NULL;
}

static void
home_written_count(struct home_written *self, int dir_fd, const char *name,
    int depth, struct w_home_written *row)
{
	const struct dirent *entry;
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		self->is_cut = true;
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		/* How an overlay says that something was deleted. */
		const bool is_gone = S_ISCHR(st.st_mode) && st.st_rdev == 0;

		row->is_deleted |= is_gone && depth == 0;
		row->files += !is_gone;
		row->bytes += S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
		return;
	}
	DIR *dir = depth < DEPTH_MAX ? open_below(dir_fd, name) : NULL;
	self->is_cut |= dir == NULL;
	while (dir != NULL && (entry = home_written_next(self, dir)) != NULL)
		home_written_count(
		    self, dirfd(dir), entry->d_name, depth + 1, row);
	if (dir != NULL)
		(void)closedir(dir);
}

static void
home_written_tell(
    struct home_written *self, const char *above, int dir_fd, const char *name)
{
	char path[2 * NAME_MAX + 2];
	struct w_home_written row = {.path = path};

	(void)snprintf(path, sizeof(path), "%s%s%s", above,
	    above[0] == '\0' ? "" : "/", name);
	home_written_count(self, dir_fd, name, 0, &row);
	if (row.files == 0 && !row.is_deleted)
		return;
	if (self->rows++ < ROWS_MAX)
		self->tell(self->ctx, &row);
	else
		self->is_cut = true;
}

/* A directory of HOME: a row for each of its entries. */
static void
look_into(struct home_written *self, int upper_fd, const char *name)
{
	const struct dirent *entry;
	DIR *dir = open_below(upper_fd, name);

	if (dir == NULL) {
		home_written_tell(self, "", upper_fd, name);
		return;
	}
	while ((entry = home_written_next(self, dir)) != NULL)
		home_written_tell(self, name, dirfd(dir), entry->d_name);
	(void)closedir(dir);
}

bool
w_dotdirs_written(int upper_fd, w_home_written_fn tell, void *ctx)
{
	struct home_written self = {.tell = tell, .ctx = ctx};
	const struct dirent *entry;
	DIR *dir = open_below(upper_fd, ".");

	if (dir == NULL)
		return false;
	while ((entry = home_written_next(&self, dir)) != NULL)
		look_into(&self, upper_fd, entry->d_name);
	(void)closedir(dir);
	return !self.is_cut;
}
