/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SAMPLE_WORKSPACE_H
#define W_TEST_SAMPLE_WORKSPACE_H

/* A workspace with things to protect in it, and things beside it. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "confined.h"
#include "temp.h"

enum {
	TMP_SIZE = 64 * 1024,
	FRESH = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET
};

struct workspace {
	struct temp temp;
	char work[300];
	char git[300];
	char config[300];
	char deep[300];
	char secret[300];
	char vault[300];
	char inner[300];
	char readable[300];
	struct w_resolved_profile resolved;
};

static inline void
spell(char path[300], const struct workspace *workspace, const char *name)
{
	(void)snprintf(path, 300, "%.255s/%s", workspace->temp.path, name);
}

static inline int
give_away(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return lchown(path, NOBODY, NOBODY);
}

static inline void
make_files(struct workspace *workspace)
{
	const struct temp *temp = &workspace->temp;

	temp_dir(temp, "work");
	temp_dir(temp, "work/.git");
	temp_dir(temp, "work/.git/objects");
	temp_file(temp, "work/.git/config", 0600, "[core]\n");
	temp_dir(temp, "work/a");
	temp_dir(temp, "work/a/b");
	temp_dir(temp, "work/a/b/hooks");
	temp_file(temp, "work/secret", 0600, "secret\n");
	temp_file(temp, "work/plain", 0600, "plain\n");
	temp_dir(temp, "work/vault");
	temp_file(temp, "work/vault/key", 0600, "key\n");
	temp_dir(temp, "work/vault/inner");
	temp_file(temp, "work/vault/inner/note", 0600, "note\n");
	temp_dir(temp, "readable");
	temp_file(temp, "readable/file", 0600, "read me\n");
	temp_dir(temp, "beside");
	temp_file(temp, "beside/file", 0600, "leave me\n");
}

static inline void
site_open(struct workspace *workspace, enum w_walls walls, enum power power)
{
	temp_open(&workspace->temp);
	make_files(workspace);
	if (power == AS_USER && geteuid() == 0)
		assert_int_equal(
		    nftw(workspace->temp.path, give_away, 16, FTW_PHYS), 0);
	spell(workspace->work, workspace, "work");
	spell(workspace->git, workspace, "work/.git");
	spell(workspace->config, workspace, "work/.git/config");
	spell(workspace->deep, workspace, "work/a/b/hooks");
	spell(workspace->secret, workspace, "work/secret");
	spell(workspace->vault, workspace, "work/vault");
	spell(workspace->inner, workspace, "work/vault/inner");
	spell(workspace->readable, workspace, "readable");
	confined_init(&workspace->resolved, walls);
	workspace->resolved.tmp_size = TMP_SIZE;
	confined_add(&workspace->resolved.grants, workspace->work,
	    W_MAY_READ | W_MAY_WRITE | W_MAY_EXECUTE);
	confined_add(&workspace->resolved.grants, workspace->inner, W_MAY_READ);
	confined_add(
	    &workspace->resolved.grants, workspace->readable, W_MAY_READ);
	confined_add(
	    &workspace->resolved.guarded, workspace->config, W_MAY_READ);
	confined_add(&workspace->resolved.guarded, workspace->deep, W_MAY_READ);
	confined_add(&workspace->resolved.hidden, workspace->secret, 0);
	confined_add(&workspace->resolved.hidden, workspace->vault, 0);
}

static inline void
site_close(struct workspace *workspace)
{
	confined_free(&workspace->resolved);
	temp_close(&workspace->temp);
}

/* Enters the view and lets go of all power, as a command would find it. */
static inline void
enter(const struct plan *plan)
{
	uint32_t failed = UINT32_MAX;
	long ret = plan_enter(plan, 0, &failed);

	if (ret == 0)
		ret = plan_enter(plan, 1, &failed);
	if (ret != 0) {
		(void)dprintf(
		    2, "# step %u failed: %s\n", failed, strerror((int)-ret));
		_exit(97);
	}
	drop_capabilities();
}

static inline int
opens(const char *dir, const char *name, int flags)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	errno = 0;
	const int fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)close(fd);
	return errno;
}

static inline int
renames(const char *dir, const char *from, const char *to)
{
	char old[600], new[600];

	(void)snprintf(old, sizeof(old), "%s/%s", dir, from);
	(void)snprintf(new, sizeof(new), "%s/%s", dir, to);
	errno = 0;
	(void)rename(old, new);
	return errno;
}

