/* SPDX-License-Identifier: Apache-2.0 */

/* Opens directories of a tree that others may be changing. */

#include "undo/tree_open.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "os/beneath.h"

static int
open_how(int dir_fd, const char *path, int flags)
{
	return w_open_beneath(dir_fd, path, flags | O_DIRECTORY);
}

int
w_undo_open_beneath(int root_fd, const char *path)
{
	return open_how(root_fd, path, O_PATH);
}

int
w_undo_open_parent(int root_fd, const char *path, const char **out_name)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX];

	if (slash == NULL) {
		*out_name = path;
		return open_how(root_fd, ".", O_PATH);
	}
	if (slash - path >= (ptrdiff_t)sizeof(parent))
		return -ENAMETOOLONG;
	(void)snprintf(
	    parent, sizeof(parent), "%.*s", (int)(slash - path), path);
	*out_name = slash + 1;
	return open_how(root_fd, parent, O_PATH);
}

/* O_PATH descriptors cannot be changed by themselves. */
void
w_undo_tighten(int fd, mode_t mode)
{
	char link[32];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	(void)chmod(link, mode & 07777);
}

bool
w_undo_loosen(int fd, mode_t *out_mode)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    (st.st_mode & S_IRWXU) == S_IRWXU)
		return false;
	w_undo_tighten(fd, st.st_mode | S_IRWXU);
	*out_mode = st.st_mode;
	return true;
}

void
w_undo_listing_open(
    struct w_undo_listing *listing, int dir_fd, const char *name)
{
	listing->mode = 0;
	listing->fd = open_how(dir_fd, name, O_RDONLY);
	if (listing->fd >= 0 &&
	    faccessat(listing->fd, ".", X_OK, AT_EACCESS) == 0)
		return;
	if (listing->fd < 0 && listing->fd != -EACCES)
		return;
	W_AUTO_FD int path_fd = open_how(dir_fd, name, O_PATH);
	if (!w_undo_loosen(path_fd, &listing->mode))
		return;
	if (listing->fd < 0)
		listing->fd = open_how(dir_fd, name, O_RDONLY);
	if (listing->fd < 0)
		w_undo_tighten(path_fd, listing->mode);
}

void
w_undo_listing_close(struct w_undo_listing *listing)
{
	if (listing->fd < 0)
		return;
	if (listing->mode != 0)
		w_undo_tighten(listing->fd, listing->mode);
	w_close(&listing->fd);
}

static int
compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int
w_undo_list_names(int fd, struct w_words *out_names)
{
	const struct dirent *entry;
	struct w_words names = {0};
	W_AUTO_FD int copy =
	    openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (copy < 0)
		return errno;
	DIR *dir = fdopendir(copy);
	if (dir == NULL)
		return errno;
	(void)w_take_fd(&copy);
	for (errno = 0; (entry = readdir(dir)) != NULL; errno = 0) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (w_words_add(&names, name, strlen(name)))
			continue;
		errno = ENOMEM;
		break;
	}
	const int error = errno;
	(void)closedir(dir);
	if (error != 0) {
		w_words_done(&names);
		return error;
	}
	if (names.count > 0)
		qsort(names.items, names.count, sizeof(*names.items),
		    compare_names);
	*out_names = names;
	return 0;
}
