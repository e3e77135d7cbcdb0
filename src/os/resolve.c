/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves a path, whether or not its end exists. */

#include "os/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/auto.h"

/* The kernel's maximum; here for dangling links. */
#define LINKS_MAX 40

/* The state of the resolution. */
struct resolve_walk {
	int dir_fd;
	int owned_fd; /* the same if we opened it, or -1 */
	char path[PATH_MAX];
	bool is_entry;
};

bool
w_resolve_fd(int fd, char out_path[PATH_MAX])
{
	char link[32];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, out_path, PATH_MAX - 1);
	if (len <= 0 || out_path[0] != '/') {
		out_path[0] = '\0';
		return false;
	}
	out_path[len] = '\0';
	return true;
}

/* Appends one name to a path; resolves "." and "..". */
static bool
resolve_add_name(char path[PATH_MAX], const char *name, size_t len)
{
	size_t end = strlen(path);

	if (len == 0 || (len == 1 && name[0] == '.'))
		return true;
	if (len == 2 && name[0] == '.' && name[1] == '.') {
		char *slash = strrchr(path, '/');

		if (slash != NULL)
			slash[slash == path ? 1 : 0] = '\0';
		return true;
	}
	if (end == 1)
		end = 0;
	if (end + 1 + len >= PATH_MAX)
		return false;
	path[end] = '/';
	memcpy(path + end + 1, name, len);
	path[end + 1 + len] = '\0';
	return true;
}

static bool
resolve_add_text(char path[PATH_MAX], const char *text)
{
	while (*text != '\0') {
		const size_t len = strcspn(text, "/");

		if (!resolve_add_name(path, text, len))
			return false;
		text += len + (text[len] == '/');
	}
	return true;
}

bool
w_resolve_text(const char *dir, const char *path, char out_path[PATH_MAX])
{
	const char *start = path[0] == '/' ? "/" : dir;

	if (strlen(start) >= PATH_MAX)
		return false;
	(void)strcpy(out_path, start);
	return resolve_add_text(out_path, path);
}

bool
w_resolve_is_in(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (len == 1)
		return true;
	return strncmp(path, dir, len) == 0 &&
	       (path[len] == '/' || path[len] == '\0');
}

static int
open_name(int dir_fd, const char *path, bool is_entry, uint64_t resolve)
{
	struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC,
	    .resolve = RESOLVE_NO_MAGICLINKS | resolve,
	};

	if (is_entry)
		how.flags |= O_NOFOLLOW;
	return (int)syscall(SYS_openat2, dir_fd, path, &how, sizeof(how));
}

/* Whether a path is absolute and without ".", ".." and redundant slashes. Such
 * a path that has no links either is its own canonical form. */
static bool
is_normal(const char *path)
{
	if (path[0] != '/')
		return false;
	while (*path == '/') {
		const char *name = path + 1;
		const size_t len = strcspn(name, "/");

		if (len == 0 || (len == 1 && name[0] == '.') ||
		    (len == 2 && name[0] == '.' && name[1] == '.'))
			return false;
		path = name + len;
	}
	return true;
}

char *
w_resolve_real(const char *path)
{
	if (is_normal(path)) {
		W_AUTO_FD int fd =
		    open_name(AT_FDCWD, path, false, RESOLVE_NO_SYMLINKS);

		if (fd >= 0)
			return strdup(path);
		/* There is no link before what is missing. */
		if (errno == ENOENT || errno == ENOTDIR)
			return NULL;
	}
	return realpath(path, NULL);
}

static void
resolve_take(int fd, struct w_resolved_path *out)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !w_resolve_fd(fd, out->path)) {
		out->path[0] = '\0';
		return;
	}
	out->exists = true;
	out->is_directory = S_ISDIR(st.st_mode);
}

/* Opens the longest existing prefix of the path; *out_rest is what follows it.
 * -1: unknown. */
static int
open_beginning(struct resolve_walk *walk, const char **out_rest)
{
	char head[PATH_MAX];
	size_t len = strlen(walk->path);

	memcpy(head, walk->path, len + 1);
	for (;;) {
		while (len > 0 && head[len - 1] == '/')
			len--;
		while (len > 0 && head[len - 1] != '/')
			len--;
		*out_rest = walk->path + len;
		head[len] = '\0';
		int fd =
		    open_name(walk->dir_fd, len == 0 ? "." : head, false, 0);
		if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR) ||
		    len == 0)
			return fd;
	}
}

/* If the rest starts with a dangling link, continues with its target. false: it
 * does not, or the target is too long. */
static bool
resolve_follow(struct resolve_walk *walk, int fd, const char *rest)
{
	char name[NAME_MAX + 1];
	char target[PATH_MAX];
	const size_t len = strcspn(rest, "/");

	if (len == 0 || len > NAME_MAX)
		return false;
	memcpy(name, rest, len);
	name[len] = '\0';
	ssize_t n = readlinkat(fd, name, target, sizeof(target) - 1);
	const size_t tail = strlen(rest + len);
	if (n <= 0 || (size_t)n + tail >= PATH_MAX)
		return false;
	memmove(walk->path + n, rest + len, tail + 1);
	memcpy(walk->path, target, (size_t)n);
	return true;
}

/* One step; false: done. */
static bool
resolve_step(struct resolve_walk *walk, struct w_resolved_path *out)
{
	const char *rest = "";
	W_AUTO_FD int fd =
	    open_name(walk->dir_fd, walk->path, walk->is_entry, 0);

	if (fd >= 0) {
		resolve_take(fd, out);
		return false;
	}
	out->is_elusive = errno == ELOOP;
	if (errno != ENOENT && errno != ENOTDIR)
		return false;
	fd = open_beginning(walk, &rest);
	out->is_elusive = fd < 0 && errno == ELOOP;
	if (fd < 0)
		return false;
	if (resolve_follow(walk, fd, rest)) {
		w_close(&walk->owned_fd);
		walk->owned_fd = w_take_fd(&fd);
		walk->dir_fd = walk->owned_fd;
		return true;
	}
	if (!w_resolve_fd(fd, out->path) || !resolve_add_text(out->path, rest))
		out->path[0] = '\0';
	return false;
}

void
w_resolve(int dir_fd, const char *path, bool is_entry,
    struct w_resolved_path *out_resolved)
{
	struct resolve_walk walk = {
	    .dir_fd = dir_fd, .owned_fd = -1, .is_entry = is_entry};
	const size_t len = strlen(path);

	out_resolved->path[0] = '\0';
	out_resolved->exists = false;
	out_resolved->is_directory = false;
	out_resolved->is_elusive = false;
	if (len == 0 || len >= PATH_MAX)
		return;
	memcpy(walk.path, path, len + 1);
	/* A trailing slash means the target of a link. */
	if (path[len - 1] == '/')
		walk.is_entry = false;
	for (int i = 0; i < LINKS_MAX; i++) {
		if (!resolve_step(&walk, out_resolved))
			break;
	}
	w_close(&walk.owned_fd);
}
