/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Looks a file up in the refs of its repository and in their history, the
 * newest first. Agents can write refs and objects. So a ref applies if its file
 * did not change since the session began (a change time cannot be set back),
 * and each object on the way is compared with its name.
 */

#include "trigger/git_refs.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/grow.h"
#include "base/hex.h"
#include "os/beneath.h"
#include "os/file.h"
#include "trigger/git_object.h"

enum {
	FILE_MAX = 1 << 20,
	PACKED_REFS_MAX = 16 << 20,
	DEPTH_MAX = 8,
	TIPS_MAX = 4096,
	MODE_FILE = 0100644,
	MODE_PROGRAM = 0100755,
	MODE_LINK = 0120000
};

struct ref_search {
	int git_fd;
	const struct timespec *before;
	const char *path; /* in the work tree */
	unsigned mode;
	struct w_git_id wanted;
	struct w_git_id *ids; /* of commits and tags: those found, and before
				 next those looked at */
	size_t count;
	size_t cap;
	size_t next;
	struct w_buf object;
};

/* ---- the file ---- */

static bool
name_file(struct ref_search *search, int dir_fd, const char *name)
{
	W_AUTO_BUF struct w_buf content;
	struct stat st;
	int error = 0;

	w_buf_init(&content, FILE_MAX);
	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	if (S_ISLNK(st.st_mode)) {
		char target[PATH_MAX];
		const ssize_t len =
		    readlinkat(dir_fd, name, target, sizeof(target));

		if (len < 0)
			return false;
		search->mode = MODE_LINK;
		w_buf_add(&content, target, (size_t)len);
	} else if (S_ISREG(st.st_mode)) {
		W_AUTO_FD int fd = openat(dir_fd, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		search->mode =
		    (st.st_mode & S_IXUSR) != 0 ? MODE_PROGRAM : MODE_FILE;
		error = fd < 0 ? -1 : w_file_read_all(fd, &content);
	} else {
		return false;
	}
	w_git_object_name(
	    W_GIT_BLOB, content.data, content.len, &search->wanted);
	return error == 0 && !content.failed;
}

static bool
is_plain_file(int dir_fd, const char *path)
{
	struct stat st;
	W_AUTO_FD int fd =
	    dir_fd < 0 ? -1 : w_open_beneath(dir_fd, path, O_PATH);

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* The directory above path that has a .git. Sets what of path is in its work
 * tree; a new linked one has a .git file. A descriptor, or -1. */
static int
open_repository(
    struct ref_search *search, const struct w_git_refs *refs, const char *path)
{
	char dir[PATH_MAX + sizeof("/.git")];

	if (strlen(path) >= PATH_MAX)
		return -1;
	for (size_t len = strlen(path); len > 0;) {
		while (len > 0 && path[len - 1] != '/')
			len--;
		(void)snprintf(dir, sizeof(dir), "%.*s.git", (int)len, path);
		const int fd =
		    w_open_beneath(refs->low_fd, dir, O_PATH | O_DIRECTORY);
		if (search->path == NULL &&
		    (fd >= 0 || is_plain_file(refs->upper_fd, dir)))
			search->path = path + len;
		if (fd >= 0)
			return fd;
		if (len > 0)
			len--;
	}
	return -1;
}

/* ---- tips ---- */

static void
add_id(struct ref_search *search, const char *hex)
{
	struct w_git_id id;

	if (search->count >= TIPS_MAX + W_GIT_COMMITS_MAX ||
	    !w_hex_get(id.bytes, hex, W_SHA1_SIZE))
		return;
	for (size_t i = 0; i < search->count; i++) {
		if (memcmp(&search->ids[i], &id, sizeof(id)) == 0)
			return;
	}
	if (w_grow(&search->ids, search->count, &search->cap))
		search->ids[search->count++] = id;
}

static bool
is_old(const struct ref_search *search, const struct stat *st)
{
	const struct timespec *before = search->before;

	return st->st_ctim.tv_sec < before->tv_sec ||
	       (st->st_ctim.tv_sec == before->tv_sec &&
		   st->st_ctim.tv_nsec < before->tv_nsec);
}

static void
take_ref(struct ref_search *search, int dir_fd, const char *name)
{
	char text[2 * W_SHA1_SIZE + 2];
	struct stat st;
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    is_old(search, &st) &&
	    read(fd, text, sizeof(text)) >= 2 * W_SHA1_SIZE)
		add_id(search, text);
}

static void
take_refs_in(struct ref_search *search, const char *path, unsigned depth)
{
	const struct dirent *entry;
	W_AUTO_FD int fd =
	    w_open_beneath(search->git_fd, path, O_RDONLY | O_DIRECTORY);

	DIR *dir = fd < 0 || depth > DEPTH_MAX ? NULL : fdopendir(fd);
	if (dir == NULL)
		return;
	const int dir_fd = w_take_fd(&fd);
	while (search->count < TIPS_MAX && (entry = readdir(dir)) != NULL) {
		W_AUTO_FREE char *below = NULL;
		struct stat st;

		if (entry->d_name[0] == '.' ||
		    fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) <
			0)
			continue;
		if (!S_ISDIR(st.st_mode)) {
			take_ref(search, dir_fd, entry->d_name);
		} else if (asprintf(&below, "%s/%s", path, entry->d_name) >=
			   0) {
			take_refs_in(search, below, depth + 1);
		} else {
			below = NULL;
		}
	}
	(void)closedir(dir);
}

