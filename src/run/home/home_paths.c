/* SPDX-License-Identifier: Apache-2.0 */

/* Opens paths of HOME in the layer of a session; see home_paths.h. What lies
 * there was made by its runs: hostile. No link is followed but by its text. */

#include "run/home/home_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"
#include "os/mountinfo.h"
#include "os/resolve.h"
#include "run/home/home_store.h"
#include "run/launch/session_walls.h"
#include "sandbox/profile/home_grants.h"

/* The part below HOME, without a slash at its start; NULL: it is not in
 * HOME. */
static const char *
below_home(const struct w_session_walls *walls, const char *path)
{
	if (walls->home_fd < 0 || !w_resolve_is_in(path, walls->home_path))
		return NULL;
	path += strlen(walls->home_path);
	return *path == '/' ? path + 1 : path;
}

/* The directory of HOME that a path lies in. false: it is HOME itself. */
static bool
first_name(const char *below, char out_name[NAME_MAX + 1])
{
	const size_t len = strcspn(below, "/");

	if (len == 0 || len > NAME_MAX)
		return false;
	memcpy(out_name, below, len);
	out_name[len] = '\0';
	return true;
}

static bool
is_dir_at(int dir_fd, const char *name)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

/* What is in a layer of caches has something to be mounted on. */
static bool
is_in_layer(const struct w_session_walls *walls, const char *name)
{
	W_AUTO_BUF struct w_buf path;
	struct stat st;

	w_buf_init(&path, PATH_MAX);
	w_buf_add_fmt(&path, "%s/%s", walls->home_path, name);
	if (path.failed || !w_profile_is_layered(name))
		return false;
	if (walls->home_kind == W_HOME_CACHES)
		return is_dir_at(walls->home_fd, name) &&
		       lstat(path.data, &st) == 0 && S_ISDIR(st.st_mode);
	return !w_mountinfo_has(walls->mounts, path.data);
}

bool
w_dotdirs_has(const struct w_session_walls *walls, const char *path)
{
	const char *below = below_home(walls, path);
	char name[NAME_MAX + 1];
	struct stat st;

	if (below == NULL)
		return false;
	if (!first_name(below, name))
		return walls->home_kind == W_HOME_OVERLAY;
	if (is_in_layer(walls, name))
		return true;
	if (walls->home_kind != W_HOME_OVERLAY || w_profile_is_layered(name))
		return false;
	/* Its other directories are the machine's. */
	W_AUTO_FD int home =
	    open(walls->home_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fstatat(home, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	       !S_ISDIR(st.st_mode);
}

bool
w_dotdirs_is_writable(const struct w_session_walls *walls, const char *path)
{
	const char *below = below_home(walls, path);
	char name[NAME_MAX + 1];

	return below != NULL && first_name(below, name) &&
	       is_in_layer(walls, name) && is_dir_at(walls->home_fd, name);
}

static int
open_below(int dir_fd, const char *below)
{
	const struct open_how how = {
	    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
		       RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	const int fd = (int)syscall(SYS_openat2, dir_fd,
	    *below == '\0' ? "." : below, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

bool
w_dotdirs_is_written(const struct w_session_walls *walls, const char *path)
{
	const char *below = below_home(walls, path);

	if (below == NULL)
		return false;
	/* Another process keeps the layer. */
	if (walls->home == NULL || walls->home_kind == W_HOME_CACHES)
		return true;
	W_AUTO_FD int fd = open_below(walls->home->upper_fd, below);
	return fd >= 0;
}

/* Replaces the first link on a path by where it leads to. 0, or an errno. */
static int
expand_link(const struct w_session_walls *walls, char path[PATH_MAX],
    bool *out_has_written)
{
	const size_t start = strlen(walls->home_path) + 1;
	char head[PATH_MAX], target[PATH_MAX], next[PATH_MAX];

	for (size_t end = start; path[end] != '\0'; end++) {
		end += strcspn(path + end, "/");
		memcpy(head, path, end);
		head[end] = '\0';
		W_AUTO_FD int fd = open_below(walls->home_fd, head + start);
		if (fd < 0)
			return -fd;
		const ssize_t len =
		    readlinkat(fd, "", target, sizeof(target) - 1);
		if (len > 0) {
			const char *rest = path + end;

			target[len] = '\0';
			*out_has_written |= w_dotdirs_is_written(walls, head);
			*strrchr(head, '/') = '\0';
			if (!w_resolve_text(head, target, next) ||
			    strlen(next) + strlen(rest) >= PATH_MAX)
				return ENAMETOOLONG;
			(void)strcat(next, rest);
			memcpy(path, next, sizeof(next));
			return ELOOP;
		}
		if (path[end] == '\0')
			break;
	}
	return ENOENT;
}

int
w_dotdirs_open(const struct w_session_walls *walls, char path[PATH_MAX],
    bool *out_has_written)
{
	const int fd = open_below(walls->home_fd, below_home(walls, path));

	return fd == -ELOOP ? -expand_link(walls, path, out_has_written) : fd;
}
