/* SPDX-License-Identifier: Apache-2.0 */

/* The working directory, opened once beneath an allowed root. */

#include "os/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/auto.h"

/* A directory tree being reorganised can lose the race a few times. */
enum { TRIES = 8 };

static int
openat2_dir(int dir_fd, const char *path, uint64_t resolve)
{
	struct open_how how = {
	    .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
	    .resolve = resolve | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, dir_fd, path, &how, sizeof(how));
}

/* The part of path below root, "." for root itself; NULL: not below it. */
static const char *
below(const char *root, const char *path)
{
	size_t len = strlen(root);

	if (strcmp(root, "/") == 0)
		len = 0;
	if (strncmp(root, path, len) != 0)
		return NULL;
	if (path[len] == '\0')
		return ".";
	if (path[len] != '/')
		return NULL;
	return path[len + 1] == '\0' ? "." : path + len + 1;
}

/* The directory beneath this root, or -1: errno EXDEV when it is elsewhere. */
static int
open_below(const char *root, const char *path)
{
	W_AUTO_FREE char *canonical = realpath(root, NULL);
	if (canonical == NULL)
		return -1;

	const char *rest = below(canonical, path);
	if (rest == NULL) {
		errno = EXDEV;
		return -1;
	}
	W_AUTO_FD int root_fd =
	    open(canonical, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return -1;
	return openat2_dir(
	    root_fd, rest, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
}

static int
open_in_roots(const char *const *roots, const char *path)
{
	int fd = -1;

	if (roots == NULL || roots[0] == NULL)
		return openat2_dir(AT_FDCWD, path, RESOLVE_NO_SYMLINKS);
	errno = EXDEV;
	for (size_t i = 0; fd < 0 && roots[i] != NULL; i++) {
		fd = open_below(roots[i], path);
		/* Another root may still hold it. */
		if (fd < 0 && errno != EXDEV && errno != ENOENT)
			return -1;
	}
	return fd;
}

static writ_status
explain(writ_error *err, const char *path, const char *const *roots, int error)
{
	writ_status status;

	switch (error) {
	case EXDEV:
		status = w_fail(err, WRIT_E_INVALID, "cwd", 0,
		    "working directory '%s' is outside the allowed root '%s'",
		    path, roots[0]);
		w_suggest(err, "choose a directory beneath the root, or add "
		               "another root");
		return status;
	case ENOENT:
	case ENOTDIR:
	case EACCES:
	case ELOOP:
	case ENAMETOOLONG:
		return w_fail(err, WRIT_E_INVALID, "cwd", error,
		    "cannot use working directory '%s'", path);
	case ENOSYS:
		return w_fail(err, WRIT_E_SYSTEM, "cwd", error,
		    "openat2 is needed (Linux 5.6 or later, and no seccomp "
		    "filter that hides it)");
	default:
		return w_fail(err, WRIT_E_SYSTEM, "cwd", error,
		    "cannot use working directory '%s'", path);
	}
}

writ_status
w_beneath_open(const char *path, const char *const *roots, int *out_fd,
    char **out_path, writ_error *err)
{
	const char *spelled = path == NULL ? "." : path;
	W_AUTO_FREE char *canonical = NULL;
	W_AUTO_FD int fd = -1;

	for (int i = 0; fd < 0 && i < TRIES; i++) {
		free(canonical);
		canonical = realpath(spelled, NULL);
		if (canonical == NULL)
			break;
		fd = open_in_roots(roots, canonical);
		if (fd < 0 && errno != ELOOP && errno != EAGAIN)
			break;
	}
	if (fd < 0)
		return explain(err, spelled, roots, errno);
	*out_fd = w_take_fd(&fd);
	*out_path = w_take_ptr(&canonical);
	return WRIT_OK;
}
