/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reopens, in the sandbox's view, a file that was looked up outside it.
 *
 * A descriptor from outside would bypass the view: same file, but on a mount
 * that is neither read-only nor masked.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

long
w_enter_directory(const struct w_enter_file *directory)
{
	char name[PATH_MAX];
	struct stat now;

	name[0] = '\0';
	long ret = w_sys1(__NR_chdir, directory->path);
	if (ret == 0)
		ret = w_sys4(__NR_newfstatat, AT_FDCWD, ".", &now, 0);
	if (ret == 0 &&
	    ((directory->dev != 0 && now.st_dev != directory->dev) ||
		now.st_ino != directory->ino))
		ret = -ESTALE;
	/* A path outside our root is marked as such by the kernel. */
	if (ret == 0)
		ret = w_sys2(__NR_getcwd, name, sizeof(name));
	if (ret > 0 && name[0] != '/')
		ret = -ESTALE;
	return ret < 0 ? ret : 0;
}

long
w_enter_program(const struct w_enter_file *program)
{
	struct stat now;

	long fd =
	    w_sys4(__NR_openat, AT_FDCWD, program->path, O_PATH | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	long ret = w_sys2(__NR_fstat, fd, &now);
	if (ret == 0 && ((program->dev != 0 && now.st_dev != program->dev) ||
			    now.st_ino != program->ino))
		ret = -ESTALE;
	return ret < 0 ? ret : fd;
}
