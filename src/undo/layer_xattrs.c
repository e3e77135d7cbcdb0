/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Extended attributes of a layer's files.
 *
 * They are reached through /proc/self/fd, since the files are opened as O_PATH:
 * a fifo must not be opened, and a file may not be readable.
 */

#include "undo/layer_xattrs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/auto.h"

enum {
	NAMES_MAX = 64 * 1024,
	VALUE_MAX = 64 * 1024
};

struct fd_link {
	char path[32];
};

static struct fd_link
link_of(int fd)
{
	struct fd_link link;

	(void)snprintf(link.path, sizeof(link.path), "/proc/self/fd/%d", fd);
	return link;
}

static const char *
prefix_of(const struct w_undo_xattrs *layer)
{
	return layer->is_user ? "user.overlay." : "trusted.overlay.";
}

static bool
is_kernels(const struct w_undo_xattrs *layer, const char *name)
{
	const char *prefix = prefix_of(layer);

	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The names, each with its NUL. The length, or a negative errno. No attributes
 * at all: 0. */
static ssize_t
list_names(const char *path, char **out_names)
{
	const ssize_t needed = listxattr(path, NULL, 0);

	*out_names = NULL;
	if (needed <= 0)
		return needed == 0 || errno == EOPNOTSUPP ? 0 : -errno;
	if (needed > NAMES_MAX)
		return -E2BIG;
	char *names = malloc((size_t)needed);
	if (names == NULL)
		return -ENOMEM;
	const ssize_t len = listxattr(path, names, (size_t)needed);
	if (len < 0) {
		const int error = errno;

		free(names);
		return -error;
	}
	*out_names = names;
	return len;
}

int
w_undo_is_opaque(const struct w_undo_xattrs *layer, int fd)
{
	const struct fd_link link = link_of(fd);
	char name[64], value[2];

	(void)snprintf(name, sizeof(name), "%sopaque", prefix_of(layer));
	const ssize_t len = getxattr(link.path, name, value, sizeof(value));
	if (len < 0)
		return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -errno;
	return len == 1 && value[0] == 'y';
}

/* Removing one from a file of ours needs the right to write it. */
static int
remove_one(const char *path, const char *name, const struct stat *st)
{
	if (removexattr(path, name) == 0 || errno == ENODATA)
		return 0;
	if (errno != EACCES)
		return errno;
	if (chmod(path, (st->st_mode & 07777) | S_IRWXU) < 0)
		return errno;
	const int error = removexattr(path, name) < 0 ? errno : 0;
	if (chmod(path, st->st_mode & 07777) < 0)
		return errno;
	return error;
}

static int
strip_fd(const struct w_undo_xattrs *layer, int fd)
{
	const struct fd_link link = link_of(fd);
	W_AUTO_FREE char *names = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return errno;
	if (S_ISLNK(st.st_mode) && layer->is_user)
		return 0;
	const ssize_t len = list_names(link.path, &names);
	if (len < 0)
		return (int)-len;
	for (ssize_t i = 0; i < len; i += (ssize_t)strlen(names + i) + 1) {
		if (!is_kernels(layer, names + i))
			continue;
		const int error = remove_one(link.path, names + i, &st);
		if (error != 0)
			return error;
	}
	return 0;
}

int
w_undo_strip(const struct w_undo_xattrs *layer, int dir_fd, const char *name)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? errno : strip_fd(layer, fd);
}

static int
add_one(const char *path, const char *name, struct w_buf *out)
{
	W_AUTO_FREE char *value = malloc(VALUE_MAX);

	if (value == NULL)
		return ENOMEM;
	const ssize_t len = getxattr(path, name, value, VALUE_MAX);
	if (len < 0)
		return errno == ENODATA ? 0 : errno;
	const uint32_t size = (uint32_t)len;
	w_buf_add(out, name, strlen(name) + 1);
	w_buf_add(out, &size, sizeof(size));
	w_buf_add(out, value, size);
	return out->failed ? ENOMEM : 0;
}

int
w_undo_xattrs_get(const struct w_undo_xattrs *layer, int fd, struct w_buf *out)
{
	const struct fd_link link = link_of(fd);
	W_AUTO_FREE char *names = NULL;
	int error = 0;

	const ssize_t len = list_names(link.path, &names);
	if (len < 0)
		return (int)-len;
	for (ssize_t i = 0; i < len && error == 0;
	     i += (ssize_t)strlen(names + i) + 1) {
		if (!is_kernels(layer, names + i))
			error = add_one(link.path, names + i, out);
	}
	return error;
}

/* The value of a name in what w_undo_xattrs_get() made; NULL: not in it. */
static const char *
find(const struct w_buf *list, const char *name, uint32_t *out_len)
{
	size_t at = 0;

	while (at < list->len) {
		const char *here = list->data + at;
		const size_t len = strnlen(here, list->len - at) + 1;

		if (list->len - at < len + sizeof(*out_len))
			return NULL;
		memcpy(out_len, here + len, sizeof(*out_len));
		at += len + sizeof(*out_len);
		if (*out_len > list->len - at)
			return NULL;
		if (strcmp(here, name) == 0)
			return list->data + at;
		at += *out_len;
	}
	return NULL;
}

static int
set_wanted(const char *path, const struct w_buf *wanted)
{
	size_t at = 0;

	while (at < wanted->len) {
		const char *name = wanted->data + at;
		uint32_t len = 0;
		const char *value = find(wanted, name, &len);

		if (value == NULL)
			return EINVAL;
		if (setxattr(path, name, value, len, 0) < 0)
			return errno;
		at = (size_t)(value - wanted->data) + len;
	}
	return 0;
}

int
w_undo_xattrs_set(
    const struct w_undo_xattrs *layer, int fd, const struct w_buf *wanted)
{
	const struct fd_link link = link_of(fd);
	W_AUTO_FREE char *names = NULL;
	uint32_t ignored;

	const ssize_t len = list_names(link.path, &names);
	if (len < 0)
		return (int)-len;
	for (ssize_t i = 0; i < len; i += (ssize_t)strlen(names + i) + 1) {
		const char *name = names + i;

		if (!is_kernels(layer, name) &&
		    find(wanted, name, &ignored) == NULL &&
		    removexattr(link.path, name) < 0 && errno != ENODATA)
			return errno;
	}
	return set_wanted(link.path, wanted);
}
