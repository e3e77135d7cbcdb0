/* SPDX-License-Identifier: Apache-2.0 */

/* Writing a small file whole. */

#include "os/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"

#define TEMP_NAME_MAX 64

static int
fill(int fd, const void *bytes, size_t len, const struct w_replace *how)
{
	int error = w_file_write_all(fd, bytes, len);

	if (error == 0 && fchmod(fd, how->mode) < 0)
		error = errno;
	if (error == 0 && how->is_lasting && fsync(fd) < 0)
		error = errno;
	return error;
}

/* Not every file system can rename without replacing; all that have links can
 * do it in two steps. */
static int
link_over(int dir_fd, const char *temp, const char *name)
{
	if (linkat(dir_fd, temp, dir_fd, name, 0) < 0)
		return errno;
	(void)unlinkat(dir_fd, temp, 0);
	return 0;
}

static int
give_name(int dir_fd, const char *temp, const char *name, bool may_replace)
{
	const unsigned flags = may_replace ? 0 : RENAME_NOREPLACE;

	if (renameat2(dir_fd, temp, dir_fd, name, flags) == 0)
		return 0;
	if (!may_replace && (errno == EINVAL || errno == ENOSYS))
		return link_over(dir_fd, temp, name);
	return errno;
}

/* What may only be searched cannot be opened to be synced, and some file
 * systems have nothing to sync. */
static int
sync_dir(int dir_fd)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno == EACCES ? 0 : errno;
	return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

int
w_replace_file(int dir_fd, const char *name, const void *bytes, size_t len,
    const struct w_replace *how)
{
	char temp[TEMP_NAME_MAX];
	uint64_t random;

	if (len > w_file_size_limit())
		return EFBIG;
	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return errno;
	(void)snprintf(temp, sizeof(temp), ".writ-%016" PRIx64 ".tmp", random);
	W_AUTO_FD int fd = openat(dir_fd, temp,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	int error = fill(fd, bytes, len, how);
	if (error == 0)
		error = give_name(dir_fd, temp, name, how->may_replace);
	if (error != 0) {
		(void)unlinkat(dir_fd, temp, 0);
		return error;
	}
	return how->is_lasting ? sync_dir(dir_fd) : 0;
}
