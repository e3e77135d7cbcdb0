/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds a usable controller.
 *
 * A version 2 group with processes in it cannot enable controllers for its
 * children, so a process without a group of its own usually finds a place
 * beside its own group: in a slice or a delegated parent.
 */

#include "os/cgroup_find.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"

enum {
	MOUNTS_MAX = 1 << 20,
	LINE_TEXT_MAX = 8192
};

/* Whether a list with this separator contains the word. */
static bool
cgroup_find_has_word(
    const char *list, size_t len, char separator, const char *word)
{
	size_t word_len = strlen(word);

	for (size_t at = 0; at <= len;) {
		const char *stop = memchr(list + at, separator, len - at);
		size_t end = stop == NULL ? len : (size_t)(stop - list);

		if (end - at == word_len &&
		    memcmp(list + at, word, word_len) == 0)
			return true;
		at = end + 1;
	}
	return false;
}

/* A field of a line, up to a space. */
struct field {
	const char *text;
	size_t len;
};

static bool
next_field(const char **at, struct field *out_field)
{
	*at += strspn(*at, " ");
	out_field->text = *at;
	out_field->len = strcspn(*at, " \n");
	*at += out_field->len;
	return out_field->len > 0;
}

/* Spaces, tabs, newlines and backslashes are escaped in octal. */
static bool
copy_path(const struct field *field, char out[W_CGROUP_PATH_MAX])
{
	size_t used = 0;

	if (field->len == 0 || field->text[0] != '/')
		return false;
	for (size_t i = 0; i < field->len; i++) {
		char c = field->text[i];

		if (used == W_CGROUP_PATH_MAX - 1)
			return false;
		const char *digit = field->text + i + 1;
		if (field->len - i >= 4 && c == '\\' && digit[0] >= '0' &&
		    digit[0] <= '3' && digit[1] >= '0' && digit[1] <= '7' &&
		    digit[2] >= '0' && digit[2] <= '7') {
			c = (char)((digit[0] - '0') * 64 +
				   (digit[1] - '0') * 8 + (digit[2] - '0'));
			i += 3;
		}
		if (c == '\0')
			return false;
		out[used++] = c;
	}
	out[used] = '\0';
	return true;
}

/* ID PARENT DEVICE ROOT POINT OPTIONS [TAG...] - TYPE SOURCE SUPEROPTIONS */
static bool
parse_line(const char *line, const char *controller, struct w_cgroup_mount *out)
{
	struct field field, root = {0}, point = {0};
	const char *type = controller == NULL ? "cgroup2" : "cgroup";

	for (int i = 0; i < 5; i++) {
		if (!next_field(&line, &field))
			return false;
		root = point;
		point = field;
	}
	do {
		if (!next_field(&line, &field))
			return false;
	} while (field.len != 1 || field.text[0] != '-');
	if (!next_field(&line, &field) || field.len != strlen(type) ||
	    memcmp(field.text, type, field.len) != 0)
		return false;
	/* The source, then the options. */
	for (int i = 0; i < 2; i++)
		if (!next_field(&line, &field))
			return false;
	if (controller != NULL &&
	    !cgroup_find_has_word(field.text, field.len, ',', controller))
		return false;
	return copy_path(&root, out->root) && copy_path(&point, out->point);
}

bool
w_cgroup_mount_parse(const char *mountinfo, const char *controller,
    struct w_cgroup_mount *out_mount)
{
	while (*mountinfo != '\0') {
		if (parse_line(mountinfo, controller, out_mount))
			return true;
		mountinfo += strcspn(mountinfo, "\n");
		mountinfo += *mountinfo == '\n' ? 1 : 0;
	}
	return false;
}

/* "NUMBER:CONTROLLERS:PATH"; for version 2 CONTROLLERS is empty. */
static bool
is_line_of(const char *line, const char *controller)
{
	const char *list = line + strspn(line, "0123456789");

	if (list == line || *list++ != ':')
		return false;
	size_t len = strcspn(list, ":\n");
	if (list[len] != ':')
		return false;
	return controller == NULL
		   ? len == 0
		   : cgroup_find_has_word(list, len, ',', controller);
}

bool
w_cgroup_path_parse(
    const char *text, const char *controller, char out_path[W_CGROUP_PATH_MAX])
{
	while (*text != '\0' && !is_line_of(text, controller)) {
		text += strcspn(text, "\n");
		text += *text == '\n' ? 1 : 0;
	}
	const char *path = text + strcspn(text, "/\n");
	size_t len = strcspn(path, "\n");
	/* A path with ".." is outside our cgroup namespace. */
	if (*path != '/' || len >= W_CGROUP_PATH_MAX ||
	    strncmp(path, "/..", 3) == 0)
		return false;
	memcpy(out_path, path, len);
	out_path[len] = '\0';
	return true;
}

