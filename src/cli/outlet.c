/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writing to a standard stream without waiting for its reader.
 *
 * O_NONBLOCK belongs to the open file, which writ shares with its parent and
 * perhaps with others; setting it there would break them. So a pipe or a
 * terminal is opened once more through /proc, which gives an open file of our
 * own. Where that is not allowed (a pipe made by another user), writes are
 * small enough that a descriptor which polls writable takes them whole.
 */

#include "cli/outlet.h"

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

/* The device of /dev/ptmx: opening it again makes a new terminal. */
#define PTMX_MAJOR 5
#define PTMX_MINOR 2

static int
open_again(int fd)
{
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static enum w_outlet_way
way_of(struct w_outlet *outlet, const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return W_OUTLET_PLAIN;
	if (S_ISSOCK(st->st_mode))
		return W_OUTLET_SOCKET;
	if (S_ISCHR(st->st_mode)) {
		outlet->is_tty = isatty(outlet->fd) == 1;
		if (!outlet->is_tty)
			return W_OUTLET_PLAIN;
		if (st->st_rdev == makedev(PTMX_MAJOR, PTMX_MINOR))
			return W_OUTLET_CAREFUL;
	}
	outlet->own_fd = open_again(outlet->fd);
	return outlet->own_fd >= 0 ? W_OUTLET_REOPEN : W_OUTLET_CAREFUL;
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
write_some(struct w_outlet *outlet, const char *bytes, size_t len)
{
	w_outlet_look(outlet);
	switch (outlet->way) {
	case W_OUTLET_REOPEN:
		return write(outlet->own_fd, bytes, len);
	case W_OUTLET_SOCKET:
		return send(
		    outlet->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	case W_OUTLET_CAREFUL:
		return write_carefully(outlet->fd, bytes, len);
	case W_OUTLET_UNKNOWN:
	case W_OUTLET_PLAIN:
		break;
	}
	return write(outlet->fd, bytes, len);
}

static enum w_outlet_state
break_off(struct w_outlet *outlet, int sys_errno)
{
	outlet->sys_errno = sys_errno;
	outlet->pending_at = 0;
	w_buf_done(&outlet->pending);
	return W_OUTLET_BROKEN;
}

void
w_outlet_init(struct w_outlet *outlet, int fd)
{
	*outlet =
	    (struct w_outlet){.fd = fd, .own_fd = -1, .way = W_OUTLET_UNKNOWN};
	w_buf_init(&outlet->pending, W_OUTLET_PENDING_MAX);
}

void
w_outlet_done(struct w_outlet *outlet)
{
	w_close(&outlet->own_fd);
	w_buf_done(&outlet->pending);
}

void
w_outlet_look(struct w_outlet *outlet)
{
	struct stat st;

	if (outlet->way != W_OUTLET_UNKNOWN)
		return;
	if (fstat(outlet->fd, &st) < 0)
		outlet->way = W_OUTLET_PLAIN;
	else
		outlet->way = way_of(outlet, &st);
}

size_t
w_outlet_write(struct w_outlet *outlet, const char *bytes, size_t len)
{
	size_t done = 0;

	while (done < len && outlet->sys_errno == 0) {
		ssize_t written = write_some(outlet, bytes + done, len - done);

		if (written >= 0)
			done += (size_t)written;
		else if (errno == EAGAIN)
			break;
		else if (errno != EINTR)
			(void)break_off(outlet, errno);
	}
	return done;
}

enum w_outlet_state
w_outlet_put(struct w_outlet *outlet, const char *bytes, size_t len)
{
	size_t done = 0;

	if (outlet->sys_errno != 0)
		return W_OUTLET_BROKEN;
	if (!w_outlet_has_pending(outlet))
		done = w_outlet_write(outlet, bytes, len);
	if (outlet->sys_errno != 0)
		return W_OUTLET_BROKEN;
	if (done == len)
		return w_outlet_has_pending(outlet) ? W_OUTLET_WAITS
						    : W_OUTLET_EMPTY;
	w_buf_add(&outlet->pending, bytes + done, len - done);
	if (outlet->pending.failed)
		return break_off(outlet, ENOMEM);
	return W_OUTLET_WAITS;
}

enum w_outlet_state
w_outlet_flush(struct w_outlet *outlet)
{
	if (outlet->sys_errno != 0)
		return W_OUTLET_BROKEN;
	outlet->pending_at +=
	    w_outlet_write(outlet, outlet->pending.data + outlet->pending_at,
		outlet->pending.len - outlet->pending_at);
	if (outlet->sys_errno != 0)
		return W_OUTLET_BROKEN;
	if (w_outlet_has_pending(outlet))
		return W_OUTLET_WAITS;
	outlet->pending_at = 0;
	w_buf_done(&outlet->pending);
	return W_OUTLET_EMPTY;
}

void
w_outlet_drop(struct w_outlet *outlet)
{
	(void)break_off(outlet, ECANCELED);
}

bool
w_outlet_has_pending(const struct w_outlet *outlet)
{
	return outlet->pending_at < outlet->pending.len;
}

int
w_outlet_poll_fd(const struct w_outlet *outlet)
{
	return outlet->own_fd >= 0 ? outlet->own_fd : outlet->fd;
}
