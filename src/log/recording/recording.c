/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes a recording.
 *
 * A piece is in the file completely or not at all: header and bytes are written
 * in one call, and a short write on a full disk is undone. Another process may
 * read the file meanwhile.
 */

#include "log/recording/recording.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/auto.h"
#include "log/recording/recording_format.h"
#include "os/file.h"

static void
put32(uint8_t *to, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> (8 * i));
}

/* Whoever can create files there could also read or swap them. */
static int
recording_open_dir(const char *path, int *out_fd)
{
	const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
	struct stat st;
	W_AUTO_FD int fd = open(path, flags);

	if (fd < 0 && errno == ENOENT) {
		writ_error err = {0};

		if (w_file_make_dirs(path, 0700, &err) != WRIT_OK)
			return err.sys_errno == 0 ? ENOMEM : err.sys_errno;
		fd = open(path, flags);
	}
	if (fd < 0 || fstat(fd, &st) < 0)
		return errno;
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return EPERM;
	*out_fd = w_take_fd(&fd);
	return 0;
}

int
w_recording_make_spare(const char *dir)
{
	return open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

/* Links the spare file to its name. -1: none, or not usable here. */
static int
name_spare(const struct w_recording *recording, int dir_fd, const char *name)
{
	char path[32];

	if (recording->spare == NULL || *recording->spare < 0)
		return -1;
	W_AUTO_FD int fd = w_take_fd(recording->spare);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, path, dir_fd, name, AT_SYMLINK_FOLLOW) < 0)
		return -1;
	return w_take_fd(&fd);
}

static int
recording_start(struct w_recording *recording)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	W_AUTO_FD int dir_fd = -1;
	W_AUTO_FREE char *path = NULL;
	struct statx st;

	if (asprintf(&path, "%s/%s" W_RECORDING_SUFFIX, recording->dir,
		recording->run_id) < 0) {
		path = NULL;
		return ENOMEM;
	}
	int error = recording_open_dir(recording->dir, &dir_fd);
	if (error != 0)
		return error;
	const char *name = path + strlen(recording->dir) + 1;
	int fd = name_spare(recording, dir_fd, name);
	if (fd < 0)
		fd = openat(dir_fd, name, flags, 0600);
	if (fd < 0)
		return errno;
	/* Ensures that the owner can read it whatever the umask is. That is
	 * rarely needed, and fchmod costs more than reading the mode. */
	if (statx(fd, "", AT_EMPTY_PATH, STATX_MODE, &st) < 0 ||
	    (st.stx_mode & 07777) != 0600)
		(void)fchmod(fd, 0600);
	recording->fd = fd;
	recording->path = w_take_ptr(&path);
	return 0;
}

static int
recording_append(struct w_recording *recording, struct iovec *parts, int count)
{
	size_t len = 0;

	for (int i = 0; i < count; i++)
		len += parts[i].iov_len;
	if (w_file_size_limit() < recording->size + len)
		return EFBIG;
	ssize_t n;
	do {
		n = pwritev(
		    recording->fd, parts, count, (off_t)recording->size);
	} while (n < 0 && errno == EINTR);
	if (n >= 0 && (size_t)n == len) {
		recording->size += len;
		return 0;
	}
	int error = n < 0 ? errno : ENOSPC;
	/* If even this fails a reader sees a truncated piece. */
	(void)!ftruncate(recording->fd, (off_t)recording->size);
	return error;
}

/* The magic is written together with the first piece. */
static int
append_piece(struct w_recording *recording, uint32_t delay_us, uint32_t head,
    struct iovec bytes)
{
	char magic[] = W_RECORDING_MAGIC;
	uint8_t header[W_RECORDING_HEADER];
	struct iovec parts[] = {
	    {.iov_base = magic, .iov_len = sizeof(magic) - 1},
	    {.iov_base = header, .iov_len = sizeof(header)},
	    bytes,
	};
	int first = recording->size == 0 ? 0 : 1;

	put32(header, head);
	put32(header + 4, delay_us);
	return recording_append(recording, parts + first, 3 - first);
}

/* A long pause is written in parts; a failure may leave some of them. */
static int
append_pause(struct w_recording *recording, uint64_t *delay_us)
{
	int error = 0;

	while (error == 0 && *delay_us > UINT32_MAX) {
		error =
		    append_piece(recording, UINT32_MAX, 0, (struct iovec){0});
		if (error != 0)
			break;
		*delay_us -= UINT32_MAX;
		recording->last_us += UINT32_MAX;
	}
	return error;
}

static int
append_bytes(struct w_recording *recording, uint32_t stream, const char *bytes,
    size_t len, uint64_t at_us)
{
	union {
		const char *borrowed;
		void *base;
	} from = {bytes};
	uint64_t delay_us =
	    at_us > recording->last_us ? at_us - recording->last_us : 0;

	int error = append_pause(recording, &delay_us);
	if (error == 0)
		error = append_piece(recording, (uint32_t)delay_us,
		    stream | (uint32_t)len,
		    (struct iovec){.iov_base = from.base, .iov_len = len});
	if (error == 0) {
		recording->last_us += delay_us;
		recording->bytes += len;
	}
	return error;
}

void
w_recording_add(struct w_recording *recording, bool is_stderr,
    const char *bytes, size_t len, uint64_t now_ns)
{
	uint64_t at_us = now_ns > recording->start_ns
			     ? (now_ns - recording->start_ns) / 1000
			     : 0;

	if (recording->dir == NULL || recording->limit == 0)
		return;
	if (recording->fd < 0 && recording->error == 0 && len > 0)
		recording->error = recording_start(recording);
	while (recording->error == 0 && len > 0) {
		uint64_t room = recording->limit - recording->bytes;
		size_t take =
		    len < W_RECORDING_PIECE_MAX ? len : W_RECORDING_PIECE_MAX;

		if (take > room)
			take = (size_t)room;
		recording->error = take == 0
				       ? EFBIG
				       : append_bytes(recording,
					     is_stderr ? W_RECORDING_STDERR : 0,
					     bytes, take, at_us);
		bytes += take;
		len -= take;
	}
}

void
w_recording_end(struct w_recording *recording)
{
	/* A file without a piece is useless. */
	if (recording->fd >= 0 && recording->bytes == 0) {
		w_recording_free(recording, true);
		return;
	}
	w_close(&recording->fd);
}

void
w_recording_free(struct w_recording *recording, bool is_unwanted)
{
	w_close(&recording->fd);
	if (recording->path != NULL && is_unwanted)
		(void)unlink(recording->path);
	free(recording->path);
	recording->path = NULL;
}
