/* SPDX-License-Identifier: Apache-2.0 */

/* The same files by other ways: links, renames, /proc, handles, "..". */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *
own(const char *name)
{
	static char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", own_directory(), name);
	return path;
}

static int
open_and_close(const char *path, int flags)
{
	const int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	(void)close(fd);
	return OPEN;
}

static int
through_symlink(void)
{
	const char *target = beneath("outside", "file");
	const char *link = own("link");
	int result;

	if (target == NULL)
		return CANNOT;
	(void)unlink(link);
	if (symlink(target, link) < 0)
		return -errno;
	result = open_and_close(link, O_WRONLY);
	(void)unlink(link);
	return result;
}

static int
secret_through_symlink(void)
{
	const char *target = fact("secret");
	const char *link = own("secret-link");
	int result;

	if (target == NULL)
		return CANNOT;
	(void)unlink(link);
	if (symlink(target, link) < 0)
		return -errno;
	result = holds_secret(link);
	(void)unlink(link);
	return result;
}

static int
through_hard_link(void)
{
	const char *target = beneath("outside", "file");
	const char *name = own("hard");
	int result;

	if (target == NULL)
		return CANNOT;
	(void)unlink(name);
	if (link(target, name) < 0)
		return -errno;
	result = open_and_close(name, O_WRONLY);
	(void)unlink(name);
	return result;
}

static int
rename_in(void)
{
	const char *target = beneath("outside", "doomed");
	const char *name = own("stolen");

	if (target == NULL)
		return CANNOT;
	if (rename(target, name) < 0)
		return -errno;
	(void)rename(name, target);
	return OPEN;
}

static int
rename_out(void)
{
	const char *target = beneath("outside", "planted");
	const char *name = own("plant");
	int result;
	int fd;

	if (target == NULL)
		return CANNOT;
	fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	(void)close(fd);
	result = outcome(rename(name, target));
	(void)unlink(target);
	(void)unlink(name);
	return result;
}

/* Up from here to the top, then down by the path again. */
static int
from_above(int top, const char *path)
{
	int up = top;
	int fd;

	for (int i = 0; i < 64 && up >= 0; i++) {
		const int next = openat(up, "..", O_PATH | O_CLOEXEC);

		if (up != top)
			(void)close(up);
		up = next;
	}
	if (up < 0)
		return -errno;
	fd = openat(up, path + 1, O_WRONLY | O_CLOEXEC);
	return outcome(fd);
}

static int
dot_dot(void)
{
	const char *path = beneath("outside", "file");
	const int here = open(".", O_PATH | O_CLOEXEC);

	if (path == NULL)
		return CANNOT;
	return here < 0 ? -errno : from_above(here, path);
}

static int
by_process_root(void)
{
	const char *target = beneath("hidden", "file");
	char path[PATH_MAX];
	int result = -ENOENT;

	if (target == NULL)
		return CANNOT;
	for (int i = 0; i < 3 && result != OPEN; i++) {
		const long pids[] = {1, starter, fact_number("victim")};

		(void)snprintf(
		    path, sizeof(path), "/proc/%ld/root%s", pids[i], target);
		result = holds_secret(path);
	}
	return result;
}

static int
by_process_cwd(void)
{
	char path[PATH_MAX];

	if (fact("victim") == NULL)
		return CANNOT;
	(void)snprintf(path, sizeof(path), "/proc/%s/cwd/file", fact("victim"));
	return open_and_close(path, O_WRONLY);
}

/* A descriptor for reading is opened again, for writing. */
static int
reopen_for_writing(void)
{
	const char *target = beneath("outside", "file");
	char path[64];
	int fd;

	if (target == NULL)
		return CANNOT;
	fd = open(target, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open_and_close(path, O_WRONLY);
}

static int
by_handle(void)
{
	const char *target = beneath("hidden", "file");
	const char *handle_text = fact("handle");
	union {
		struct file_handle handle;
		unsigned char bytes[sizeof(struct file_handle) + 128];
	} box = {0};
	char *at;
	int mount;

	if (target == NULL || handle_text == NULL)
		return CANNOT;
	/* TYPE:HEX, as the stage found it. */
	box.handle.handle_type = (int)strtol(handle_text, &at, 10);
	for (at++; at[0] != '\0' && at[1] != '\0'; at += 2) {
		const char pair[3] = {at[0], at[1], '\0'};

		box.handle.f_handle[box.handle.handle_bytes++] =
		    (unsigned char)strtoul(pair, NULL, 16);
	}
	mount = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	mount = open_by_handle_at(mount, &box.handle, O_RDONLY | O_CLOEXEC);
	if (mount < 0)
		return -errno;
	return fd_holds_secret(mount);
}

static int
chroot_out(void)
{
	const char *path = beneath("outside", "file");
	const int here = open(own_directory(), O_PATH | O_CLOEXEC);
	int result;

	if (path == NULL)
		return CANNOT;
	if (here < 0 || fchdir(here) < 0 || mkdir("jail", 0700) < 0)
		return -errno;
	result = outcome(chroot("jail"));
	(void)unlinkat(here, "jail", AT_REMOVEDIR);
	return result == OPEN ? from_above(here, path) : result;
}

const struct attempt detour_attempts[] = {
    {"symlink", "write through a symbolic link of its own", through_symlink,
	false},
    {"symlink-secret", "read the private key through a symbolic link",
	secret_through_symlink, false},
    {"hardlink", "write through a hard link of its own", through_hard_link,
	false},
    {"rename-in", "move a file from outside in", rename_in, false},
    {"rename-out", "move a file of its own out", rename_out, false},
    {"dot-dot", "go up with '..' to the top and down again", dot_dot, false},
    {"proc-root", "read the hidden by /proc/PID/root", by_process_root, false},
    {"proc-cwd", "write by /proc/PID/cwd of another process", by_process_cwd,
	false},
    {"proc-fd", "open a descriptor for reading again for writing",
	reopen_for_writing, false},
    {"file-handle", "open the hidden by a handle", by_handle, false},
    {"chroot", "get out by chroot and '..'", chroot_out, false},
    {NULL, NULL, NULL, false},
};
