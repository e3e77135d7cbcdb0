/* SPDX-License-Identifier: Apache-2.0 */

/* Moves descriptors out of the low numbers; reads and writes small files. */

#include "os/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/buf.h"

int
w_fd_raise(int *fd)
{
	if (*fd >= W_FD_SAFE)
		return 0;

	int raised = fcntl(*fd, F_DUPFD_CLOEXEC, W_FD_SAFE);
	if (raised < 0)
		return errno;
	w_close(fd);
	*fd = raised;
	return 0;
}

void
w_fd_lift(int *fd)
{
	enum {
		HIGH = 256
	};

	if (*fd < 0 || *fd >= HIGH)
		return;
	int lifted = fcntl(*fd, F_DUPFD_CLOEXEC, HIGH);
	if (lifted < 0)
		return;
	w_close(fd);
	*fd = lifted;
}

static int
raise_both(int ends[2], int *first, int *second)
{
	W_AUTO_FD int a = ends[0];
	W_AUTO_FD int b = ends[1];

	int error = w_fd_raise(&a);
	if (error == 0)
		error = w_fd_raise(&b);
	*first = error == 0 ? w_take_fd(&a) : -1;
	*second = error == 0 ? w_take_fd(&b) : -1;
	return error;
}

int
w_fd_pipe(int *read_end, int *write_end, int flags)
{
	int ends[2];

	*read_end = -1;
	*write_end = -1;
	if (pipe2(ends, O_CLOEXEC | flags) < 0)
		return errno;
	return raise_both(ends, read_end, write_end);
}

int
w_fd_pair(int *ours, int *theirs)
{
	int ends[2];

	*ours = -1;
	*theirs = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return errno;
	return raise_both(ends, ours, theirs);
}

ssize_t
w_file_read_at(int dir_fd, const char *path, char *buf, size_t size)
{
	W_AUTO_FD int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;

	if (fd < 0)
		return -errno;
	while (used < size - 1) {
		ssize_t n = read(fd, buf + used, size - 1 - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	buf[used] = '\0';
	return (ssize_t)used;
}

int
w_file_read_all(int fd, struct w_buf *buf)
{
	return w_buf_read(buf, fd);
}

int
w_file_write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

int
w_file_write_at(int dir_fd, const char *path, const char *text)
{
	W_AUTO_FD int fd = openat(dir_fd, path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	return w_file_write_all(fd, text, strlen(text));
}

static int
file_make_dir(const char *path, mode_t mode)
{
	struct stat st;

	if (mkdir(path, mode) == 0) {
		/* Ignores the umask: a directory without permissions would stay
		 * forever, unusable. */
		if (lstat(path, &st) == 0 && (st.st_mode & 0777) == mode)
			return 0;
		int rc = fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW);

		return rc < 0 && errno != EOPNOTSUPP ? errno : 0;
	}
	if (errno != EEXIST)
		return errno;
	if (stat(path, &st) < 0)
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

uint64_t
w_file_size_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

writ_status
w_file_make_dirs(const char *path, mode_t mode, writ_error *err)
{
	struct stat st;

	/* Usually it exists, or only the last part is missing. */
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return WRIT_OK;
	int error = file_make_dir(path, mode);
	if (error == 0)
		return WRIT_OK;

	W_AUTO_FREE char *copy = strdup(path);
	if (copy == NULL)
		return w_fail_nomem(err, "file");
	/* Up to the first directory that is there or can be made, and down
	 * again. */
	const size_t len = strlen(copy);
	while (error == ENOENT) {
		char *slash = strrchr(copy, '/');

		if (slash == NULL || slash == copy)
			break;
		*slash = '\0';
		error = file_make_dir(copy, mode);
	}
	while (error == 0 && strlen(copy) < len) {
		copy[strlen(copy)] = '/';
		error = file_make_dir(copy, mode);
	}
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "file", error,
		    "cannot make directory '%s'", path);
	return WRIT_OK;
}
