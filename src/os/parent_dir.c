/* SPDX-License-Identifier: Apache-2.0 */

/* Opens the directory that contains a name. */

#include "os/parent_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "os/trust.h"

#define LINKS_MAX 40
#define DIR_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

bool
w_parent_dir_trusts_link(const struct stat *dir, const struct stat *link)
{
	return (link->st_uid == 0 || link->st_uid == geteuid()) &&
	       !w_trust_is_foreign_dir(dir);
}

bool
w_parent_dir_exists(const struct w_parent_dir *parent)
{
	return parent->name == parent->rest;
}

void
w_parent_dir_close(struct w_parent_dir *parent)
{
	w_close(&parent->fd);
}

/* The state of the walk along a path. */
struct parent_dir_walk {
	int fd;
	char todo[PATH_MAX]; /* directories still to be entered */
	int links;
};

/* Replaces a link's name by its target. */
static int
parent_dir_follow(struct parent_dir_walk *walk, int link_fd, const char *rest)
{
	char target[PATH_MAX], whole[PATH_MAX];
	ssize_t len = readlinkat(link_fd, "", target, sizeof(target) - 1);

	if (len < 0)
		return errno;
	target[len] = '\0';
	int n = snprintf(whole, sizeof(whole), "%s/%s", target, rest);
	if (n < 0 || (size_t)n >= sizeof(whole))
		return ENAMETOOLONG;
	if (++walk->links > LINKS_MAX)
		return ELOOP;
	(void)strcpy(walk->todo, whole);
	if (target[0] != '/')
		return 0;
	int root = open("/", DIR_FLAGS);
	if (root < 0)
		return errno;
	w_close(&walk->fd);
	walk->fd = root;
	return 0;
}

/* Enters one directory, or replaces a link by its target. */
static int
parent_dir_step(
    struct parent_dir_walk *walk, const char *name, const char *rest)
{
	struct stat dir, st;
	W_AUTO_FD int fd =
	    openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return errno;
	if (S_ISLNK(st.st_mode)) {
		if (fstat(walk->fd, &dir) < 0)
			return errno;
		return w_parent_dir_trusts_link(&dir, &st)
			   ? parent_dir_follow(walk, fd, rest)
			   : ELOOP;
	}
	if (!S_ISDIR(st.st_mode))
		return ENOTDIR;
	w_close(&walk->fd);
	walk->fd = w_take_fd(&fd);
	(void)memmove(walk->todo, rest, strlen(rest) + 1);
	return 0;
}

/* Walks while there are directories. ENOENT: the rest stays in todo. */
static int
walk_on(struct parent_dir_walk *walk)
{
	char name[NAME_MAX + 1];

	for (;;) {
		const char *at = walk->todo + strspn(walk->todo, "/");
		const size_t len = strcspn(at, "/");

		if (len == 0)
			return 0;
		if (len > NAME_MAX)
			return ENAMETOOLONG;
		memcpy(name, at, len);
		name[len] = '\0';
		const char *rest = at + len + strspn(at + len, "/");
		int error = parent_dir_step(walk, name, rest);
		if (error != 0)
			return error;
	}
}

static bool
parent_dir_is_plain(const char *path)
{
	for (;;) {
		const size_t len = strcspn(path, "/");

		if (len <= 2 && strncmp(path, "..", len) == 0 && len > 0)
			return false;
		path += len;
		if (*path == '\0')
			return true;
		path += strspn(path, "/");
	}
}

/* Missing directories are created by name, so "." and ".." are not allowed. */
static int
take_rest(
    struct parent_dir_walk *walk, const char *name, struct w_parent_dir *out)
{
	const char *at = walk->todo + strspn(walk->todo, "/");
	size_t len = strlen(at);

	while (len > 0 && at[len - 1] == '/')
		len--;
	if (!parent_dir_is_plain(at))
		return ENOENT;
	int n = snprintf(out->rest, sizeof(out->rest), "%.*s%s%s", (int)len, at,
	    len > 0 ? "/" : "", name);
	if (n < 0 || (size_t)n >= sizeof(out->rest))
		return ENAMETOOLONG;
	out->name = out->rest + (size_t)n - strlen(name);
	out->fd = w_take_fd(&walk->fd);
	return 0;
}

/* Usually there is no link in the path, and one call is enough. */
static int
open_at_once(const char *path, int flags)
{
	struct open_how how = {
	    .flags = (unsigned)flags,
	    .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

int
w_parent_dir_open(const char *path, struct w_parent_dir *out_parent)
{
	struct parent_dir_walk walk = {.fd = -1};
	const char *slash = strrchr(path, '/');
	const size_t len = (size_t)(slash - path);

	if (len >= sizeof(walk.todo) || strlen(slash) > NAME_MAX + 1)
		return ENAMETOOLONG;
	memcpy(walk.todo, path, len);
	walk.todo[len] = '\0';
	walk.fd = open_at_once(len == 0 ? "/" : walk.todo, DIR_FLAGS);
	int error = 0;
	if (walk.fd >= 0) {
		walk.todo[0] = '\0';
	} else {
		walk.fd = open("/", DIR_FLAGS);
		error = walk.fd < 0 ? errno : walk_on(&walk);
	}
	if (error == 0 || (error == ENOENT && walk.fd >= 0))
		error = take_rest(&walk, slash + 1, out_parent);
	w_close(&walk.fd);
	return error;
}

/* Enters directories up to the last name. That one is opened; if it is a link,
 * it is replaced by its target. */
static int
walk_to_file(struct parent_dir_walk *walk, int flags, int *out_fd)
{
	char name[NAME_MAX + 1];

	for (;;) {
		const char *at = walk->todo + strspn(walk->todo, "/");
		const size_t len = strcspn(at, "/");
		const char *rest = at + len + strspn(at + len, "/");

		if (len > NAME_MAX)
			return ENAMETOOLONG;
		memcpy(name, at, len);
		name[len] = '\0';
		if (*rest == '\0') {
			*out_fd = openat(walk->fd, len == 0 ? "." : name,
			    flags | O_NOFOLLOW);
			if (*out_fd >= 0)
				return 0;
			if (errno != ELOOP)
				return errno;
		}
		int error = parent_dir_step(walk, name, rest);
		if (error != 0)
			return error;
	}
}

int
w_parent_dir_open_file(const char *path, int flags, int *out_fd)
{
	struct parent_dir_walk walk = {.fd = -1};
	const size_t len = strlen(path);
	int fd = open_at_once(path, flags);

	if (fd >= 0) {
		*out_fd = fd;
		return 0;
	}
	/* Links, or a kernel without openat2(), need the walk. */
	if (errno != ELOOP && errno != ENOSYS && errno != EPERM)
		return errno;
	if (len >= sizeof(walk.todo))
		return ENAMETOOLONG;
	memcpy(walk.todo, path, len + 1);
	walk.fd = open("/", DIR_FLAGS);
	int error = walk.fd < 0 ? errno : walk_to_file(&walk, flags, &fd);
	w_close(&walk.fd);
	if (error == 0)
		*out_fd = fd;
	return error;
}
