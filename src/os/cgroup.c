/* SPDX-License-Identifier: Apache-2.0 */

/* Opens, creates, reads and kills control groups. */

#include "os/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "base/auto.h"
#include "os/file.h"

/* Where distributions mount it: alone, or beside version 1. Parsing the mount
 * table would find it anywhere, but is slow on machines with many mounts. */
static const char *const mount_points[] = {
    "/sys/fs/cgroup",
    "/sys/fs/cgroup/unified",
};

enum {
	PROCS_TEXT_MAX = 1 << 20,
	DEPTH_MAX = 16,
	REMOVE_TRIES = 3
};

static int
open_mount(void)
{
	for (size_t i = 0; i < sizeof(mount_points) / sizeof(*mount_points);
	     i++) {
		struct statfs fs;

		if (statfs(mount_points[i], &fs) == 0 &&
		    fs.f_type == CGROUP2_SUPER_MAGIC)
			return open(
			    mount_points[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	errno = ENOENT;
	return -1;
}

/* Cuts the version 2 path out of /proc/self/cgroup, without its first slash. A
 * path with ".." is outside our cgroup namespace. */
static const char *
own_path(char *text)
{
	char *line =
	    strncmp(text, "0::/", 4) == 0 ? text : strstr(text, "\n0::/");
	if (line == NULL)
		return NULL;

	char *path = strstr(line, "0::/") + 4;
	path[strcspn(path, "\n")] = '\0';
	if (strncmp(path, "..", 2) == 0)
		return NULL;
	return *path == '\0' ? "." : path;
}

int
w_cgroup_open_own(void)
{
	char text[8192];
	W_AUTO_FD int mount_fd = open_mount();

	if (mount_fd < 0)
		return -1;
	if (w_file_read_at(AT_FDCWD, "/proc/self/cgroup", text, sizeof(text)) <
	    0)
		return -1;
	const char *path = own_path(text);
	if (path == NULL) {
		errno = ENOENT;
		return -1;
	}
	return openat(mount_fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Creates a group and opens it, if this file in it is writable. */
static int
make_with(int parent_fd, const char *name, const char *file)
{
	if (mkdirat(parent_fd, name, 0700) < 0)
		return -1;

	int fd = openat(parent_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && faccessat(fd, file, W_OK, 0) < 0)
		w_close(&fd);
	if (fd < 0) {
		int saved = errno;

		(void)unlinkat(parent_fd, name, AT_REMOVEDIR);
		errno = saved;
	}
	return fd;
}

int
w_cgroup_make(int parent_fd, const char *name)
{
	/* Without cgroup.kill (Linux 5.14) a group is of no use. */
	return make_with(parent_fd, name, "cgroup.kill");
}

int
w_cgroup_make_any(int parent_fd, const char *name)
{
	return make_with(parent_fd, name, "cgroup.procs");
}

/* Opens the group to list its children; NULL: not possible. */
static DIR *
open_list(int parent_fd, const char *name)
{
	W_AUTO_FD int fd = openat(
	    parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return NULL;

	DIR *dir = fdopendir(fd);
	if (dir != NULL)
		(void)w_take_fd(&fd);
	return dir;
}

/* Deepest first. The kernel bounds the depth only by cgroup.max.depth, so we
 * stop earlier. */
static void
remove_below(int parent_fd, const char *name, int depth)
{
	DIR *dir = open_list(parent_fd, name);
	const struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (depth > 0)
			remove_below(dirfd(dir), entry->d_name, depth - 1);
		(void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	(void)closedir(dir);
}

int
w_cgroup_remove(int parent_fd, const char *name)
{
	/* The last process may not be completely gone yet. */
	for (int i = 0; i < REMOVE_TRIES; i++) {
		if (unlinkat(parent_fd, name, AT_REMOVEDIR) == 0 ||
		    errno == ENOENT)
			return 0;
		remove_below(parent_fd, name, DEPTH_MAX);
	}
	return unlinkat(parent_fd, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

int
w_cgroup_claim(int dir_fd)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* Fails if another engine removed it before the lock was taken. */
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ||
	    faccessat(fd, "cgroup.procs", F_OK, 0) < 0)
		return -1;
	return w_take_fd(&fd);
}

void
w_cgroup_sweep(int parent_fd, const char *prefix)
{
	DIR *dir = open_list(parent_fd, ".");
	const struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR ||
		    strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		W_AUTO_FD int fd = openat(dirfd(dir), entry->d_name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			(void)w_cgroup_remove(dirfd(dir), entry->d_name);
	}
	(void)closedir(dir);
}

int
w_cgroup_populated(int dir_fd)
{
	char text[256];

	ssize_t n = w_file_read_at(dir_fd, "cgroup.events", text, sizeof(text));
	if (n < 0)
		return (int)n;
	return strstr(text, "populated 1") != NULL;
}

int
w_cgroup_open_events(int dir_fd)
{
	return openat(dir_fd, "cgroup.events", O_RDONLY | O_CLOEXEC);
}

int
w_cgroup_read_events(int events_fd)
{
	char text[256];
	ssize_t n;

	do {
		/* From offset 0: the kernel generates the text again then. */
		n = pread(events_fd, text, sizeof(text) - 1, 0);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	return strstr(text, "populated 1") != NULL;
}

bool
w_cgroup_pids(int dir_fd, struct w_pids *pids)
{
	W_AUTO_FREE char *text = malloc(PROCS_TEXT_MAX);

	if (text == NULL)
		return false;
	if (w_file_read_at(dir_fd, "cgroup.procs", text, PROCS_TEXT_MAX) < 0)
		return false;
	return w_pids_parse(pids, text);
}

/* Whether the path of the process's group contains these whole components. */
static bool
is_member(const char *name, pid_t pid)
{
	char path[48], text[8192];

	(void)snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
	if (w_file_read_at(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;

	const char *at = strstr(text, name);
	if (at == NULL || at == text || at[-1] != '/')
		return false;
	char next = at[strlen(name)];
	return next == '\n' || next == '/';
}

void
w_cgroup_signal(int dir_fd, const char *path, int sig)
{
	struct w_pids pids = {0};

	(void)w_cgroup_pids(dir_fd, &pids);
	for (size_t i = 0; i < pids.count; i++) {
		W_AUTO_FD int pidfd =
		    (int)syscall(SYS_pidfd_open, pids.items[i], 0);

		/* Checked again while the pidfd pins the pid, which may have
		 * been recycled before. */
		if (pidfd < 0 || !is_member(path, pids.items[i]))
			continue;
		(void)syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0);
		(void)syscall(SYS_pidfd_send_signal, pidfd, SIGCONT, NULL, 0);
	}
	w_pids_done(&pids);
}

int
w_cgroup_kill(int dir_fd)
{
	return w_file_write_at(dir_fd, "cgroup.kill", "1");
}
