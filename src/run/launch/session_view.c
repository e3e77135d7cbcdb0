/* SPDX-License-Identifier: Apache-2.0 */

/* Opens paths as the runs of a session see them; see session_view.h. */

#include "run/launch/session_view.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/resolve.h"
#include "run/home/home_paths.h"

enum {
	LINKS_MAX = 32
};

static const char *const dirs[W_SHARED_DIR_COUNT] = {
#define X(name, path) [W_SHARED_DIR_##name] = path,
    W_SHARED_DIR_MAP(X)
#undef X
};

/* Where the views have these directories of the tmpfs. */
static const char *const seen_at[W_SHARED_DIR_COUNT] = {
    [W_SHARED_DIR_TMP] = "/tmp",
    [W_SHARED_DIR_VAR_TMP] = "/var/tmp",
    [W_SHARED_DIR_SHM] = "/dev/shm",
};

/* -1: none of them. */
static int
place_of(const char *path)
{
	for (int i = 0; i < W_SHARED_DIR_COUNT; i++) {
		if (w_resolve_is_in(path, seen_at[i]))
			return i;
	}
	return -1;
}

static bool
is_in_any(const char *path, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++) {
		if (**list == '/' && w_resolve_is_in(path, *list))
			return true;
	}
	return false;
}

bool
w_session_view_has(const struct w_session_view *view, const char *path)
{
	const int place = view->walls == NULL ? -1 : place_of(path);

	if (view->walls == NULL ||
	    (place < 0 && !w_dotdirs_has(view->walls, path)))
		return false;
	if (place >= 0 && strcmp(path, seen_at[place]) == 0)
		return true;
	/* A directory above the base is there to be mounted on. */
	return (view->base == NULL ||
		   (!w_resolve_is_in(path, view->base) &&
		       !w_resolve_is_in(view->base, path))) &&
	       !is_in_any(path, view->read) && !is_in_any(path, view->write);
}

static int
open_beneath(const struct w_session_walls *walls, const char *path)
{
	const int place = place_of(path);
	struct open_how how = {
	    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
		       RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	char below[PATH_MAX];

	assert(place >= 0);
	if (snprintf(below, sizeof(below), "%s%s", &dirs[place][1],
		path + strlen(seen_at[place])) >= (int)sizeof(below))
		return -ENAMETOOLONG;
	const int fd =
	    (int)syscall(SYS_openat2, walls->tmp_fd, below, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

/* Replaces a path by where the link there leads to. 0, or an errno. */
static int
follow_link(int fd, char path[PATH_MAX])
{
	char target[PATH_MAX], next[PATH_MAX];
	const ssize_t len = readlinkat(fd, "", target, sizeof(target) - 1);

	if (len <= 0)
		return len < 0 ? errno : ENOENT;
	target[len] = '\0';
	char *slash = strrchr(path, '/');
	slash[slash == path ? 1 : 0] = '\0';
	if (!w_resolve_text(path, target, next))
		return ENAMETOOLONG;
	memcpy(path, next, sizeof(next));
	return 0;
}

/* One step on the way of a path: opens it, or replaces it by where it leads
 * to. A descriptor; -ELOOP: the path has changed; or another errno. */
static int
step(const struct w_session_view *view, struct w_session_file *file)
{
	char *path = file->path;
	const bool is_home = place_of(path) < 0;
	struct stat st;

	W_AUTO_FD int fd =
	    is_home ? w_dotdirs_open(view->walls, path, &file->is_written)
		    : open_beneath(view->walls, path);
	if (fd < 0)
		return is_home || fd != -ELOOP ? fd : -ENOTDIR;
	file->is_written |= !is_home || w_dotdirs_is_written(view->walls, path);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISLNK(st.st_mode))
		return w_take_fd(&fd);
	const int error = follow_link(fd, path);
	return error != 0 ? -error : -ELOOP;
}

int
w_session_view_open(const struct w_session_view *view, const char *path,
    struct w_session_file *out_file)
{
	*out_file = (struct w_session_file){.fd = -1};
	if (!w_resolve_text("/", path, out_file->path))
		return ENAMETOOLONG;
	for (int i = 0; i < LINKS_MAX; i++) {
		if (!w_session_view_has(view, out_file->path))
			return 0;
		const int fd = step(view, out_file);
		if (fd >= 0) {
			out_file->fd = fd;
			return 0;
		}
		if (fd != -ELOOP)
			return -fd;
	}
	return ELOOP;
}
