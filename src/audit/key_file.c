/* SPDX-License-Identifier: Apache-2.0 */

/* The file that holds the key of a keyed trail. */

#include "audit/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/auto.h"

static writ_status
check_key_file(int fd, const char *path, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot look at the key file '%s'", path);
	if (!S_ISREG(st.st_mode) || st.st_size == 0 ||
	    st.st_size > W_KEY_FILE_MAX)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "'%s' is no key file: a plain file of 1 to %d bytes", path,
		    W_KEY_FILE_MAX);
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
		(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "others can use the key file '%s'", path);
		w_suggest(err, "chmod 0600 '%s'", path);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

writ_status
w_key_file_read(const char *path, char out_key[W_KEY_FILE_MAX], size_t *out_len,
    writ_error *err)
{
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot open the key file '%s'", path);
	writ_status status = check_key_file(fd, path, err);
	if (status != WRIT_OK)
		return status;
	ssize_t len = read(fd, out_key, W_KEY_FILE_MAX);
	if (len < 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot read the key file '%s'", path);
	*out_len = (size_t)len;
	return WRIT_OK;
}
