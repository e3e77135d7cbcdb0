/* SPDX-License-Identifier: Apache-2.0 */

/* Reads files that only root or this user can change. What was checked is what
 * is read: each file is opened once. */

#include "command/description/trusted_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/trust.h"

#define STAGE "module"

static writ_status
refuse_hands(
    const char *name, const char *what, const char *remedy, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "'%s' %s", name, what);
	w_suggest(err, "%s", remedy);
	return WRIT_E_INVALID;
}

static writ_status
trusted_file_check_dir(int dir_fd, const char *name, writ_error *err)
{
	struct stat st;

	if (fstatat(dir_fd, "", &st, AT_EMPTY_PATH) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at the directory of '%s'", name);
	if (w_trust_is_foreign_dir(&st))
		return refuse_hands(name,
		    "is in a directory that other users can change",
		    "give the directory to yourself or root, and: chmod go-w",
		    err);
	return WRIT_OK;
}

static writ_status
trusted_file_check_file(int fd, const char *name, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", name);
	if (!S_ISREG(st.st_mode))
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "'%s' is not a file", name);
	if (w_trust_is_foreign(&st))
		return refuse_hands(name, "can be changed by other users",
		    "give it to yourself or root, and: chmod go-w", err);
	return WRIT_OK;
}

static writ_status
trusted_file_open_file(
    int dir_fd, const char *name, int *out_fd, writ_error *err)
{
	/* A FIFO or a terminal of this name must not block us. */
	int fd = openat(dir_fd, name,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 && errno == ELOOP)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is a symbolic link", name);
	if (fd < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot open '%s'", name);
	*out_fd = fd;
	return WRIT_OK;
}

static writ_status
check_proof(
    int fd, const char *path, const struct w_stat_data *proven, writ_error *err)
{
	struct w_stat_data identity;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", path);
	w_stat_data_set(&st, &identity);
	if (S_ISREG(st.st_mode) &&
	    w_stat_data_is_same_but_owner(&identity, proven))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' has changed since the call was checked", path);
	w_suggest(err, "call again");
	return WRIT_E_INVALID;
}

static writ_status
trusted_file_read_all(
    int fd, const char *name, struct w_buf *text, writ_error *err)
{
	int error = w_file_read_all(fd, text);

	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is larger than %zu MiB", name,
		    text->max / (1024 * 1024));
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot read '%s'", name);
	return WRIT_OK;
}

writ_status
w_trusted_file_check(int dir_fd, const char *name, writ_error *err)
{
	if (name[0] == '\0' || strchr(name, '/') != NULL ||
	    strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not the name of a file", name);
	return trusted_file_check_dir(dir_fd, name, err);
}

writ_status
w_trusted_file_read(
    int dir_fd, const char *name, struct w_buf *text, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	writ_status status = w_trusted_file_check(dir_fd, name, err);

	if (status == WRIT_OK)
		status = trusted_file_open_file(dir_fd, name, &fd, err);
	if (status == WRIT_OK)
		status = trusted_file_check_file(fd, name, err);
	return status == WRIT_OK ? trusted_file_read_all(fd, name, text, err)
				 : status;
}

writ_status
w_trusted_file_read_proven(const char *path, const struct w_stat_data *proven,
    struct w_buf *text, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	writ_status status = trusted_file_open_file(AT_FDCWD, path, &fd, err);

	if (status == WRIT_OK)
		status = check_proof(fd, path, proven, err);
	return status == WRIT_OK ? trusted_file_read_all(fd, path, text, err)
				 : status;
}
