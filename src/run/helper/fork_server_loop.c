/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The fork server of a sandbox plan. It has entered the namespaces, the view
 * and the host name that all runs of the plan share, and forks once for each
 * run.
 *
 * The child is a sandbox init, in namespaces of its own where runs must not
 * meet. It is a child of the engine (CLONE_PARENT), which waits for it as for
 * any other. The engine requests it before there is a command: when there is
 * one, the sandbox is built and its init waits for the process spec on a socket
 * that the engine got from here. The fork server never sees a spec. It exits
 * when the engine closes the socket or dies. Whatever happens to it, the engine
 * finds the pid of the child that was made last in the fork note.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/process_spec.h"
#include "sandbox/child/sandbox_plan.h"

enum {
	LOW_FDS = W_HELPER_REPORT_FD + 1
};

/* The sockets between the engine and a sandbox init. */
struct fork_server_loop_lines {
	int control[2]; /* [0] is for the engine, [1] for the sandbox init */
	int spec_socket[2];
};

static void
fork_server_loop_answer(
    long pid, const struct fault *fault, const int *fds, size_t count)
{
	const struct w_fork_server_answer message = {
	    .pid = (int32_t)pid,
	    .step = fault->step,
	    .detail = fault->detail,
	};

	(void)send_fds(
	    W_HELPER_SOCKET_FD, &message, sizeof(message), fds, count);
}

/* The note, and its file for the engine. Runs do not get it: their processes
 * begin as copies of this one. The negative errno on failure. */
static long
open_fork_note(struct w_fork_note **out_note, int *out_fd)
{
	long fd = w_sys2(__NR_memfd_create, "writ-fork-note", MFD_CLOEXEC);
	if (fd < 0)
		return fd;
	*out_fd = (int)fd;
	long ret = w_sys2(__NR_ftruncate, fd, sizeof(struct w_fork_note));
	if (ret < 0)
		return ret;
	long at = w_sys6(__NR_mmap, 0, sizeof(struct w_fork_note),
	    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at < 0 && at > -4096)
		return at;
	*out_note = (struct w_fork_note *)at;
	return w_sys3(
	    __NR_madvise, at, sizeof(struct w_fork_note), MADV_DONTFORK);
}

static long
open_lines(struct fork_server_loop_lines *lines)
{
	const int type = SOCK_SEQPACKET | SOCK_CLOEXEC;

	long ret = w_sys4(__NR_socketpair, AF_UNIX, type, 0, lines->control);
	if (ret == 0)
		ret = w_sys4(
		    __NR_socketpair, AF_UNIX, type, 0, lines->spec_socket);
	return ret;
}

static _Noreturn void
become_sandbox_init(const struct w_sandbox_plan *sandbox_plan,
    const struct fork_server_loop_lines *lines, int has_terminal)
{
	if (w_sys3(__NR_dup3, lines->control[1], W_HELPER_SOCKET_FD, 0) < 0 ||
	    w_sys3(__NR_dup3, lines->spec_socket[1], W_HELPER_REPORT_FD, 0) < 0)
		quit(125);
	(void)w_sys3(__NR_close_range, LOW_FDS, ~0U, 0);
	if (has_terminal && w_sys0(__NR_setsid) < 0)
		quit(125);
	sandbox_init(sandbox_plan, has_terminal);
}

/* What a session has is joined; what its fork server has made is inherited. */
static uint64_t
own_namespaces(const struct w_sandbox_plan *sandbox_plan)
{
	uint64_t namespaces = CLONE_NEWNS | CLONE_NEWUTS;

	if (w_sandbox_plan_shares_network(sandbox_plan))
		namespaces |= CLONE_NEWNET;
	return namespaces & sandbox_plan->namespaces;
}

/* No CLONE_VM: there is little memory to copy, and the two processes go
 * separate ways at once. */
