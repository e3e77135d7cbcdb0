/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SAME_FILE_H
#define W_RUN_SAME_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/syscall.h"

/*
 * Whether a path still leads to the file of a descriptor: 0, -ESTALE, or the
 * negative errno. By raw system calls, for the child half and the helper.
 *
 * A script is executed by path, because its interpreter opens it again; so this
 * is the last check before.
 */
static inline long
w_same_file(int fd, const char *path)
{
	struct stat by_fd, by_path;

	long ret = w_sys2(__NR_fstat, fd, &by_fd);
	if (ret == 0)
		ret = w_sys4(__NR_newfstatat, AT_FDCWD, path, &by_path, 0);
	if (ret == 0 &&
	    (by_fd.st_dev != by_path.st_dev || by_fd.st_ino != by_path.st_ino))
		ret = -ESTALE;
	return ret;
}

#endif /* W_RUN_SAME_FILE_H */
