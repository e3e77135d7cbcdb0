/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The spawner of a realm: it has entered the namespaces, the view and the
 * host name that all its runs share, and copies itself for each of them.
 *
 * A copy is a cell, in namespaces of its own where runs must not meet, and a
 * child of the engine (CLONE_PARENT), which waits for it as for any other. It
 * is asked for before there is a command for it: by the time there is one, the
 * walls stand and the cell waits for its order at a socket that the engine
 * got from here. The spawner never sees an order. It ends when the engine
 * closes the socket or dies.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sys/socket.h>

#include "exec/helper/helper.h"
#include "exec/helper/order.h"
#include "os/syscall.h"
#include "sandbox/enter/realm.h"

enum {
	LOW_FDS = W_HELPER_REPORT_FD + 1
};

/* Both ends of what a cell is spoken to through. */
struct lines {
	int control[2]; /* ours to hand out, and the cell's */
	int order[2];
};

static uint64_t
cell_namespaces(const struct w_realm *realm)
{
	uint64_t flags =
	    realm->namespaces & ~(uint64_t)(CLONE_NEWUSER | CLONE_NEWUTS);

	if (w_realm_shares_network(realm))
		flags &= ~(uint64_t)CLONE_NEWNET;
	return flags;
}

static void
answer(long pid, const struct fault *fault, const int *fds, size_t count)
{
	const struct w_spawn_answer message = {
	    .pid = (int32_t)pid,
	    .step = fault->step,
	    .detail = fault->detail,
	};

	(void)send_fds(
	    W_HELPER_SOCKET_FD, &message, sizeof(message), fds, count);
}

static long
open_lines(struct lines *lines)
{
	const int type = SOCK_SEQPACKET | SOCK_CLOEXEC;

	long ret = w_sys4(__NR_socketpair, AF_UNIX, type, 0, lines->control);
	if (ret == 0)
		ret = w_sys4(__NR_socketpair, AF_UNIX, type, 0, lines->order);
	return ret;
}

static _Noreturn void
become_cell(const struct w_realm *realm, const struct lines *lines)
{
	if (w_sys3(__NR_dup3, lines->control[1], W_HELPER_SOCKET_FD, 0) < 0 ||
	    w_sys3(__NR_dup3, lines->order[1], W_HELPER_REPORT_FD, 0) < 0)
		quit(125);
	(void)w_sys3(__NR_close_range, LOW_FDS, ~0U, 0);
	cell(realm, 0);
}

/* A copy of our memory, not a share of it: there is little to copy, and the
 * cell goes its own way at once. */
static long
clone_cell(const struct w_realm *realm, int *out_pidfd)
{
	struct clone_args args = {
	    .flags = cell_namespaces(realm) | CLONE_PARENT | CLONE_PIDFD,
	    .pidfd = (uint64_t)(uintptr_t)out_pidfd,
	};

	return w_sys2(__NR_clone3, &args, sizeof(args));
}

static void
make_cell(const struct w_realm *realm)
{
	const struct fault fault = {.step = W_STEP_PROCESS};
	struct lines lines;
	int pidfd = -1;

	long pid = open_lines(&lines);
	if (pid == 0) {
		pid = clone_cell(realm, &pidfd);
		if (pid == 0)
			become_cell(realm, &lines);
	}
	const int fds[W_CELL_FDS] = {
	    [W_CELL_PIDFD] = pidfd,
	    [W_CELL_SOCKET] = lines.control[0],
	    [W_CELL_ORDER] = lines.order[0],
	};
	answer(pid, &fault, fds, pid > 0 ? W_CELL_FDS : 0);
	(void)w_sys3(__NR_close_range, LOW_FDS, ~0U, 0);
}

static void
serve(const struct w_realm *realm)
{
	char asked;

	long n = w_sys3(__NR_read, W_HELPER_SOCKET_FD, &asked, sizeof(asked));
	if (n == -EINTR || n == -EAGAIN)
		return;
	if (n <= 0)
		quit(0);
	make_cell(realm);
}

_Noreturn void
spawner(void)
{
	const struct w_realm *realm = realm_map();
	struct fault fault = {.step = W_STEP_VIEW};
	struct pollfd fds[2] = {
	    {.fd = W_HELPER_SOCKET_FD, .events = POLLIN},
	    {.fd = W_HELPER_ENGINE_FD, .events = POLLIN},
	};

	take_low_numbers();
	long ret = realm_enter(realm, &fault);
	answer(ret, &fault, NULL, 0);
	if (ret < 0)
		quit(127);
	for (;;) {
		if (w_sys5(__NR_ppoll, fds, 2, NULL, NULL, 0) < 0)
			continue;
		if (fds[1].revents != 0)
			quit(0);
		if (fds[0].revents != 0)
			serve(realm);
	}
}
