/* SPDX-License-Identifier: Apache-2.0 */

/* Changes a file: each action either does all of it, or nothing. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "engine/file/file_state.h"
#include "os/file.h"
#include "os/stage.h"

#define COPY_MAX  ((size_t)64 << 10)
#define MODE_FILE 0644
#define MODE_DIR  0755

static writ_status
file_apply_fail(const struct w_file_change *job, int error, const char *what,
    writ_error *err)
{
	return w_fail(err, error == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM,
	    W_FILE_STAGE, error, "cannot %s '%.200s'", what, job->request.path);
}

/* ---- a new file replaces the old one ---- */

/* The source may have changed since it was hashed and judged. */
static int
copy_source(struct w_file_change *job, int fd)
{
	W_AUTO_FREE char *block = malloc(COPY_MAX);
	uint64_t room = w_file_size_limit(), at = 0;
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX];
	struct w_sha256 state;

	if (block == NULL)
		return ENOMEM;
	w_sha256_init(&state);
	for (;;) {
		ssize_t n = pread(job->source_fd, block, COPY_MAX, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || at + (uint64_t)n > room) {
			if (n != 0)
				return n < 0 ? errno : EFBIG;
			break;
		}
		int error = w_file_write_all(fd, block, (size_t)n);
		if (error != 0)
			return error;
		w_sha256_add(&state, block, (size_t)n);
		at += (uint64_t)n;
	}
	w_sha256_end(&state, sum);
	w_hex_put(hex, sum, sizeof(sum));
	return memcmp(hex, job->wanted.hex, sizeof(hex)) == 0 ? 0 : EBUSY;
}

static int
write_content(struct w_file_change *job, int fd)
{
	const writ_file_request *request = &job->request;

	if (request->source != NULL)
		return copy_source(job, fd);
	if (request->content == NULL)
		return 0;
	if (request->content_len > w_file_size_limit())
		return EFBIG;
	return w_file_write_all(fd, request->content, request->content_len);
}

/* What the request does not set stays as it was. */
static int
stage_owner(struct w_file_change *job, struct w_stage *stage)
{
	const bool has_old = job->seen.kind == W_FILE_REGULAR;
	const struct stat *old = &job->seen.st;
	mode_t mode = job->has_mode ? job->mode : MODE_FILE;
	uid_t uid = job->uid;
	gid_t gid = job->gid;
	struct stat now;

	if (fstat(stage->fd, &now) < 0)
		return errno;
	if (has_old && !job->has_mode)
		mode = old->st_mode & 0777;
	if (has_old && uid == (uid_t)-1)
		uid = old->st_uid;
	if (has_old && gid == (gid_t)-1)
		gid = old->st_gid;
	/* An unprivileged user cannot chown, and need not if it is his
	 * already. */
	if (uid == now.st_uid)
		uid = (uid_t)-1;
	if (gid == now.st_gid)
		gid = (gid_t)-1;
	int error = w_stage_chown(stage, uid, gid, mode);
	if (error != 0 || !has_old)
		return error;
	/* The list has rights of its own, which the mode limits. */
	error = w_engine_file_keep(job, stage->fd);
	return error != 0 ? error
			  : w_stage_chown(stage, (uid_t)-1, (gid_t)-1, mode);
}

/* Some file systems accept an owner and ignore it: such a file must not get
 * the name. */
static writ_status
check_staged(const struct w_file_change *job, int fd, writ_error *err)
{
	char reason[128];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return file_apply_fail(job, errno, "look at the new", err);
	if (!w_engine_file_differs(job, &st, reason, sizeof(reason)))
		return WRIT_OK;
	return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, 0,
	    "failed to reach desired state: %s: %s",
	    w_engine_file_ensure_word(job->request.ensure), reason);
}

static writ_status
publish(struct w_file_change *job, struct w_stage *stage, bool may_replace,
    writ_error *err)
{
	const struct w_stage_end how = {
	    .may_replace = may_replace, .is_lasting = true};
	bool is_named;
	int error = w_stage_publish(stage, job->parent.name, &how, &is_named);

	if (error == 0)
		return WRIT_OK;
	return file_apply_fail(job, error,
	    is_named ? "be sure that a crash would spare the new" : "replace",
	    err);
}

static writ_status
file_apply_store(struct w_file_change *job, writ_error *err)
{
	struct w_stage stage;
	const char *step = "make a file beside";
	int error = w_stage_file(&stage, job->parent.fd, true);

	if (error != 0)
		return file_apply_fail(job, error, step, err);
	step = "write";
	error = write_content(job, stage.fd);
	if (error == 0) {
		step = "set owner and mode of";
		error = stage_owner(job, &stage);
	}
	writ_status status = error == 0
				 ? check_staged(job, stage.fd, err)
				 : file_apply_fail(job, error, step, err);
	if (status == WRIT_OK && w_engine_file_batch_take(job, &stage))
		return WRIT_OK;
	if (status == WRIT_OK)
		status =
		    publish(job, &stage, job->seen.kind != W_FILE_NONE, err);
	w_stage_drop(&stage);
	return status;
}

/* ---- attributes ---- */

/* By descriptor, so that it is the file that was seen. O_PATH needs no read
 * permission; chmod() accepts it by its name in /proc. */
