/* SPDX-License-Identifier: Apache-2.0 */

/* Opens a file for reading on behalf of others. */

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <writ/file.h>

#include "base/auto.h"
#include "base/error.h"
#include "os/parent_dir.h"

#define STAGE "file"

static writ_status
file_open_refuse(const char *path, int error, writ_error *err)
{
	if (error == ELOOP) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.256s' goes through a link that another user can have "
		    "put there",
		    path);
		w_suggest(err, "name the file that it leads to");
		return WRIT_E_INVALID;
	}
	return w_fail(err,
	    error == ENOENT || error == ENOTDIR || error == EACCES
		? WRIT_E_INVALID
		: WRIT_E_SYSTEM,
	    STAGE, error, "cannot read '%.256s'", path);
}

writ_status
writ_file_open(const char *path, int *out_fd, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	struct stat st;

	if (path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.256s' is not an absolute path", path);
	/* Opening a FIFO without a writer must not block. */
	int error = w_parent_dir_open_file(
	    path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, &fd);
	if (error == 0 && fstat(fd, &st) < 0)
		error = errno;
	if (error != 0)
		return file_open_refuse(path, error, err);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.256s' is not a regular file", path);
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}
