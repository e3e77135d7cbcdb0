/* SPDX-License-Identifier: Apache-2.0 */

/* Directories that are locked while their engine lives. */

#include "run/launch/locked_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"

enum {
	PATH_LEN_MAX = 4096,
	TRIES = 8
};

static int
open_one(int parent_fd, const char *name)
{
	return openat(
	    parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Somebody who cleans up may have been faster. */
static bool
is_there(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink > 0;
}

int
w_locked_dir_make(const char *parent, struct w_locked_dir *out_dir)
{
	for (int i = 0; i < TRIES; i++) {
		W_AUTO_BUF struct w_buf path;

		w_buf_init(&path, PATH_LEN_MAX);
		w_buf_add_fmt(&path, "%s/XXXXXX", parent);
		if (path.failed)
			return ENOMEM;
		if (mkdtemp(path.data) == NULL)
			return errno;
		W_AUTO_FD int fd = open_one(AT_FDCWD, path.data);
		if (fd < 0 && errno != ENOENT)
			return errno;
		if (fd >= 0 && flock(fd, LOCK_EX) == 0 && is_there(fd)) {
			out_dir->path = w_buf_take(&path, NULL);
			out_dir->fd = w_take_fd(&fd);
			return 0;
		}
	}
	return EAGAIN;
}

int
w_locked_dir_open(const char *path, struct w_locked_dir *out_dir)
{
	W_AUTO_FD int fd = open_one(AT_FDCWD, path);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
		return errno;
	if (!is_there(fd))
		return ENOENT;
	out_dir->path = strdup(path);
	if (out_dir->path == NULL)
		return ENOMEM;
	out_dir->fd = w_take_fd(&fd);
	return 0;
}

void
w_locked_dir_done(struct w_locked_dir *dir)
{
	w_close(&dir->fd);
	free(dir->path);
	dir->path = NULL;
}

void
w_locked_dir_each(const char *parent, w_locked_dir_fn *each, void *ctx)
{
	const struct dirent *entry;
	DIR *dir = opendir(parent);

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		W_AUTO_FD int fd = open_one(dirfd(dir), entry->d_name);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			each(ctx, dirfd(dir), entry->d_name);
	}
	if (dir != NULL)
		(void)closedir(dir);
}
