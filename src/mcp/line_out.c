/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing without ever waiting.
 *
 * O_NONBLOCK belongs to the open file, which others may share (a terminal with
 * its shell, a pipe with its other writers). So a pipe or terminal is opened
 * anew by its name in /proc, a socket is asked with each call not to wait, and
 * only where neither is possible the flag is set, and restored at the end.
 */
#include "mcp/line_out.h"

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
	EAGER = 64 * 1024, /* that much is written before the turn ends */
};

static bool
is_kind(int fd, mode_t one, mode_t other)
{
	struct stat about;

	return fstat(fd, &about) == 0 && ((about.st_mode & S_IFMT) == one ||
					     (about.st_mode & S_IFMT) == other);
}

void
w_line_out_own(int *fd, int flags)
{
	char name[32];

	if (!is_kind(*fd, S_IFIFO, S_IFCHR))
		return;
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", *fd);

	int own = open(name, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (own < 0)
		return;
	w_close(fd);
	*fd = own;
}

void
w_line_out_open(struct w_line_out *outlet, int fd)
{
	*outlet = (struct w_line_out){.fd = fd, .shared_flags = -1};
	outlet->is_socket = is_kind(fd, S_IFSOCK, S_IFSOCK);
	w_line_out_own(&outlet->fd, O_WRONLY);
	if (outlet->fd == fd && is_kind(fd, S_IFIFO, S_IFCHR)) {
		outlet->shared_flags = fcntl(fd, F_GETFL);
		(void)fcntl(fd, F_SETFL, outlet->shared_flags | O_NONBLOCK);
	}
}

void
w_line_out_close(struct w_line_out *outlet)
{
	if (outlet->shared_flags >= 0)
		(void)fcntl(outlet->fd, F_SETFL, outlet->shared_flags);
	w_close(&outlet->fd);
	free(outlet->data);
	*outlet = (struct w_line_out){.fd = -1, .shared_flags = -1};
}

size_t
w_line_out_waiting(const struct w_line_out *outlet)
{
	return outlet->end - outlet->begin;
}

static bool
make_room(struct w_line_out *outlet, size_t len)
{
	if (outlet->cap - outlet->end >= len)
		return true;
	if (outlet->begin > outlet->cap / 2) {
		memmove(outlet->data, outlet->data + outlet->begin,
		    w_line_out_waiting(outlet));
		outlet->end -= outlet->begin;
		outlet->begin = 0;
	}

	size_t cap = outlet->cap == 0 ? FIRST_CAP : outlet->cap;
	while (cap - outlet->end < len)
		cap *= 2;
	if (cap == outlet->cap)
		return true;

	char *data = realloc(outlet->data, cap);
	if (data == NULL)
		return false;
	outlet->data = data;
	outlet->cap = cap;
	return true;
}

void
w_line_out_add(struct w_line_out *outlet, const char *text, size_t len)
{
	if (outlet->is_broken)
		return;

	/* Half a message would spoil all that follow: rather none. */
	if (len >= W_LINE_OUT_MAX ||
	    w_line_out_waiting(outlet) > W_LINE_OUT_MAX - len - 1 ||
	    !make_room(outlet, len + 1)) {
		outlet->is_broken = true;
		return;
	}
	memcpy(outlet->data + outlet->end, text, len);
	outlet->data[outlet->end + len] = '\n';
	outlet->end += len + 1;
	if (w_line_out_waiting(outlet) >= EAGER)
		w_line_out_flush(outlet);
}

static ssize_t
write_some(const struct w_line_out *outlet)
{
	const char *from = outlet->data + outlet->begin;
	const size_t len = w_line_out_waiting(outlet);

	if (outlet->is_socket) {
		return send(outlet->fd, from, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	return write(outlet->fd, from, len);
}

static void
forget_written(struct w_line_out *outlet)
{
	if (w_line_out_waiting(outlet) > 0)
		return;
	outlet->begin = 0;
	outlet->end = 0;
	if (outlet->cap > KEEP_CAP) {
		free(outlet->data);
		outlet->data = NULL;
		outlet->cap = 0;
	}
}

void
w_line_out_flush(struct w_line_out *outlet)
{
	while (!outlet->is_broken && w_line_out_waiting(outlet) > 0) {
		ssize_t written = write_some(outlet);

		if (written > 0)
			outlet->begin += (size_t)written;
		else if (written < 0 && errno == EAGAIN)
			break;
		else if (written == 0 || errno != EINTR)
			outlet->is_broken = true;
	}
	forget_written(outlet);
}
