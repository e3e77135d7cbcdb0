/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The files of a log: finding and opening the current one, and starting the
 * next.
 *
 * The head names the last file, so a writer started for one run need not list
 * the directory. It is only a hint: later files are looked up, and without a
 * head, or if it names a missing file, the directory is listed.
 */

#include "log/log_state.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/auto.h"
#include "log/log_files.h"
#include "os/file.h"

int
w_log_openat(const struct w_log *log, const char *name, int flags)
{
	/* O_NONBLOCK: a FIFO in its place must not block us. */
	flags |= O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
	int fd = openat(log->dir_fd, name, flags | O_NOATIME, 0600);

	/* O_NOATIME is only allowed for the owner. */
	if (fd < 0 && errno == EPERM)
		fd = openat(log->dir_fd, name, flags, 0600);
	return fd;
}

int
w_log_stat(int fd, struct stat *out_st)
{
	const unsigned mask = STATX_TYPE | STATX_MODE | STATX_NLINK |
			      STATX_UID | STATX_SIZE | STATX_BLOCKS;
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, mask, &st) < 0)
		return -1;
	*out_st = (struct stat){
	    .st_mode = st.stx_mode,
	    .st_nlink = st.stx_nlink,
	    .st_uid = st.stx_uid,
	    .st_size = (off_t)st.stx_size,
	    .st_blocks = (blkcnt_t)st.stx_blocks,
	};
	return 0;
}

bool
w_log_is_ours(const struct w_log *log, const char *name, const struct stat *st,
    mode_t kind, writ_error *err)
{
	char why[W_LOG_WHY_MAX] = "has a second name";

	if (w_log_file_is_ours(st, kind, why) &&
	    (kind != S_IFREG || st->st_nlink <= 1))
		return true;
	(void)w_fail(err, WRIT_E_INVALID, W_LOG_STAGE, 0, "'%s%s%s' %s",
	    log->dir, *name != '\0' ? "/" : "", name, why);
	w_suggest(err, "look who made it; then move it away or correct it");
	return false;
}