/* To what it is: a wall that is missing must not hurt the machine. */
static inline int
changes_mode(const char *path)
{
	struct stat found;

	CLAIM(stat(path, &found) == 0);
	errno = 0;
	(void)chmod(path, found.st_mode & 07777);
	return errno;
}

static inline size_t
count_entries(const char *path)
{
	size_t count = 0;
	DIR *dir = opendir(path);
	const struct dirent *entry;

	CLAIM(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.';
	(void)closedir(dir);
	return count;
}

/* Claims of every view, old and new. */
static inline void
try_guarded(const struct workspace *workspace)
{
	CLAIM(opens(workspace->git, "config", O_RDONLY) == 0);
	CLAIM(opens(workspace->git, "config", O_WRONLY) == EROFS);
	CLAIM(
	    opens(workspace->deep, "pre-commit", O_WRONLY | O_CREAT) == EROFS);
	CLAIM(changes_mode(workspace->config) == EROFS);
	CLAIM(unlink(workspace->config) < 0 && errno == EBUSY);
	CLAIM(renames(workspace->git, "objects", "config") != 0);
	CLAIM(renames(workspace->work, "plain", ".git/config") != 0);
}

static inline void
try_hidden(const struct workspace *workspace)
{
	CLAIM(opens(workspace->work, "secret", O_RDONLY) == EACCES);
	CLAIM(changes_mode(workspace->secret) == EROFS);
	CLAIM(opens(workspace->vault, "key", O_RDONLY) == ENOENT);
	CLAIM(opens(workspace->vault, "new", O_WRONLY | O_CREAT) == EROFS);
	CLAIM(opens(workspace->inner, "note", O_RDONLY) == 0);
	CLAIM(opens(workspace->inner, "note", O_WRONLY) == EROFS);
}

static inline void
try_devices(const struct workspace *workspace)
{
	static const char *const names[] = {"null", "zero", "full", "random",
	    "urandom", "tty", "ptmx", "pts", "shm", "fd", "stdin", "stdout",
	    "stderr"};
	char byte = 1;

	(void)workspace;
	CLAIM(count_entries("/dev") == sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[64];
		struct stat found;

		(void)snprintf(path, sizeof(path), "/dev/%s", names[i]);
		CLAIM(lstat(path, &found) == 0);
		CLAIM(i > 5 || S_ISCHR(found.st_mode));
	}
	CLAIM(opens("/dev", "null", O_WRONLY) == 0);
	const int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	CLAIM(fd >= 0 && read(fd, &byte, 1) == 1 && byte == 0);
	CLAIM(opens("/dev", "urandom", O_RDONLY) == 0);
	CLAIM(opens("/dev", "ptmx", O_RDWR | O_NOCTTY) == 0);
}

static inline void
try_proc(const struct workspace *workspace)
{
	char self[16] = "";
	size_t pids = 0;
	DIR *dir = opendir("/proc");
	const struct dirent *entry;

	(void)workspace;
	CLAIM(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		pids += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	(void)closedir(dir);
	CLAIM(pids == 1);
	CLAIM(readlink("/proc/self", self, sizeof(self) - 1) == 1);
	CLAIM(strcmp(self, "1") == 0);
	CLAIM(opens("/proc/sys/kernel", "printk", O_WRONLY) != 0);
	CLAIM(opens("/proc", "sysrq-trigger", O_WRONLY) != 0);
	CLAIM(opens("/proc/self", "oom_score_adj", O_WRONLY) == EROFS);
	CLAIM(opens("/proc", "kcore", O_RDONLY) != 0);
	CLAIM(opens("/proc", "kmsg", O_RDONLY) != 0);
}

/* Whether this machine lets this user have namespaces at all. */
static inline int
need_namespaces(void **state)
{
	(void)state;
	long pid = fork_into(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID);

	if (pid == 0)
		_exit(0);
	if (pid < 0) {
		print_message("# no user namespaces: %s\n", strerror(errno));
		return -1;
	}
	return waitpid((pid_t)pid, NULL, __WALL) == pid ? 0 : -1;
}

#endif /* W_TEST_SAMPLE_WORKSPACE_H */
