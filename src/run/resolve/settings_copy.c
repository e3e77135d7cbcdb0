/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Copies .git/config for a run, and settles what becomes of the copy.
 *
 * The file is written in place, and not replaced by a rename as git does it: in
 * every other run that goes on at the time the kernel would take away the mount
 * that protects the file together with the old one. Its lock keeps git of a
 * person from writing at the same time.
 */

#include "run/resolve/settings_copy.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/words.h"
#include "os/file.h"
#include "trigger/git_settings.h"

#define STAGE "settings"

/* Follows no link, also not above it. */
static int
open_plainly(int dir, const char *path, int flags)
{
	struct open_how how = {
	    .flags = (unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
	    .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/* Opens a regular file that no link leads to. -1: there is none. */
static int
open_settings(int dir, const char *path, int flags, struct stat *out_found)
{
	W_AUTO_FD int fd = open_plainly(dir, path, flags | O_NONBLOCK);

	if (fd < 0 || fstat(fd, out_found) < 0 ||
	    !S_ISREG(out_found->st_mode) || out_found->st_nlink != 1 ||
	    out_found->st_size > W_GIT_SETTINGS_BYTES_MAX)
		return -1;
	return w_take_fd(&fd);
}

static bool
write_copy(const struct w_settings_copy *copy,
    const struct w_identity *identity, mode_t mode)
{
	W_AUTO_FD int fd = open(copy->path,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd >= 0 &&
	       w_file_write_all(fd, copy->before.data, copy->before.len) == 0 &&
	       fchmod(fd, (mode & 0777) | 0600) == 0 &&
	       (!identity->is_set ||
		   (fchown(fd, identity->uid, identity->gid) == 0 &&
		       chown(copy->dir, identity->uid, identity->gid) == 0));
}

writ_status
w_settings_copy_make(const char *config, const struct w_identity *identity,
    struct w_settings_copy **out_copy, writ_error *err)
{
	char dir[] = "/tmp/writ-git-XXXXXX";
	struct stat found;
	W_AUTO_FD int fd = open_settings(AT_FDCWD, config, O_RDONLY, &found);

	*out_copy = NULL;
	if (fd < 0)
		return WRIT_OK;
	struct w_settings_copy *copy = calloc(1, sizeof(*copy));
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	w_buf_init(&copy->before, W_GIT_SETTINGS_BYTES_MAX);
	copy->dev = found.st_dev;
	copy->ino = found.st_ino;
	copy->config = strdup(config);
	bool is_made = copy->config != NULL &&
		       w_file_read_all(fd, &copy->before) == 0 &&
		       mkdtemp(dir) != NULL && (copy->dir = strdup(dir)) &&
		       asprintf(&copy->path, "%s/config", dir) > 0;
	if (is_made)
		is_made = write_copy(copy, identity, found.st_mode);
	if (is_made)
		*out_copy = copy;
	else
		w_settings_copy_free(copy);
	return WRIT_OK;
}

/* ---- after the run ---- */

static bool
say_none(struct w_words *refused, const char *why)
{
	return w_words_add(refused, why, strlen(why)) != 0;
}

static bool
write_back(int fd, const struct w_buf *text)
{
	size_t done = 0;

	while (done < text->len) {
		const ssize_t n = pwrite(
		    fd, text->data + done, text->len - done, (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return ftruncate(fd, (off_t)text->len) == 0 && fsync(fd) == 0;
}

/* With the lock held. */
static bool
settle_locked(const struct w_settings_copy *copy, int dir,
    const struct w_git_settings_text *copied, struct w_words *refused)
{
	struct w_git_settings_merge merge;
	W_AUTO_BUF struct w_buf now;
	struct stat found;
	W_AUTO_FD int fd = open_settings(dir, "config", O_RDWR, &found);

	w_buf_init(&now, W_GIT_SETTINGS_BYTES_MAX);
	if (fd < 0 || found.st_dev != copy->dev || found.st_ino != copy->ino ||
	    w_file_read_all(fd, &now) != 0)
		return say_none(
		    refused, "all of it (the file was changed meanwhile)");
	const struct w_git_settings_text before = {
	    copy->before.data, copy->before.len};
	const struct w_git_settings_text current = {now.data, now.len};
	if (!w_git_settings_merge(&before, copied, &current, &merge))
		return false;
	bool is_done = true;
	if (merge.is_changed && !write_back(fd, &merge.text))
		is_done = say_none(refused, "all of it (it cannot be written)");
	for (size_t i = 0; is_done && i < merge.refused.count; i++)
		is_done = w_words_add(refused, merge.refused.items[i],
			      strlen(merge.refused.items[i])) != 0;
	w_git_settings_merge_done(&merge);
	return is_done;
}

/* The directory of the settings. A command can put a link in its place, and
 * must not decide by that where the lock is made and removed. */
static int
open_directory_of(const char *config)
{
	W_AUTO_FREE char *dir = strdup(config);
	char *slash = dir == NULL ? NULL : strrchr(dir, '/');

	if (slash == NULL || slash == dir)
		return -1;
	*slash = '\0';
	return open_plainly(AT_FDCWD, dir, O_PATH | O_DIRECTORY);
}

bool
w_settings_copy_settle(
    const struct w_settings_copy *copy, struct w_words *refused)
{
	static const char lock[] = "config.lock";
	W_AUTO_BUF struct w_buf text;
	struct stat found;
	W_AUTO_FD int copied =
	    open_settings(AT_FDCWD, copy->path, O_RDONLY, &found);

	w_buf_init(&text, W_GIT_SETTINGS_BYTES_MAX);
	if (copied < 0 || w_file_read_all(copied, &text) != 0)
		return say_none(refused, "all of it (the copy is no file, or "
					 "too large)");
	if (text.len == copy->before.len &&
	    memcmp(text.data, copy->before.data, text.len) == 0)
		return true;
	W_AUTO_FD int dir = open_directory_of(copy->config);
	if (dir < 0)
		return say_none(
		    refused, "all of it (the directory was changed meanwhile)");
	W_AUTO_FD int held = openat(dir, lock,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (held < 0)
		return say_none(refused, errno == EEXIST
					     ? "all of it (config.lock exists)"
					     : "all of it (no lock)");
	const struct w_git_settings_text after = {text.data, text.len};
	const bool is_done = settle_locked(copy, dir, &after, refused);
	(void)unlinkat(dir, lock, 0);
	return is_done;
}

void
w_settings_copy_free(struct w_settings_copy *copy)
{
	if (copy == NULL)
		return;
	if (copy->dir != NULL)
		(void)w_file_remove_tree(copy->dir);
	free(copy->config);
	free(copy->dir);
	free(copy->path);
	w_buf_done(&copy->before);
	free(copy);
}