/* Whether the file exists and has been started. */
static bool
is_begun(const struct w_log *log, uint32_t segment)
{
	char name[W_LOG_FILE_NAME];
	struct stat st;

	w_log_segment_name(log->name, segment, name);
	return fstatat(log->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_size > 0;
}

/* Opens a finished file, which its owner may not write. */
static int
open_done(const struct w_log *log, const char *name)
{
	struct stat st;
	W_AUTO_FD int fd = w_log_openat(log, name, O_RDONLY);

	if (fd < 0 || w_log_stat(fd, &st) < 0)
		return -1;
	if ((st.st_mode & S_IWUSR) != 0) {
		errno = EACCES;
		return -1;
	}
	return w_take_fd(&fd);
}

/* Opens a file of the log to append to it; a finished one only to read it.
 * may_make: creates a missing one. -1: see errno. */
static int
log_segment_open_file(const struct w_log *log, const char *name, bool may_make)
{
	const int flags = O_RDWR | O_APPEND;
	int fd = w_log_openat(log, name, flags);

	if (fd < 0 && errno == EACCES)
		return open_done(log, name);
	if (fd >= 0 || errno != ENOENT || !may_make)
		return fd;
	fd = w_log_openat(log, name, flags | O_CREAT | O_EXCL);
	if (fd < 0 && errno == EEXIST)
		return w_log_openat(log, name, flags);
	/* The umask must not take the owner's write bit: without it a file
	 * counts as finished. */
	if (fd >= 0)
		(void)fchmod(fd, 0600);
	return fd;
}

/* A copy of the descriptor in a forked process would keep the lock, so it is
 * released explicitly. */
static void
close_file(struct w_log *log)
{
	if (log->is_locked)
		w_log_unlock(log->fd);
	w_close(&log->fd);
	log->segment = 0;
	log->is_known = false;
	log->is_locked = false;
	log->is_foreign = false;
	log->has_chain = false;
	log->reserved_to = 0;
	log->has_no_reserve = false;
	log->limit_to = 0;
}

void
w_log_segment_forget_left(struct w_log *log)
{
	if (log->left_fd >= 0)
		w_log_unlock(log->left_fd);
	w_close(&log->left_fd);
	log->left_segment = 0;
}

void
w_log_segment_drop(struct w_log *log)
{
	close_file(log);
	w_log_segment_forget_left(log);
	log->left_note[0] = '\0';
}

writ_status
w_log_segment_switch(
    struct w_log *log, uint32_t segment, bool may_make, writ_error *err)
{
	char name[W_LOG_FILE_NAME];
	struct stat st;

	w_log_segment_name(log->name, segment, name);
	W_AUTO_FD int fd = log_segment_open_file(log, name, may_make);
	if (fd < 0 || w_log_stat(fd, &st) < 0) {
		int error = errno;

		return w_fail(err,
		    error == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM,
		    W_LOG_STAGE, error, "cannot open '%s/%s'", log->dir, name);
	}
	if (!w_log_is_ours(log, name, &st, S_IFREG, err))
		return WRIT_E_INVALID;
	(void)w_fd_raise(&fd);
	close_file(log);
	log->fd = w_take_fd(&fd);
	log->segment = segment;
	return WRIT_OK;
}

/* The highest number according to the head and the names; 0: none. */
static uint32_t
highest(const struct w_log *log)
{
	uint32_t segment = log->has_head ? log->head.segment : 0;

	while (segment > 0 && segment < W_LOG_FILE_MAX &&
	       is_begun(log, segment + 1))
		segment++;
	return segment;
}

writ_status
w_log_segment_find(struct w_log *log, writ_error *err)
{
	writ_error why = {0};

	w_log_head_read(log);
	uint32_t segment = highest(log);
	writ_status status =
	    segment > 0 ? w_log_segment_switch(log, segment, false, &why)
			: WRIT_E_NOTFOUND;
	if (status == WRIT_OK)
		return status;
	if (status != WRIT_E_NOTFOUND) {
		if (err != NULL)
			*err = why;
		return status;
	}

	int error = w_log_files_find(log->dir_fd, log->name, 0, NULL, &segment);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "cannot list '%s'", log->dir);
	if (segment == 0 && log->options.must_exist)
		return w_fail(err, WRIT_E_NOTFOUND, W_LOG_STAGE, 0,
		    "there is no log in '%s'", log->dir);
	return w_log_segment_switch(
	    log, segment == 0 ? 1 : segment, segment == 0, err);
}

writ_status
w_log_segment_next(struct w_log *log, writ_error *err)
{
	w_log_head_read(log);
	uint32_t segment = highest(log);
	/* A head that names a missing file must not create it. */
	if (segment <= log->segment || !is_begun(log, segment))
		segment = log->segment + 1;
	if (segment > W_LOG_FILE_MAX)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, EFBIG,
		    "no number is left for a file in '%s'", log->dir);

	/* It stays locked until the new file has its first line. */
	if (log->left_fd >= 0)
		w_log_unlock(log->left_fd);
	w_close(&log->left_fd);
	log->left_fd = w_take_fd(&log->fd);
	log->left_segment = log->segment;
	log->is_locked = false;
	writ_status status = w_log_segment_switch(log, segment, true, err);
	if (status != WRIT_OK)
		w_log_segment_drop(log);
	return status;
}

int
w_log_segment_prepare(const struct w_log *log)
{
	char name[W_LOG_FILE_NAME];
	int rc;

	if (log->segment >= W_LOG_FILE_MAX)
		return EFBIG;
	w_log_segment_name(log->name, log->segment + 1, name);
	W_AUTO_FD int fd = log_segment_open_file(log, name, true);
	if (fd < 0)
		return errno;
	do
		rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0,
		    (off_t)(2 * log->options.reserve));
	while (rc < 0 && errno == EINTR);
	return rc < 0 && (errno == ENOSPC || errno == EDQUOT) ? errno : 0;
}
