/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes files that change together.
 *
 * A new content is a file without a name until all of them are written. Then
 * the names change, one after the other: exchanged with the old file, which is
 * kept aside until the last one is done, so that all can be put back.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/auto.h"
#include "files/file_set.h"
#include "os/file.h"

#define ACL "system.posix_acl_access"

enum {
	NEW_MODE = 0666,
	ACL_MAX = 8192,
};

/* ---- staging ---- */

static mode_t
commit_new_mode(void)
{
	const mode_t mask = umask(0);

	(void)umask(mask);
	return NEW_MODE & ~mask;
}

/* Without rights of its own the file system may have none to copy. */
static void
commit_copy_acl(int from, int to)
{
	char value[ACL_MAX];
	const ssize_t len = fgetxattr(from, ACL, value, sizeof(value));

	if (len > 0)
		(void)fsetxattr(to, ACL, value, (size_t)len, 0);
}

/* What the old file was: set-id bits do not stay on what others wrote. */
static int
commit_set_owner(struct w_files_change *change)
{
	const struct stat *old = &change->st;
	struct stat now;

	if (!change->exists)
		return w_stage_chown(&change->stage, (uid_t)-1, (gid_t)-1,
		    change->new_mode != 0 ? change->new_mode
					  : commit_new_mode());
	if (fstat(change->stage.fd, &now) < 0)
		return errno;
	const int error = w_stage_chown(&change->stage,
	    old->st_uid == now.st_uid ? (uid_t)-1 : old->st_uid,
	    old->st_gid == now.st_gid ? (gid_t)-1 : old->st_gid,
	    old->st_mode & 0777);
	if (error == 0)
		commit_copy_acl(change->fd, change->stage.fd);
	return error;
}

/* Whether the old file can be rewritten where no new one can take its place. */
static bool
commit_may_rewrite(const struct w_files_change *change, int error)
{
	return change->exists && (error == EPERM || error == EACCES ||
				     error == EROFS || error == EINVAL);
}

static int
commit_stage_one(struct w_files_change *change)
{
	int error = w_stage_file(&change->stage, change->dir_fd, true);

	if (error == 0)
		error = commit_set_owner(change);
	if (commit_may_rewrite(change, error)) {
		w_stage_drop(&change->stage);
		change->is_in_place = true;
		return change->st.st_nlink > 1 ? EMLINK : 0;
	}
	if (error == 0)
		error = w_file_write_all(change->stage.fd,
		    change->new_text.data, change->new_text.len);
	change->is_staged = error == 0;
	return error;
}

int
w_files_set_stage(struct w_files_set *set, struct w_files_change **out_failed)
{
	for (size_t i = 0; i < set->count; i++) {
		struct w_files_change *change = &set->items[i];

		if (change->is_removed)
			continue;
		*out_failed = change;
		const int error = commit_stage_one(change);
		if (error != 0)
			return error;
	}
	return 0;
}

/* ---- names ---- */

static int
commit_make_aside(struct w_files_change *change)
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return EAGAIN;
	(void)snprintf(change->aside, sizeof(change->aside),
	    ".writ-%016" PRIx64 ".old", random);
	return 0;
}

/* Whether that name leads to the file that was read, unchanged. The time of
 * its inode changes by the rename itself. */