static long
clone_sandbox_init(const struct w_sandbox_plan *sandbox_plan,
    struct w_fork_note *note, int *out_pidfd)
{
	uint64_t namespaces = sandbox_plan->namespaces &
			      ~(uint64_t)(CLONE_NEWUSER | CLONE_NEWUTS);

	if (w_sandbox_plan_shares_network(sandbox_plan) ||
	    (sandbox_plan->joins & W_JOINS_NETWORK) != 0)
		namespaces &= ~(uint64_t)CLONE_NEWNET;
	struct clone_args args = {
	    .flags =
		namespaces | CLONE_PARENT | CLONE_PIDFD | CLONE_PARENT_SETTID,
	    .pidfd = (uint64_t)(uintptr_t)out_pidfd,
	    .parent_tid = (uint64_t)(uintptr_t)&note->pid,
	};

	/* Written here, the page is there when the kernel writes to it. */
	note->pid = 0;
	return w_sys2(__NR_clone3, &args, sizeof(args));
}

static void
make_sandbox_init(const struct w_sandbox_plan *sandbox_plan,
    struct w_fork_note *note, int has_terminal)
{
	const struct fault fault = {.step = W_STEP_PROCESS};
	struct fork_server_loop_lines lines;
	int pidfd = -1;

	long pid = open_lines(&lines);
	if (pid == 0) {
		pid = clone_sandbox_init(sandbox_plan, note, &pidfd);
		if (pid == 0)
			become_sandbox_init(sandbox_plan, &lines, has_terminal);
		/* Before the answer: the engine waits until nobody has the
		 * init's ends, and this process may be stopped any time. */
		(void)w_sys1(__NR_close, lines.control[1]);
		(void)w_sys1(__NR_close, lines.spec_socket[1]);
	}
	const int fds[W_SANDBOX_INIT_FDS] = {
	    [W_SANDBOX_INIT_PIDFD] = pidfd,
	    [W_SANDBOX_INIT_SOCKET] = lines.control[0],
	    [W_SANDBOX_INIT_SPEC] = lines.spec_socket[0],
	};
	fork_server_loop_answer(
	    pid, &fault, fds, pid > 0 ? W_SANDBOX_INIT_FDS : 0);
	(void)w_sys3(__NR_close_range, LOW_FDS, ~0U, 0);
}

_Noreturn void
fork_server(void)
{
	const struct w_sandbox_plan *sandbox_plan = sandbox_plan_map();
	struct fault fault = {.step = W_STEP_VIEW};
	struct w_fork_note *note = NULL;
	int note_fd = -1;
	struct pollfd fds[2] = {
	    {.fd = W_HELPER_SOCKET_FD, .events = POLLIN},
	    {.fd = W_HELPER_ENGINE_FD, .events = POLLIN},
	};

	long ret =
	    session_join(sandbox_plan, own_namespaces(sandbox_plan), &fault);
	take_low_numbers();
	if (ret == 0)
		ret = sandbox_plan_enter(sandbox_plan, &fault);
	if (ret == 0)
		ret = open_fork_note(&note, &note_fd);
	fork_server_loop_answer(
	    ret, &fault, &note_fd, ret == 0 ? W_FORK_NOTE_FDS : 0);
	if (ret < 0)
		quit(127);
	(void)w_sys1(__NR_close, note_fd);
	for (;;) {
		if (w_sys5(__NR_ppoll, fds, 2, NULL, NULL, 0) < 0)
			continue;
		if (fds[1].revents != 0)
			quit(0);
		if (fds[0].revents == 0)
			continue;
		char request;
		long n = w_sys3(
		    __NR_read, W_HELPER_SOCKET_FD, &request, sizeof(request));
		if (n == -EINTR || n == -EAGAIN)
			continue;
		if (n <= 0)
			quit(0);
		make_sandbox_init(sandbox_plan, note,
		    request == W_FORK_SERVER_MAKE_WITH_TERMINAL);
	}
}