/* "HEX NAME"; a line with ^ has what the tag above it leads to. */
static void
take_packed(struct ref_search *search)
{
	W_AUTO_BUF struct w_buf text;
	struct stat st;
	W_AUTO_FD int fd = w_open_beneath(
	    search->git_fd, "packed-refs", O_RDONLY | O_NONBLOCK);

	w_buf_init(&text, PACKED_REFS_MAX);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    !is_old(search, &st) || w_file_read_all(fd, &text) != 0)
		return;
	for (const char *at = text.data; at != NULL && *at != '\0';) {
		const char *end = strchr(at, '\n');

		if (search->count >= TIPS_MAX)
			return;
		at += *at == '^';
		if (strnlen(at, 2 * W_SHA1_SIZE) == 2 * W_SHA1_SIZE)
			add_id(search, at);
		at = end == NULL ? NULL : end + 1;
	}
}

/* ---- looking ---- */

static bool
has_file(struct ref_search *search, struct w_git_id tree)
{
	const char *at = search->path;

	for (;;) {
		const size_t len = strcspn(at, "/");
		unsigned mode;

		if (!w_git_object_read(
			search->git_fd, &tree, W_GIT_TREE, &search->object) ||
		    !w_git_tree_get(&search->object, at, len, &mode, &tree))
			return false;
		if (at[len] == '\0')
			return mode == search->mode &&
			       memcmp(&tree, &search->wanted, sizeof(tree)) ==
				   0;
		at += len + 1;
	}
}

static void
push_id(struct ref_search *search, const struct w_git_id *id)
{
	char hex[2 * W_SHA1_SIZE];

	w_hex_put(hex, id->bytes, W_SHA1_SIZE);
	add_id(search, hex);
}

static bool
look_at(struct ref_search *search, struct w_git_id id)
{
	struct w_git_id tree, other;

	if (!w_git_object_read(
		search->git_fd, &id, W_GIT_COMMIT, &search->object)) {
		if (w_git_object_read(
			search->git_fd, &id, W_GIT_TAG, &search->object) &&
		    w_git_commit_get(&search->object, "object", 0, &other))
			push_id(search, &other);
		return false;
	}
	for (size_t i = 0;
	     w_git_commit_get(&search->object, "parent", i, &other); i++)
		push_id(search, &other);
	return w_git_commit_get(&search->object, "tree", 0, &tree) &&
	       has_file(search, tree);
}

bool
w_git_refs_hold(const struct w_git_refs *refs, const char *path, int dir_fd,
    const char *name)
{
	struct ref_search search = {.git_fd = -1, .before = &refs->before};
	bool found = false;
	struct stat st;

	if (!name_file(&search, dir_fd, name))
		return false;
	search.git_fd = open_repository(&search, refs, path);
	if (search.git_fd < 0)
		return false;
	w_buf_init(&search.object, FILE_MAX);
	if (fstatat(search.git_fd, "HEAD", &st, AT_SYMLINK_NOFOLLOW) == 0)
		take_ref(&search, search.git_fd, "HEAD");
	take_refs_in(&search, "refs", 0);
	take_packed(&search);
	const size_t most = search.count + W_GIT_COMMITS_MAX;
	while (!found && search.next < search.count && search.next < most)
		found = look_at(&search, search.ids[search.next++]);
	w_buf_done(&search.object);
	free(search.ids);
	w_close(&search.git_fd);
	return found;
}
