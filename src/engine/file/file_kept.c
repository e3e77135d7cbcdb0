/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a file has besides content, owner and mode, and its replacement must
 * have, too: without its access control list others could get in or be locked
 * out, without its label a program may not be able to read it.
 *
 * File capabilities are not kept, like set-id bits: they were given to the old
 * content.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/auto.h"
#include "engine/file/file_state.h"

/* The kernel's own maximum. */
#define VALUE_MAX ((size_t)64 << 10)

static const char *const kept[] = {
    "system.posix_acl_access",
    "security.selinux",
    "security.SMACK64",
};

/* *out_len is 0: it has none. 0, or an errno. */
static int
get_value(int fd, const char *name, char *value, size_t *out_len)
{
	const ssize_t len = fgetxattr(fd, name, value, VALUE_MAX);

	*out_len = len > 0 ? (size_t)len : 0;
	return len >= 0 || errno == ENODATA || errno == EOPNOTSUPP ? 0 : errno;
}

/* A new file may have inherited a list or a label, which may be the same. */
static int
copy_value(int from, int to, const char *name, char *value)
{
	size_t len = 0, new_len = 0;
	int error = get_value(from, name, value, &len);

	if (error == 0)
		error = get_value(to, name, value + VALUE_MAX, &new_len);
	if (error != 0 ||
	    (len == new_len && memcmp(value, value + VALUE_MAX, len) == 0))
		return error;
	if (len > 0)
		return fsetxattr(to, name, value, len, 0) < 0 ? errno : 0;
	/* Only a list can be taken away. */
	if (name != kept[0])
		return 0;
	return fremovexattr(to, name) < 0 && errno != ENODATA ? errno : 0;
}

int
w_engine_file_keep(const struct w_file_change *job, int fd)
{
	W_AUTO_FREE char *value = NULL;
	W_AUTO_FD int from = openat(job->parent.fd, job->parent.name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	/* It was there, and could be read, when it was looked at. */
	if (from < 0)
		return errno == ENOENT || errno == ELOOP ? EBUSY : errno;
	value = malloc(2 * VALUE_MAX);
	if (value == NULL)
		return ENOMEM;
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		int error = copy_value(from, fd, kept[i], value);

		if (error != 0)
			return error;
	}
	return 0;
}