static int
set_attributes(struct w_file_change *job, int fd)
{
	const struct stat *old = &job->seen.st;
	const mode_t old_mode = old->st_mode & 07777;
	const bool gives = (job->uid != (uid_t)-1 && job->uid != old->st_uid) ||
			   (job->gid != (gid_t)-1 && job->gid != old->st_gid);
	mode_t mode = job->has_mode ? job->mode : old_mode;
	char path[32];
	int error = 0;

	if (S_ISDIR(old->st_mode) && (mode & 07000) == 0)
		mode |= old_mode & 07000;
	else if (gives && !job->has_mode)
		/* A new owner does not get set-id bits. */
		mode &= 0777;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* The new owner must not get what the new mode takes away, not even
	 * for a moment. */
	if (gives && chmod(path, old_mode & mode & 0777) < 0)
		return errno;
	if (gives && fchownat(fd, "", job->uid, job->gid, AT_EMPTY_PATH) < 0)
		error = errno;
	else if (chmod(path, mode) == 0)
		return 0;
	else
		error = errno;
	if (fchownat(fd, "", old->st_uid, old->st_gid, AT_EMPTY_PATH) == 0)
		(void)chmod(path, old_mode);
	return error;
}

static writ_status
change_attributes(struct w_file_change *job, writ_error *err)
{
	struct stat st;
	W_AUTO_FD int fd = openat(
	    job->parent.fd, job->parent.name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return file_apply_fail(job, errno, "open", err);
	if (st.st_ino != job->seen.st.st_ino ||
	    st.st_dev != job->seen.st.st_dev)
		return file_apply_fail(job, EBUSY, "change", err);
	int error = set_attributes(job, fd);
	return error == 0
		   ? WRIT_OK
		   : file_apply_fail(job, error, "set owner and mode of", err);
}

/* ---- directories ---- */

/* Creates the missing directories above, like mkdir -p. */
static writ_status
make_parents(struct w_file_change *job, writ_error *err)
{
	struct w_parent_dir *parent = &job->parent;
	char *at = parent->rest;

	while (at != parent->name) {
		char *slash = strchr(at, '/');

		*slash = '\0';
		if (mkdirat(parent->fd, at, MODE_DIR) < 0 && errno != EEXIST)
			return file_apply_fail(
			    job, errno, "make directories above", err);
		int fd = openat(parent->fd, at,
		    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return file_apply_fail(
			    job, errno, "make directories above", err);
		w_close(&parent->fd);
		parent->fd = fd;
		*slash = '/';
		at = slash + 1;
	}
	return WRIT_OK;
}

static int
stage_dir_owner(struct w_file_change *job, struct w_stage *stage)
{
	struct stat st;

	if (fstat(stage->fd, &st) < 0)
		return errno;
	/* A set-group-id bit is inherited from the parent directory. */
	return w_stage_chown(stage,
	    job->uid == st.st_uid ? (uid_t)-1 : job->uid,
	    job->gid == st.st_gid ? (gid_t)-1 : job->gid,
	    (job->has_mode ? job->mode : MODE_DIR) | (st.st_mode & S_ISGID));
}

static writ_status
file_apply_make_dir(struct w_file_change *job, writ_error *err)
{
	struct w_stage stage;
	writ_status status = make_parents(job, err);

	if (status != WRIT_OK)
		return status;
	int error = w_stage_dir(&stage, job->parent.fd);
	if (error != 0)
		return file_apply_fail(job, error, "make directory", err);
	error = stage_dir_owner(job, &stage);
	status = error == 0 ? check_staged(job, stage.fd, err)
			    : file_apply_fail(
				  job, error, "set owner and mode of", err);
	if (status == WRIT_OK && job->seen.kind == W_FILE_LINK &&
	    unlinkat(job->parent.fd, job->parent.name, 0) < 0 &&
	    errno != ENOENT)
		status = file_apply_fail(job, errno, "remove the link", err);
	if (status == WRIT_OK)
		status = publish(job, &stage, false, err);
	w_stage_drop(&stage);
	return status;
}

/* ---- removing ---- */

static writ_status
remove_path(struct w_file_change *job, writ_error *err)
{
	const int dir_fd = job->parent.fd;
	const char *name = job->parent.name;
	int error = 0;

	if (job->action == W_FILE_REMOVE_TREE)
		error = w_file_remove_tree_at(dir_fd, name);
	else if (unlinkat(dir_fd, name,
		     job->action == W_FILE_REMOVE_DIR ? AT_REMOVEDIR : 0) < 0)
		error = errno;
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		(void)fsync(fd);
	if (error == 0 || error == ENOENT)
		return WRIT_OK;
	if (job->action == W_FILE_REMOVE_DIR &&
	    (error == ENOTEMPTY || error == EEXIST))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, error,
		    "cannot remove %.128s: directory is not empty, set 'force: "
		    "true' "
		    "to remove non-empty directories",
		    job->request.path);
	if (job->action == W_FILE_REMOVE_TREE && error == ENOTEMPTY)
		return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, error,
		    "cannot remove all of '%.200s'", job->request.path);
	return file_apply_fail(job, error, "remove", err);
}

writ_status
w_engine_file_apply(struct w_file_change *job, writ_error *err)
{
	switch (job->action) {
	case W_FILE_NOTHING:
		break;
	case W_FILE_STORE:
		return file_apply_store(job, err);
	case W_FILE_ATTRIBUTES:
		return change_attributes(job, err);
	case W_FILE_MAKE_DIR:
		return file_apply_make_dir(job, err);
	case W_FILE_MAKE_LINK:
		return w_engine_file_make_link(job, err);
	case W_FILE_REMOVE:
	case W_FILE_REMOVE_DIR:
	case W_FILE_REMOVE_TREE:
		return remove_path(job, err);
	}
	return WRIT_OK;
}
