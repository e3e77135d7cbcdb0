/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Opens files at the places that were judged.
 *
 * A path is walked name by name, and no link is followed: a name that became
 * one in the meantime fails. (openat2() would do that, but a filter of system
 * calls cannot look at its arguments, and so the sandbox has none.)
 *
 * A file is first opened without being touched (O_PATH): opening a FIFO would
 * wait for a writer, and opening a device may do something.
 */

#include "files/file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

enum {
	BLOCK = 1 << 13,
	NEW_DIR_MODE = 0777,
	OPEN_TRIES = 4,
};

/* The next name of a path, in part; false: it is too long. *at moves behind it
 * and the slashes that follow. */
static bool
file_place_next(const char **at, char part[NAME_MAX + 1])
{
	const size_t len = strcspn(*at, "/");

	if (len > NAME_MAX)
		return false;
	memcpy(part, *at, len);
	part[len] = '\0';
	*at += len;
	*at += strspn(*at, "/");
	return true;
}

/* A link is no directory; say that it is a link. */
static int
file_place_error(int dir_fd, const char *part, int error)
{
	struct stat st;

	return error == ENOTDIR &&
		       fstatat(dir_fd, part, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		       S_ISLNK(st.st_mode)
		   ? ELOOP
		   : error;
}

/* Makes a directory that is missing, if it may. */
static int
file_place_make(int dir_fd, const char *part, unsigned *made)
{
	if (made == NULL)
		return ENOENT;
	if (mkdirat(dir_fd, part, NEW_DIR_MODE) == 0)
		(*made)++;
	else if (errno != EEXIST)
		return errno;
	return 0;
}

/* Goes down one directory. */
static int
file_place_enter(int *fd, const char *part, unsigned *made)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int next = openat(*fd, part, flags);

	if (next < 0 && errno == ENOENT) {
		const int error = file_place_make(*fd, part, made);

		if (error != 0)
			return error;
		next = openat(*fd, part, flags);
	}
	if (next < 0)
		return file_place_error(*fd, part, errno);
	w_close(fd);
	*fd = next;
	return 0;
}

/* Opens the directory of a path, name by name, and copies its last name (".":
 * the directory itself). made: missing directories are made, and counted. */
static int
file_place_walk(
    const char *place, unsigned *made, int *out_fd, char last[NAME_MAX + 1])
{
	const char *at = place + strspn(place, "/");
	W_AUTO_FD int fd =
	    open(place[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	last[0] = '.';
	last[1] = '\0';
	while (*at != '\0') {
		if (!file_place_next(&at, last))
			return ENAMETOOLONG;
		const int error =
		    *at == '\0' ? 0 : file_place_enter(&fd, last, made);
		if (error != 0)
			return error;
	}
	*out_fd = w_take_fd(&fd);
	return 0;
}

static int
file_place_open(const char *place, int flags, int *out_fd)
{
	char last[NAME_MAX + 1];
	W_AUTO_FD int dir_fd = -1;
	const int error = file_place_walk(place, NULL, &dir_fd, last);

	if (error != 0)
		return error;
	const int fd = openat(dir_fd, last, flags | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return file_place_error(dir_fd, last, errno);
	*out_fd = fd;
	return 0;
}

static int
file_place_open_file(const char *place, int *out_fd, struct stat *out_st)
{
	W_AUTO_FD int seen_fd = -1;
	W_AUTO_FD int fd = -1;
	struct stat st;

	*out_fd = -1;
	int error = file_place_open(place, O_PATH, &seen_fd);
	if (error == 0 && fstat(seen_fd, out_st) < 0)
		error = errno;
	if (error != 0 || !S_ISREG(out_st->st_mode))
		return error;
	error = file_place_open(place, O_RDONLY | O_NONBLOCK, &fd);
	if (error != 0)
		return error;
	if (fstat(fd, &st) < 0)
		return errno;
	if (st.st_dev != out_st->st_dev || st.st_ino != out_st->st_ino)
		return ESTALE;
	*out_st = st;
	*out_fd = w_take_fd(&fd);
	return 0;
}

/* A file that is replaced now and then can still be read. */
int
w_files_open(const char *place, int *out_fd, struct stat *out_st)
{
	int error = ESTALE;

	for (int i = 0; i < OPEN_TRIES && error == ESTALE; i++)
		error = file_place_open_file(place, out_fd, out_st);
	return error;
}

int
w_files_open_dir(const char *place, int *out_fd)
{
	return file_place_open(place, O_RDONLY | O_DIRECTORY, out_fd);
}

int
w_files_open_parent(const char *place, bool makes, int *out_fd,
    const char **out_name, unsigned *out_made)
{
	const char *slash = strrchr(place, '/');
	const char *name = slash == NULL ? place : slash + 1;
	char last[NAME_MAX + 1];

	*out_made = 0;
	*out_name = name;
	if (name[0] == '\0' || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0)
		return EISDIR;
	return file_place_walk(place, makes ? out_made : NULL, out_fd, last);
}

void
w_files_unmake_parents(const char *place, unsigned made)
{
	char dir[PATH_MAX];
	const int len = snprintf(dir, sizeof(dir), "%s", place);

	if (len < 0 || (size_t)len >= sizeof(dir))
		return;
	for (; made > 0; made--) {
		char *slash = strrchr(dir, '/');
		char name[NAME_MAX + 1];
		W_AUTO_FD int fd = -1;

		if (slash == NULL || slash == dir)
			return;
		*slash = '\0';
		if (file_place_walk(dir, NULL, &fd, name) != 0 ||
		    unlinkat(fd, name, AT_REMOVEDIR) < 0)
			return;
	}
}

int
w_files_pass(int fd, w_files_take_fn *take, void *ctx)
{
	char block[BLOCK];
	off_t at = 0;

	for (;;) {
		const ssize_t n = pread(fd, block, sizeof(block), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : 0;
		const int error = take(ctx, block, (size_t)n);
		if (error != 0)
			return error;
		at += n;
	}
}

struct file_loading {
	struct w_buf *buf;
	size_t bytes_max;
};

static int
load_part(void *ctx, const char *bytes, size_t len)
{
	const struct file_loading *loading = ctx;

	if (len > loading->bytes_max - loading->buf->len)
		return EFBIG;
	w_buf_add(loading->buf, bytes, len);
	return 0;
}

int
w_files_load(int fd, size_t bytes_max, struct w_buf *buf)
{
	struct file_loading loading = {buf, bytes_max};
	const int error = w_files_pass(fd, load_part, &loading);

	return error == 0 && buf->failed ? ENOMEM : error;
}

const char *
w_files_kind_word(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISLNK(mode))
		return "a symbolic link that leads nowhere, or was not there "
		       "when the call was judged";
	if (S_ISFIFO(mode))
		return "a FIFO";
	if (S_ISSOCK(mode))
		return "a socket";
	return S_ISREG(mode) ? "a file" : "a device";
}
