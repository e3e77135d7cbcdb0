/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads and replaces a file of another program's settings.
 *
 * A project comes from anywhere, and so do its links. The real path is found
 * first and must lie below the directory; then each directory of it is opened
 * without following links, so a swap in between fails instead of leading out.
 */

#include "cli/mcp/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/mcp/settings_edit.h"
#include "cli/output/print.h"

#define CHUNK      8192
#define FRESH_MAX  (NAME_MAX + 32)
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

void
w_client_settings_file_init(struct w_client_settings_file *file)
{
	*file = (struct w_client_settings_file){.base_fd = -1};
	w_buf_init(&file->text, W_SETTINGS_TEXT_MAX);
}

void
w_client_settings_file_done(struct w_client_settings_file *file)
{
	w_close(&file->base_fd);
	w_buf_done(&file->text);
}

static writ_status
settings_file_fail(const struct w_client_settings_file *file, const char *what,
    writ_error *err)
{
	return w_fail(err, WRIT_E_SYSTEM, "mcp", errno, "cannot %s '%.200s'",
	    what, file->path);
}

static writ_status
settings_file_fail_long(
    const struct w_client_settings_file *file, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, "mcp", 0,
	    "the path '%.200s' is too long", file->path);
}

/* ---- the way ---- */

static writ_status
settings_file_fail_link(
    const struct w_client_settings_file *file, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, "mcp", 0,
	    "'%.200s' is a link that leads elsewhere, which is not followed",
	    file->path);
	w_suggest(err, "--print shows what to add by hand");
	return WRIT_E_INVALID;
}

/* The longest part of the path that is there. A dangling link leads nowhere. */
static writ_status
settings_file_find_there(const struct w_client_settings_file *file,
    char **out_real, size_t *out_len, writ_error *err)
{
	char head[PATH_MAX];
	struct stat st;

	(void)snprintf(head, sizeof(head), "%s", file->path);
	for (;;) {
		*out_len = strlen(head);
		*out_real = realpath(head, NULL);
		if (*out_real != NULL)
			return WRIT_OK;
		if (errno != ENOENT)
			return settings_file_fail(file, "open", err);
		if (lstat(head, &st) == 0)
			return settings_file_fail_link(file, err);
		char *slash = strrchr(head, '/');
		if (slash == NULL)
			return settings_file_fail(file, "find", err);
		*slash = '\0';
	}
}

/* The path below the base without links. */
static writ_status
settings_file_resolve(
    struct w_client_settings_file *file, const char *base, writ_error *err)
{
	W_AUTO_FREE char *root = realpath(base, NULL);
	W_AUTO_FREE char *real = NULL;
	char whole[PATH_MAX];
	size_t there = 0;
	size_t len;

	if (root == NULL)
		return settings_file_fail(file, "find", err);
	writ_status status = settings_file_find_there(file, &real, &there, err);
	if (status != WRIT_OK)
		return status;
	if (snprintf(whole, sizeof(whole), "%s%s", real, file->path + there) >=
	    (int)sizeof(whole))
		return settings_file_fail_long(file, err);
	len = strcmp(root, "/") == 0 ? 0 : strlen(root);
	if (strncmp(whole, root, len) != 0 || whole[len] != '/')
		return settings_file_fail_link(file, err);
	(void)snprintf(file->below, sizeof(file->below), "%s",
	    whole + len + strspn(whole + len, "/"));
	return WRIT_OK;
}

/* Opens the directory of the file, and makes those that are missing. */
static writ_status
settings_file_open_dir(const struct w_client_settings_file *file, bool may_make,
    int *out_fd, const char **out_name, writ_error *err)
{
	const char *at = file->below;
	char name[NAME_MAX + 1];
	W_AUTO_FD int fd = fcntl(file->base_fd, F_DUPFD_CLOEXEC, 0);

	for (;;) {
		const size_t len = strcspn(at, "/");

		if (fd < 0 || len > NAME_MAX)
			break;
		if (at[len] == '\0') {
			*out_name = at;
			*out_fd = w_take_fd(&fd);
			return WRIT_OK;
		}
		(void)snprintf(name, sizeof(name), "%.*s", (int)len, at);
		if (may_make &&
		    mkdirat(fd, name, file->is_private ? 0700 : 0755) < 0 &&
		    errno != EEXIST)
			break;
		const int next = openat(fd, name, OPEN_FLAGS | O_NOFOLLOW);
		w_close(&fd);
		fd = next;
		at += len + 1;
	}
	if (errno == ELOOP || errno == ENOTDIR)
		return settings_file_fail_link(file, err);
	return settings_file_fail(file, "open the directory of", err);
}

/* ---- reading ---- */

