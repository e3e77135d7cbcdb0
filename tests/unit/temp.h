/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_TEMP_H
#define W_TEST_TEMP_H

/* A fresh directory for one test, and small files in it. */

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct temp {
	char path[256];
	int fd;
};

/* A path in the directory; good until the fourth call after it. */
static inline const char *
temp_path(const struct temp *temp, const char *name)
{
	static char paths[4][512];
	static unsigned next;
	char *path = paths[next++ % 4];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", temp->path, name);
	return path;
}

static inline void
temp_open(struct temp *temp)
{
	const char *base = getenv("TMPDIR");
	char spelled[256];

	if (base == NULL || base[0] != '/')
		base = "/tmp";
	(void)snprintf(
	    spelled, sizeof(spelled), "%.200s/writ-test-XXXXXX", base);
	assert_non_null(mkdtemp(spelled));
	char *canonical = realpath(spelled, NULL);
	assert_non_null(canonical);
	(void)snprintf(temp->path, sizeof(temp->path), "%s", canonical);
	free(canonical);
	temp->fd = open(temp->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(temp->fd >= 0);
}

static inline int
temp_make_removable(
    const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (kind == FTW_D || kind == FTW_DNR)
		(void)chmod(path, 0700);
	return 0;
}

static inline int
temp_remove(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline void
temp_close(struct temp *temp)
{
	(void)close(temp->fd);
	(void)nftw(temp->path, temp_make_removable, 16, FTW_PHYS);
	(void)nftw(temp->path, temp_remove, 16, FTW_PHYS | FTW_DEPTH);
}

/* The set-up of a test: the directory becomes its state, which
 * temp_tear_down() takes away again. */
static inline int
temp_begin(struct temp *temp, void **state)
{
	temp_open(temp);
	*state = temp;
	return 0;
}

static inline int
temp_set_up(void **state)
{
	static struct temp temp;

	return temp_begin(&temp, state);
}

static inline int
temp_tear_down(void **state)
{
	temp_close(*state);
	return 0;
}

static inline void
temp_dir(const struct temp *temp, const char *name)
{
	assert_int_equal(mkdirat(temp->fd, name, 0700), 0);
}

static inline void
temp_link(const struct temp *temp, const char *target, const char *name)
{
	assert_int_equal(symlinkat(target, temp->fd, name), 0);
}

static inline void
temp_bytes(const struct temp *temp, const char *name, mode_t mode,
    const char *bytes, size_t len)
{
	int fd = openat(
	    temp->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(close(fd), 0);
}

static inline void
temp_file(
    const struct temp *temp, const char *name, mode_t mode, const char *text)
{
	temp_bytes(temp, name, mode, text, strlen(text));
}

static inline int
temp_has(const struct temp *temp, const char *name)
{
	struct stat st;

	return fstatat(temp->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

#endif /* W_TEST_TEMP_H */