static int
commit_check_old(const struct w_files_change *change, const char *name)
{
	const struct stat *old = &change->st;
	struct stat now;

	if (fstatat(change->dir_fd, name, &now, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? ESTALE : errno;
	return now.st_dev == old->st_dev && now.st_ino == old->st_ino &&
		       now.st_size == old->st_size &&
		       now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
		       now.st_mtim.tv_nsec == old->st_mtim.tv_nsec
		   ? 0
		   : ESTALE;
}

static int
commit_rename(const struct w_files_change *change, const char *from,
    const char *to, unsigned flags)
{
	return renameat2(change->dir_fd, from, change->dir_fd, to, flags) < 0
		   ? errno
		   : 0;
}

/* Takes the old file aside, where it can be put back from. */
static int
commit_remove(struct w_files_change *change)
{
	int error = commit_make_aside(change);

	if (error == 0)
		error = commit_check_old(change, change->name);
	if (error == 0)
		error = commit_rename(
		    change, change->name, change->aside, RENAME_NOREPLACE);
	if (error != 0) {
		change->aside[0] = '\0';
		return error == ENOENT ? ESTALE : error;
	}
	change->is_done = true;
	return commit_check_old(change, change->aside);
}

static int
commit_replace(struct w_files_change *change)
{
	const struct w_stage_end named = {
	    .may_replace = false, .is_lasting = true};
	bool is_named = false;
	int error = commit_make_aside(change);

	if (error == 0)
		error = commit_check_old(change, change->name);
	if (error != 0) {
		change->aside[0] = '\0';
		return error;
	}
	error =
	    w_stage_publish(&change->stage, change->aside, &named, &is_named);
	if (error == 0)
		error = commit_rename(
		    change, change->aside, change->name, RENAME_EXCHANGE);
	if (error != 0) {
		if (is_named)
			(void)unlinkat(change->dir_fd, change->aside, 0);
		change->aside[0] = '\0';
		return error == ENOENT ? ESTALE : error;
	}
	change->is_done = true;
	return commit_check_old(change, change->aside);
}

static int
commit_create(struct w_files_change *change)
{
	const struct w_stage_end named = {
	    .may_replace = false, .is_lasting = true};
	bool is_named = false;
	const int error =
	    w_stage_publish(&change->stage, change->name, &named, &is_named);

	change->is_done = is_named;
	return error;
}

/* ---- in place ---- */

static int
commit_overwrite(int fd, const struct w_buf *text)
{
	size_t at = 0;

	while (at < text->len) {
		const ssize_t n =
		    pwrite(fd, text->data + at, text->len - at, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : EIO;
		at += (size_t)n;
	}
	return ftruncate(fd, (off_t)text->len) < 0 ? errno : 0;
}

/* The name must still lead to the file that was read: it is opened again, for
 * writing, and compared. */
static int
commit_rewrite(struct w_files_change *change)
{
	struct stat now;
	W_AUTO_FD int fd = openat(change->dir_fd, change->name,
	    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno;
	if (fstat(fd, &now) < 0)
		return errno;
	if (now.st_ino != change->st.st_ino || now.st_dev != change->st.st_dev)
		return ESTALE;
	if (now.st_nlink > 1)
		return EMLINK;
	const int error = commit_overwrite(fd, &change->new_text);
	if (error != 0) {
		(void)commit_overwrite(fd, &change->old_text);
		return error;
	}
	change->is_done = true;
	return fsync(fd) < 0 ? errno : 0;
}

/* ---- all of them ---- */

static int
commit_one(struct w_files_change *change)
{
	if (change->is_removed)
		return commit_remove(change);
	if (change->is_in_place)
		return commit_rewrite(change);
	return change->exists ? commit_replace(change) : commit_create(change);
}

/* Puts the old file back, unless somebody has put another one there since: that
 * one is newer than both, and stays. */
static void
commit_undo_replace(struct w_files_change *change)
{
	struct stat ours, aside;

	if (commit_rename(
		change, change->aside, change->name, RENAME_EXCHANGE) != 0)
		return;
	if (fstat(change->stage.fd, &ours) == 0 &&
	    fstatat(change->dir_fd, change->aside, &aside,
		AT_SYMLINK_NOFOLLOW) == 0 &&
	    (ours.st_ino != aside.st_ino || ours.st_dev != aside.st_dev))
		(void)commit_rename(
		    change, change->aside, change->name, RENAME_EXCHANGE);
	(void)unlinkat(change->dir_fd, change->aside, 0);
}

static void
commit_undo(struct w_files_change *change)
{
	if (!change->is_done)
		return;
	if (change->is_removed)
		(void)commit_rename(
		    change, change->aside, change->name, RENAME_NOREPLACE);
	else if (change->is_in_place) {
		W_AUTO_FD int fd = openat(change->dir_fd, change->name,
		    O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (fd >= 0)
			(void)commit_overwrite(fd, &change->old_text);
	} else if (change->exists) {
		commit_undo_replace(change);
	} else {
		(void)unlinkat(change->dir_fd, change->name, 0);
	}
}

/* Those in place last: what can be undone by a name comes first. */
static int
commit_pass(struct w_files_set *set, bool is_in_place,
    struct w_files_change **out_failed)
{
	for (size_t i = 0; i < set->count; i++) {
		struct w_files_change *change = &set->items[i];

		if (change->is_in_place != is_in_place)
			continue;
		*out_failed = change;
		const int error = commit_one(change);
		if (error != 0)
			return error;
	}
	return 0;
}

int
w_files_set_commit(struct w_files_set *set, struct w_files_change **out_failed)
{
	int error = commit_pass(set, false, out_failed);

	if (error == 0)
		error = commit_pass(set, true, out_failed);
	for (size_t i = set->count; i-- > 0;) {
		struct w_files_change *change = &set->items[i];

		if (error != 0)
			commit_undo(change);
		else if (change->aside[0] != '\0')
			(void)unlinkat(change->dir_fd, change->aside, 0);
	}
	return error;
}