static writ_status
settings_file_take(struct w_client_settings_file *file, int fd, writ_error *err)
{
	char chunk[CHUNK];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return settings_file_fail(file, "read", err);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "'%.200s' is no regular file", file->path);
	file->is_there = true;
	file->changed = st.st_mtim;
	file->inode = st.st_ino;
	file->mode = st.st_mode & 07777;
	file->owner = st.st_uid;
	file->group = st.st_gid;
	for (;;) {
		ssize_t len = read(fd, chunk, sizeof(chunk));

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return settings_file_fail(file, "read", err);
		if (len == 0)
			return WRIT_OK;
		w_buf_add(&file->text, chunk, (size_t)len);
		if (file->text.failed)
			return w_fail(err, WRIT_E_INVALID, "mcp", 0,
			    "'%.200s' is too large", file->path);
	}
}

writ_status
w_client_settings_file_read(struct w_client_settings_file *file,
    const char *base, const char *below, writ_error *err)
{
	const char *name = NULL;
	W_AUTO_FD int dir_fd = -1;

	(void)snprintf(file->below, sizeof(file->below), "%s", below);
	if (snprintf(file->path, sizeof(file->path), "%s%s%s", base,
		strcmp(base, "/") == 0 ? "" : "/",
		below) >= (int)sizeof(file->path))
		return settings_file_fail_long(file, err);
	file->base_fd = open(base, OPEN_FLAGS);
	if (file->base_fd < 0 && errno == ENOENT)
		return WRIT_OK;
	if (file->base_fd < 0)
		return settings_file_fail(file, "open the directory of", err);
	writ_status status = settings_file_resolve(file, base, err);
	if (status != WRIT_OK || access(file->path, F_OK) < 0)
		return status;
	status = settings_file_open_dir(file, false, &dir_fd, &name, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return errno == ELOOP ? settings_file_fail_link(file, err)
				      : settings_file_fail(file, "open", err);
	return settings_file_take(file, fd, err);
}

/* ---- writing ---- */

static bool
settings_file_is_same(
    const struct w_client_settings_file *file, int dir_fd, const char *name)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return !file->is_there && errno == ENOENT;
	return file->is_there && st.st_ino == file->inode &&
	       st.st_mtim.tv_sec == file->changed.tv_sec &&
	       st.st_mtim.tv_nsec == file->changed.tv_nsec;
}

static writ_status
settings_file_fail_changed(
    const struct w_client_settings_file *file, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, "mcp", 0,
	    "'%.200s' was changed meanwhile; it stays as it is", file->path);
}

/* 0, or -1 with errno set. */
static int
settings_file_fill(
    const struct w_client_settings_file *file, int fd, const struct w_buf *text)
{
	const mode_t fresh_mode = file->is_private ? 0600 : 0644;

	if (w_print_bytes(fd, text->data, text->len) < 0)
		return -1;
	if (file->is_there &&
	    (file->owner != geteuid() || file->group != getegid()) &&
	    fchown(fd, file->owner, file->group) < 0)
		return -1;
	if (fchmod(fd, file->is_there ? file->mode : fresh_mode) < 0)
		return -1;
	return fsync(fd);
}

writ_status
w_client_settings_file_write(struct w_client_settings_file *file,
    const struct w_buf *text, writ_error *err)
{
	char fresh[FRESH_MAX];
	const char *name = NULL;
	W_AUTO_FD int dir_fd = -1;

	if (file->base_fd < 0)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "the directory of '%.200s' does not exist", file->path);
	writ_status status =
	    settings_file_open_dir(file, true, &dir_fd, &name, err);
	if (status != WRIT_OK)
		return status;
	(void)snprintf(fresh, sizeof(fresh), ".%.200s.%d", name, (int)getpid());
	(void)unlinkat(dir_fd, fresh, 0);
	W_AUTO_FD int fd = openat(dir_fd, fresh,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return settings_file_fail(file, "write", err);
	if (settings_file_fill(file, fd, text) < 0)
		status = settings_file_fail(file, "write", err);
	else if (!settings_file_is_same(file, dir_fd, name))
		status = settings_file_fail_changed(file, err);
	else if (renameat(dir_fd, fresh, dir_fd, name) < 0)
		status = settings_file_fail(file, "replace", err);
	if (status != WRIT_OK) {
		(void)unlinkat(dir_fd, fresh, 0);
		return status;
	}
	/* The file is complete either way; only its lasting is at stake. */
	(void)fsync(dir_fd);
	return WRIT_OK;
}

writ_status
w_client_settings_file_remove(
    struct w_client_settings_file *file, writ_error *err)
{
	const char *name = NULL;
	W_AUTO_FD int dir_fd = -1;
	writ_status status =
	    settings_file_open_dir(file, false, &dir_fd, &name, err);

	if (status != WRIT_OK)
		return status;
	if (!settings_file_is_same(file, dir_fd, name))
		return settings_file_fail_changed(file, err);
	if (unlinkat(dir_fd, name, 0) < 0)
		return settings_file_fail(file, "remove", err);
	return WRIT_OK;
}