/* The part of path below root, as a relative path. NULL: not below it. */
static const char *
below(const char *path, const char *root)
{
	size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);

	if (strncmp(path, root, len) != 0 ||
	    (path[len] != '/' && path[len] != '\0'))
		return NULL;
	path += len + strspn(path + len, "/");
	return *path == '\0' ? "." : path;
}

/* Reads a text whole; NULL with errno. */
static char *
read_table(const char *path, size_t max)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	w_buf_init(&text, max - 1);
	if (fd < 0)
		return NULL;
	const int error = w_file_read_all(fd, &text);
	if (error != 0) {
		errno = error;
		return NULL;
	}
	return w_buf_take(&text, NULL);
}

bool
w_cgroup_tables_read(struct w_cgroup_tables *out_tables)
{
	W_AUTO_FREE char *mounts =
	    read_table("/proc/self/mountinfo", MOUNTS_MAX);
	W_AUTO_FREE char *own =
	    mounts == NULL ? NULL
			   : read_table("/proc/self/cgroup", LINE_TEXT_MAX);

	if (own == NULL)
		return false;
	out_tables->mounts = w_take_ptr(&mounts);
	out_tables->own = w_take_ptr(&own);
	return true;
}

void
w_cgroup_tables_done(struct w_cgroup_tables *tables)
{
	free(tables->mounts);
	free(tables->own);
	*tables = (struct w_cgroup_tables){.mounts = NULL};
}

/* Opens our own group. *out_depth is its depth below the mount. */
static int
open_own(const struct w_cgroup_tables *tables, const char *controller,
    int *out_depth)
{
	char path[W_CGROUP_PATH_MAX];
	char whole[2 * W_CGROUP_PATH_MAX];
	struct w_cgroup_mount mount;
	struct statfs fs;

	if (!w_cgroup_mount_parse(tables->mounts, controller, &mount) ||
	    !w_cgroup_path_parse(tables->own, controller, path))
		return -1;
	const char *relative = below(path, mount.root);
	if (relative == NULL)
		return -1;
	(void)snprintf(whole, sizeof(whole), "%s/%s", mount.point, relative);
	W_AUTO_FD int own = open(whole, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (own < 0 || fstatfs(own, &fs) < 0 ||
	    fs.f_type !=
		(controller == NULL ? CGROUP2_SUPER_MAGIC : CGROUP_SUPER_MAGIC))
		return -1;
	*out_depth = strcmp(relative, ".") == 0 ? 0 : 1;
	for (const char *at = relative; *at != '\0'; at++)
		*out_depth += *at == '/' ? 1 : 0;
	return w_take_fd(&own);
}

/* Whether this file of the group lists the controller. */
static bool
lists(int dir_fd, const char *file, const char *controller)
{
	char text[512];

	ssize_t n = w_file_read_at(dir_fd, file, text, sizeof(text));
	return n > 0 &&
	       cgroup_find_has_word(text, strcspn(text, "\n"), ' ', controller);
}

static bool
may_make_in(int dir_fd)
{
	return faccessat(dir_fd, ".", W_OK | X_OK, AT_EACCESS) == 0 &&
	       faccessat(dir_fd, "cgroup.procs", W_OK, AT_EACCESS) == 0;
}

static void
enable_controller(int dir_fd, const char *controller)
{
	char word[32];

	if (!lists(dir_fd, "cgroup.controllers", controller) ||
	    lists(dir_fd, "cgroup.subtree_control", controller))
		return;
	(void)snprintf(word, sizeof(word), "+%s", controller);
	(void)w_file_write_at(dir_fd, "cgroup.subtree_control", word);
}

static int
find_v2(const struct w_cgroup_tables *tables, const char *controller)
{
	int depth = 0;
	W_AUTO_FD int fd = open_own(tables, NULL, &depth);

	if (fd >= 0)
		enable_controller(fd, controller);
	while (fd >= 0) {
		if (lists(fd, "cgroup.subtree_control", controller) &&
		    may_make_in(fd))
			return w_take_fd(&fd);
		if (depth-- == 0)
			break;
		int up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		w_close(&fd);
		fd = up;
	}
	return -1;
}

int
w_cgroup_find(const struct w_cgroup_tables *tables, const char *controller,
    bool *out_is_v2)
{
	int depth;
	W_AUTO_FD int fd = open_own(tables, controller, &depth);

	*out_is_v2 = fd < 0;
	if (fd < 0)
		fd = find_v2(tables, controller);
	else if (!may_make_in(fd))
		w_close(&fd);
	if (fd < 0)
		errno = EACCES;
	return w_take_fd(&fd);
}
