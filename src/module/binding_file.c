/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Binding files on disk.
 *
 * A binding decides what an agent's call becomes, so what is read must be in
 * the hands of root or of this user: the file, and the directory, in which
 * others could put another file in its place. It is opened once; what was
 * checked is what is read.
 *
 * What is written appears under its name whole and on disk, or not at all.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "module/binding.h"
#include "os/file.h"
#include "os/replace.h"
#include "os/trust.h"

#define STAGE "module"

static writ_status
check_name(const char *name, writ_error *err)
{
	if (name[0] == '\0' || strchr(name, '/') != NULL ||
	    strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not the name of a file", name);
	return WRIT_OK;
}

static writ_status
refuse_hands(
    const char *name, const char *what, const char *remedy, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "'%s' %s", name, what);
	w_suggest(err, "%s", remedy);
	return WRIT_E_INVALID;
}

static writ_status
check_dir(int dir_fd, const char *name, writ_error *err)
{
	struct stat st;

	if (fstatat(dir_fd, "", &st, AT_EMPTY_PATH) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at the directory of '%s'", name);
	if (w_trust_is_foreign_dir(&st))
		return refuse_hands(name,
		    "lies in a directory that other users can change",
		    "give the directory to yourself or root, and: chmod go-w",
		    err);
	return WRIT_OK;
}

static writ_status
check_file(int fd, const char *name, writ_error *err)
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
open_file(int dir_fd, const char *name, int *out_fd, writ_error *err)
{
	/* A pipe or a terminal of this name must not hold us up. */
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
    int fd, const char *path, const struct w_identity *proven, writ_error *err)
{
	struct w_identity identity;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", path);
	w_identity_take(&st, &identity);
	if (S_ISREG(st.st_mode) &&
	    w_identity_is_same_but_owner(&identity, proven))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' has changed since the call was checked", path);
	w_suggest(err, "call again");
	return WRIT_E_INVALID;
}

static writ_status
read_all(int fd, const char *name, struct w_buf *text, writ_error *err)
{
	int error = w_file_read_all(fd, text);

	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is larger than %d MiB", name,
		    W_BINDING_BYTES_MAX / (1024 * 1024));
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot read '%s'", name);
	return WRIT_OK;
}

writ_status
w_binding_read_file(int dir_fd, const char *name, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	W_AUTO_BUF struct w_buf text;
	writ_status status = check_name(name, err);

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	if (status == WRIT_OK)
		status = check_dir(dir_fd, name, err);
	if (status == WRIT_OK)
		status = open_file(dir_fd, name, &fd, err);
	if (status == WRIT_OK)
		status = check_file(fd, name, err);
	if (status == WRIT_OK)
		status = read_all(fd, name, &text, err);
	if (status != WRIT_OK)
		return status;
	return w_binding_read_text(text.data, text.len, is_thorough, sink, err);
}

writ_status
w_binding_read_proven(const char *path, const struct w_identity *proven,
    const struct w_binding_sink *sink, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	W_AUTO_BUF struct w_buf text;
	writ_status status = open_file(AT_FDCWD, path, &fd, err);

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	if (status == WRIT_OK)
		status = check_proof(fd, path, proven, err);
	if (status == WRIT_OK)
		status = read_all(fd, path, &text, err);
	if (status != WRIT_OK)
		return status;
	return w_binding_read_text(text.data, text.len, true, sink, err);
}

/* What has the name must be a file of the kind that is written here. */
static writ_status
check_place(int dir_fd, const char *name, bool may_replace, writ_error *err)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			   ? WRIT_OK
			   : w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
				 "cannot look at '%s'", name);
	if (S_ISLNK(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is a symbolic link and is not replaced", name);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not a file and is not replaced", name);
	return may_replace ? WRIT_OK
			   : w_fail(err, WRIT_E_INVALID, STAGE, 0,
				 "'%s' is there already", name);
}

writ_status
w_binding_write(int dir_fd, const char *name, const char *text, size_t len,
    bool may_replace, writ_error *err)
{
	const struct w_replace how = {
	    .mode = 0644, .may_replace = may_replace, .is_lasting = true};
	writ_status status = check_name(name, err);

	if (status == WRIT_OK)
		status = check_dir(dir_fd, name, err);
	if (status == WRIT_OK)
		status = check_place(dir_fd, name, may_replace, err);
	if (status != WRIT_OK)
		return status;
	int error = w_replace_file(dir_fd, name, text, len, &how);
	if (error == EEXIST)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is there already", name);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot write '%s'", name);
	return WRIT_OK;
}
