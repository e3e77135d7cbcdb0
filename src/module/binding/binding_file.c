/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Binding files on disk. A file appears under its name complete and flushed, or
 * not at all.
 */

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "command/description/trusted_file.h"
#include "module/binding/binding.h"
#include "os/replace.h"

#define STAGE "module"

writ_status
w_binding_read_file(int dir_fd, const char *name, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	writ_status status = w_trusted_file_read(dir_fd, name, &text, err);
	if (status != WRIT_OK)
		return status;
	return w_binding_read_text(text.data, text.len, is_thorough, sink, err);
}

writ_status
w_binding_read_proven(const char *path, const struct w_stat_data *proven,
    const struct w_binding_sink *sink, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	writ_status status =
	    w_trusted_file_read_proven(path, proven, &text, err);
	if (status != WRIT_OK)
		return status;
	return w_binding_read_text(text.data, text.len, true, sink, err);
}

/* An existing file must be a regular file. */
static writ_status
binding_file_check_place(
    int dir_fd, const char *name, bool may_replace, writ_error *err)
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
	writ_status status = w_trusted_file_check(dir_fd, name, err);

	if (status == WRIT_OK)
		status =
		    binding_file_check_place(dir_fd, name, may_replace, err);
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
