/* SPDX-License-Identifier: Apache-2.0 */

/* Opens files below a directory: the working directory, once, below an allowed
 * root, and what others may be moving around. */

#include "os/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "os/resolve.h"

/* Retries for a directory tree that is being moved around. */
enum {
	TRIES = 8
};

static int
openat2_dir(int dir_fd, const char *path, uint64_t resolve)
{
	struct open_how how = {
	    .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
	    .resolve = resolve | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, dir_fd, path, &how, sizeof(how));
}

int
w_open_beneath(int dir_fd, const char *path, int flags)
{
	struct open_how how = {
	    .flags = (unsigned)flags | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
		       RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	long fd;

	/* EAGAIN: something was renamed meanwhile. */
	do
		fd = syscall(SYS_openat2, dir_fd, path, &how, sizeof(how));
	while (fd < 0 && (errno == EAGAIN || errno == EINTR));
	return fd < 0 ? -errno : (int)fd;
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

/* Opens the directory below this root. -1 with errno EXDEV: it is elsewhere.
 * *out_is_root: the root itself could not be used. */
static int
open_below(const char *root, const char *path, bool *out_is_root)
{
	W_AUTO_FREE char *canonical = w_resolve_real(root);

	*out_is_root = canonical == NULL;
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

/* Why the open failed: an errno, and the root if that was the cause. */
struct refusal {
	int error;
	const char *root;
};

static int
open_in_roots(
    const char *const *roots, const char *path, struct refusal *refusal)
{
	*refusal = (struct refusal){.error = EXDEV};
	if (roots == NULL || roots[0] == NULL) {
		int fd = openat2_dir(AT_FDCWD, path, RESOLVE_NO_SYMLINKS);

		refusal->error = errno;
		return fd;
	}
	for (size_t i = 0; roots[i] != NULL; i++) {
		bool is_root;
		int fd = open_below(roots[i], path, &is_root);

		if (fd >= 0)
			return fd;
		/* It may be below another root. */
		if (errno == EXDEV)
			continue;
		refusal->error = errno;
		refusal->root = is_root ? roots[i] : NULL;
		if (!is_root)
			break;
	}
	return -1;
}

static writ_status
beneath_explain(
    writ_error *err, const char *path, const char *const *roots, int error)
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
	struct refusal refusal = {0};

	for (int i = 0; fd < 0 && i < TRIES; i++) {
		free(canonical);
		canonical = w_resolve_real(spelled);
		refusal = (struct refusal){.error = errno};
		if (canonical == NULL)
			break;
		fd = open_in_roots(roots, canonical, &refusal);
		if (refusal.error != ELOOP && refusal.error != EAGAIN)
			break;
	}
	if (fd < 0 && refusal.root != NULL)
		return w_fail(err, WRIT_E_INVALID, "cwd", refusal.error,
		    "cannot use root '%s'", refusal.root);
	if (fd < 0)
		return beneath_explain(err, spelled, roots, refusal.error);
	*out_fd = w_take_fd(&fd);
	*out_path = w_take_ptr(&canonical);
	return WRIT_OK;
}
