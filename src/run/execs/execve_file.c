/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the file that a process asks to execute, as the process sees it: below
 * its root directory, with its own descriptors.
 */

#include "run/execs/execve_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "run/denials/target.h"

/* Links that mean another file for each process. For us they would lead to our
 * own. */
static const struct {
	const char *prefix;
	const char *instead; /* below /proc/PID */
} own_links[] = {
    {"/proc/self/", ""},
    {"/proc/thread-self/", ""},
    {"/dev/fd/", "fd/"},
};

/* "/proc/self/fd/3" of another process; false: it is not such a path. */
static bool
translate_own(pid_t pid, const char *path, char out_path[PATH_MAX])
{
	for (size_t i = 0; i < sizeof(own_links) / sizeof(*own_links); i++) {
		const size_t len = strlen(own_links[i].prefix);

		if (strncmp(path, own_links[i].prefix, len) == 0)
			return snprintf(out_path, PATH_MAX, "/proc/%d/%s%s",
				   pid, own_links[i].instead,
				   path + len) < PATH_MAX;
	}
	return false;
}

/* Follows links as the process would, without leaving its root. No filter of
 * ours lets a process change that. */
static int
open_in_root(struct w_execve_file *file, pid_t pid, const char *path)
{
	const struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};

	if (file->root_fd < 0)
		file->root_fd = w_target_root(pid);
	return file->root_fd < 0 ? -1
				 : (int)syscall(SYS_openat2, file->root_fd,
				       path, &how, sizeof(how));
}

static int
open_link(pid_t pid, const char *name, int number)
{
	char link[64];

	if (number >= 0)
		(void)snprintf(
		    link, sizeof(link), "/proc/%d/fd/%d", pid, number);
	else
		(void)snprintf(link, sizeof(link), "/proc/%d/%s", pid, name);
	return open(link, O_PATH | O_CLOEXEC);
}

/* Makes the path of a file that is found by a descriptor or a link of the
 * process the real one: its name says nothing. */
static void
take_real_path(struct w_execve_file *file)
{
	char link[32], path[PATH_MAX];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", file->fd);
	ssize_t len = readlink(link, path, sizeof(path) - 1);
	if (len <= 0)
		return;
	path[len] = '\0';
	memcpy(file->path, path, (size_t)len + 1);
}

static void
open_file(pid_t pid, int dir, const char *path, struct w_execve_file *file)
{
	char own[PATH_MAX];

	if (translate_own(pid, path, own)) {
		file->fd = open(own, O_PATH | O_CLOEXEC);
	} else if (path[0] == '/') {
		file->fd = open_in_root(file, pid, path);
		return;
	} else if (path[0] == '\0') {
		file->fd = open_link(pid, "cwd", dir);
	} else {
		W_AUTO_FD int other =
		    dir == AT_FDCWD ? -1 : open_link(pid, NULL, dir);

		file->fd = openat(dir == AT_FDCWD ? file->cwd_fd : other, path,
		    O_PATH | O_CLOEXEC);
		return;
	}
	if (file->fd >= 0)
		take_real_path(file);
}

/* The directory itself may have been replaced by another of the same name, as
 * it may be before the kernel looks. */
static void
find_cwd(struct w_execve_file *file, pid_t pid)
{
	char cwd[PATH_MAX];

	if (!w_target_resolve(pid, AT_FDCWD, "", cwd))
		cwd[0] = '\0';
	if (file->cwd_fd >= 0 && strcmp(cwd, file->cwd) == 0)
		return;
	w_close(&file->cwd_fd);
	memcpy(file->cwd, cwd, strlen(cwd) + 1);
	file->cwd_fd = open_link(pid, "cwd", -1);
}

void
w_execve_file_init(struct w_execve_file *file)
{
	file->fd = -1;
	file->cwd_fd = -1;
	file->root_fd = -1;
	file->cwd[0] = '\0';
}

bool
w_execve_file_find(
    struct w_execve_file *file, pid_t pid, int dir, uint64_t at, int flags)
{
	char path[PATH_MAX];

	w_close(&file->fd);
	if (!w_target_text(pid, at, path) ||
	    (path[0] == '\0' && ((flags & AT_EMPTY_PATH) == 0 || dir < 0)) ||
	    !w_target_resolve(pid, dir, path, file->path))
		return false;
	find_cwd(file, pid);
	open_file(pid, dir, path, file);
	return true;
}

void
w_execve_file_done(struct w_execve_file *file)
{
	w_close(&file->fd);
	w_close(&file->cwd_fd);
	w_close(&file->root_fd);
}
