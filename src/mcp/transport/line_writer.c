/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes without ever blocking.
 *
 * O_NONBLOCK belongs to the open file description, which others may share (a
 * terminal with its shell, a pipe with its other writers). So a pipe or
 * terminal is reopened through /proc, a socket gets MSG_DONTWAIT, and only if
 * neither is possible the flag is set, and restored at the end.
 */
#include "mcp/transport/line_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

enum {
	FIRST_CAP = 16 * 1024,
	KEEP_CAP = 256 * 1024,
	EAGER = 64 * 1024, /* written at once, before the loop ends */
};

static bool
line_writer_is_kind(int fd, mode_t one, mode_t other)
{
	struct stat about;

	return fstat(fd, &about) == 0 && ((about.st_mode & S_IFMT) == one ||
					     (about.st_mode & S_IFMT) == other);
}

void
w_line_writer_own(int *fd, int flags)
{
	char name[32];

	if (!line_writer_is_kind(*fd, S_IFIFO, S_IFCHR))
		return;
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", *fd);

	int own = open(name, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (own < 0)
		return;
	w_close(fd);
	*fd = own;
}

void
w_line_writer_open(struct w_line_writer *out, int fd)
{
	*out = (struct w_line_writer){.fd = fd, .shared_flags = -1};
	out->is_socket = line_writer_is_kind(fd, S_IFSOCK, S_IFSOCK);
	w_line_writer_own(&out->fd, O_WRONLY);
	if (out->fd == fd && line_writer_is_kind(fd, S_IFIFO, S_IFCHR)) {
		out->shared_flags = fcntl(fd, F_GETFL);
		(void)fcntl(fd, F_SETFL, out->shared_flags | O_NONBLOCK);
	}
}

void
w_line_writer_close(struct w_line_writer *out)
{
	if (out->shared_flags >= 0)
		(void)fcntl(out->fd, F_SETFL, out->shared_flags);
	w_close(&out->fd);
	free(out->data);
	*out = (struct w_line_writer){.fd = -1, .shared_flags = -1};
}

size_t
w_line_writer_waiting(const struct w_line_writer *out)
{
	return out->end - out->begin;
}

static bool
line_writer_make_room(struct w_line_writer *out, size_t len)
{
	if (out->cap - out->end >= len)
		return true;
	if (out->begin > out->cap / 2) {
		memmove(out->data, out->data + out->begin,
		    w_line_writer_waiting(out));
		out->end -= out->begin;
		out->begin = 0;
	}

	size_t cap = out->cap == 0 ? FIRST_CAP : out->cap;
	while (cap - out->end < len)
		cap *= 2;
	if (cap == out->cap)
		return true;

	char *data = realloc(out->data, cap);
	if (data == NULL)
		return false;
	out->data = data;
	out->cap = cap;
	return true;
}

void
w_line_writer_add(struct w_line_writer *out, const char *text, size_t len)
{
	if (out->is_broken)
		return;

	/* Half a message would corrupt all that follow: send none. */
	if (len >= W_LINE_WRITER_MAX ||
	    w_line_writer_waiting(out) > W_LINE_WRITER_MAX - len - 1 ||
	    !line_writer_make_room(out, len + 1)) {
		out->is_broken = true;
		return;
	}
	memcpy(out->data + out->end, text, len);
	out->data[out->end + len] = '\n';
	out->end += len + 1;
	if (w_line_writer_waiting(out) >= EAGER)
		w_line_writer_flush(out);
}

void
w_line_writer_flush(struct w_line_writer *out)
{
	while (!out->is_broken && w_line_writer_waiting(out) > 0) {
		const char *from = out->data + out->begin;
		const size_t len = w_line_writer_waiting(out);
		const ssize_t written =
		    out->is_socket
			? send(out->fd, from, len, MSG_DONTWAIT | MSG_NOSIGNAL)
			: write(out->fd, from, len);

		if (written > 0)
			out->begin += (size_t)written;
		else if (written < 0 && errno == EAGAIN)
			break;
		else if (written == 0 || errno != EINTR)
			out->is_broken = true;
	}
	if (w_line_writer_waiting(out) > 0)
		return;
	out->begin = 0;
	out->end = 0;
	if (out->cap > KEEP_CAP) {
		free(out->data);
		out->data = NULL;
		out->cap = 0;
	}
}
