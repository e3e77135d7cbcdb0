/* SPDX-License-Identifier: Apache-2.0 */

/* Files that are locked as long as somebody lives; see alive_file.h. */

#include "undo/alive_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

enum {
	TRIES_MAX = 100
};

/* Somebody who cleans up may have seen it before it was locked, and removed
 * it: then once more. */
int
w_alive_file_make(int dir_fd, const char *name, int *out_fd)
{
	struct stat st;

	for (int i = 0; i < TRIES_MAX; i++) {
		W_AUTO_FD int fd = openat(dir_fd, name,
		    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

		if (fd < 0 || flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
			return errno;
		if (st.st_nlink > 0) {
			*out_fd = w_take_fd(&fd);
			return 0;
		}
	}
	return EBUSY;
}

/* *out_fd keeps the lock, so that nobody takes it meanwhile; -1: there is no
 * such file. */
static bool
alive_file_take(int dir_fd, const char *name, int *out_fd)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT;
	if (flock(fd, LOCK_SH | LOCK_NB) < 0)
		return false;
	*out_fd = w_take_fd(&fd);
	return true;
}

bool
w_alive_file_is_free(int dir_fd, const char *name)
{
	W_AUTO_FD int fd = -1;

	return alive_file_take(dir_fd, name, &fd);
}

void
w_alive_file_clean(int dir_fd, const char *name)
{
	W_AUTO_FD int fd = -1;

	if (alive_file_take(dir_fd, name, &fd) && fd >= 0)
		(void)unlinkat(dir_fd, name, 0);
}
