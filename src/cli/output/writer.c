/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes to a standard stream without waiting for its reader.
 *
 * O_NONBLOCK belongs to the open file description, which writ shares with its
 * parent and maybe others; setting it there would break them. So a pipe or a
 * terminal is opened again through /proc, which gives a description of our
 * own. Where that is not allowed (a pipe of another user), writes are so small
 * that a descriptor which polls writable takes them whole.
 */

#include "cli/output/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/auto.h"

/* A pipe that polls writable has room for this much (PIPE_BUF). */
#define CAREFUL_MAX 4096

/* The device number of /dev/ptmx: opening it again would make a new pty. */
#define PTMX_MAJOR 5
#define PTMX_MINOR 2

static enum w_writer_mode
mode_of(struct w_writer *writer, const struct stat *st)
{
	char path[32];

	if (S_ISREG(st->st_mode))
		return W_WRITER_PLAIN;
	if (S_ISSOCK(st->st_mode))
		return W_WRITER_SOCKET;
	if (S_ISCHR(st->st_mode)) {
		writer->is_tty = isatty(writer->fd) == 1;
		if (!writer->is_tty)
			return W_WRITER_PLAIN;
		if (st->st_rdev == makedev(PTMX_MAJOR, PTMX_MINOR))
			return W_WRITER_CAREFUL;
	}
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", writer->fd);
	writer->own_fd =
	    open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return writer->own_fd >= 0 ? W_WRITER_REOPEN : W_WRITER_CAREFUL;
}

static ssize_t
write_carefully(int fd, const char *bytes, size_t len)
{
	struct pollfd ready = {.fd = fd, .events = POLLOUT};

	if (poll(&ready, 1, 0) < 1) {
		errno = EAGAIN;
		return -1;
	}
	return write(fd, bytes, len < CAREFUL_MAX ? len : CAREFUL_MAX);
}

static ssize_t
write_some(struct w_writer *writer, const char *bytes, size_t len)
{
	w_writer_inspect(writer);
	switch (writer->mode) {
	case W_WRITER_REOPEN:
		return write(writer->own_fd, bytes, len);
	case W_WRITER_SOCKET:
		return send(
		    writer->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	case W_WRITER_CAREFUL:
		return write_carefully(writer->fd, bytes, len);
	case W_WRITER_UNKNOWN:
	case W_WRITER_PLAIN:
		break;
	}
	return write(writer->fd, bytes, len);
}

static enum w_writer_state
break_off(struct w_writer *writer, int sys_errno)
{
	writer->sys_errno = sys_errno;
	writer->pending_at = 0;
	w_buf_done(&writer->pending);
	return W_WRITER_BROKEN;
}

void
w_writer_init(struct w_writer *writer, int fd)
{
	*writer =
	    (struct w_writer){.fd = fd, .own_fd = -1, .mode = W_WRITER_UNKNOWN};
	w_buf_init(&writer->pending, W_WRITER_PENDING_MAX);
}

void
w_writer_done(struct w_writer *writer)
{
	w_close(&writer->own_fd);
	w_buf_done(&writer->pending);
}

void
w_writer_inspect(struct w_writer *writer)
{
	struct stat st;

	if (writer->mode != W_WRITER_UNKNOWN)
		return;
	if (fstat(writer->fd, &st) < 0)
		writer->mode = W_WRITER_PLAIN;
	else
		writer->mode = mode_of(writer, &st);
}

size_t
w_writer_write(struct w_writer *writer, const char *bytes, size_t len)
{
	size_t done = 0;

	while (done < len && writer->sys_errno == 0) {
		ssize_t written = write_some(writer, bytes + done, len - done);

		if (written >= 0)
			done += (size_t)written;
		else if (errno == EAGAIN)
			break;
		else if (errno != EINTR)
			(void)break_off(writer, errno);
	}
	return done;
}

enum w_writer_state
w_writer_put(struct w_writer *writer, const char *bytes, size_t len)
{
	size_t done = 0;

	if (writer->sys_errno != 0)
		return W_WRITER_BROKEN;
	if (!writer->is_held && !w_writer_has_pending(writer))
		done = w_writer_write(writer, bytes, len);
	if (writer->sys_errno != 0)
		return W_WRITER_BROKEN;
	if (done == len)
		return w_writer_has_pending(writer) ? W_WRITER_WAITS
						    : W_WRITER_EMPTY;
	w_buf_add(&writer->pending, bytes + done, len - done);
	if (writer->pending.failed)
		return break_off(writer, ENOMEM);
	return W_WRITER_WAITS;
}

enum w_writer_state
w_writer_flush(struct w_writer *writer)
{
	if (writer->sys_errno != 0)
		return W_WRITER_BROKEN;
	writer->pending_at +=
	    w_writer_write(writer, writer->pending.data + writer->pending_at,
		writer->pending.len - writer->pending_at);
	if (writer->sys_errno != 0)
		return W_WRITER_BROKEN;
	if (w_writer_has_pending(writer))
		return W_WRITER_WAITS;
	writer->pending_at = 0;
	w_buf_done(&writer->pending);
	return W_WRITER_EMPTY;
}

void
w_writer_drop(struct w_writer *writer)
{
	(void)break_off(writer, ECANCELED);
}

bool
w_writer_has_pending(const struct w_writer *writer)
{
	return writer->pending_at < writer->pending.len;
}

int
w_writer_poll_fd(const struct w_writer *writer)
{
	return writer->own_fd >= 0 ? writer->own_fd : writer->fd;
}
