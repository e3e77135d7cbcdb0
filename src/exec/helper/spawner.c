/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The spawner of a realm: it has entered the namespaces, the view and the
 * host name that all its runs share, and copies itself for each of them.
 *
 * A copy is a cell, in namespaces of its own where runs must not meet, and a
 * child of the engine (CLONE_PARENT), which waits for it as for any other.
 * The spawner never sees an order. Where the runs share its view instead, it
 * makes each of them a nest. It ends when the engine closes the socket
 * or dies.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>

#include "exec/helper/helper.h"
#include "exec/helper/order.h"
#include "os/syscall.h"
#include "sandbox/enter/realm.h"

/* Where the descriptors of a call go, by W_CALL_... */
static const int places[W_CALL_FDS_MAX] = {
    [W_CALL_STDIN] = 0,
    [W_CALL_STDOUT] = 1,
    [W_CALL_STDERR] = 2,
    [W_CALL_SOCKET] = W_HELPER_SOCKET_FD,
    [W_CALL_ORDER] = W_HELPER_ORDER_FD,
    [W_CALL_REPORT] = W_HELPER_REPORT_FD,
    [W_CALL_FDS] = W_HELPER_LIMIT_FD,
    [W_CALL_FDS + 1] = W_HELPER_LIMIT_FD_2,
};

enum {
	LOW_FDS = W_HELPER_LIMIT_FD_2 + 1
};

/* So that what arrives never lands on a number it is to be moved to. */
static void
take_low_numbers(void)
{
	for (int fd = 0; fd < LOW_FDS; fd++) {
		if (fd < W_HELPER_SOCKET_FD || fd > W_HELPER_REALM_FD)
			(void)w_sys3(
			    __NR_dup3, W_HELPER_REALM_FD, fd, O_CLOEXEC);
	}
}

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
answer(long pid, const struct fault *fault, int pidfd)
{
	const struct w_spawn_answer message = {
	    .pid = (int32_t)pid,
	    .step = fault->step,
	    .detail = fault->detail,
	};

	(void)send_fds(&message, sizeof(message), &pidfd, pidfd >= 0 ? 1 : 0);
}

static _Noreturn void
become_cell(const struct w_realm *realm, const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (w_sys3(__NR_dup3, fds[i], places[i], 0) < 0)
			quit(125);
	}
	(void)w_sys3(__NR_close_range, LOW_FDS, ~0U, 0);
	cell(realm);
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

/* A directory that only the run with its rules can write to, in a place that
 * none of them can list: names are told to nobody else. */
static long
make_nest(const struct w_realm *realm, const struct w_spawn_call *call,
    struct fault *out_fault)
{
	/* Our own copy of the realm: nobody else sees the change. */
	char *path =
	    (char *)(uintptr_t)W_REALM_AT(realm, realm->strings, char) +
	    realm->nest;
	char *digits = path + sizeof(W_NEST_PATH) - 1 - W_NEST_DIGITS;

	if (realm->nest == 0)
		return -EPROTO;
	for (int i = 0; i < W_NEST_DIGITS; i++)
		digits[i] = call->nest[i];
	out_fault->step = W_STEP_VIEW;
	long ret = w_sys3(__NR_mkdirat, AT_FDCWD, path, 0700);
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_RULES;
	return w_enter_landlock_make(&realm->scope,
	    W_REALM_AT(realm, realm->rules, struct w_landlock_rule),
	    realm->rule_count, W_REALM_AT(realm, realm->strings, char),
	    &out_fault->detail);
}

static void
serve_nest(const struct w_realm *realm, const struct w_spawn_call *call)
{
	struct fault fault = {.step = W_STEP_VIEW};

	long rules = make_nest(realm, call, &fault);
	answer(rules < 0 ? rules : 1, &fault, rules < 0 ? -1 : (int)rules);
	if (rules >= 0)
		(void)w_sys1(__NR_close, rules);
}

static void
serve(const struct w_realm *realm)
{
	const struct fault fault = {.step = W_STEP_PROCESS};
	struct w_spawn_call call = {0};
	int fds[W_CALL_FDS_MAX];
	size_t count = 0;
	int pidfd = -1;

	long n = receive_fds(&call, sizeof(call), fds, W_CALL_FDS_MAX, &count);
	if (n == -EINTR || n == -EAGAIN)
		return;
	if (n != (long)sizeof(call))
		quit(0);
	if (call.wants_nest) {
		serve_nest(realm, &call);
		return;
	}
	long pid = count < W_CALL_FDS || count != call.fd_count
		       ? -EPROTO
		       : clone_cell(realm, &pidfd);
	if (pid == 0)
		become_cell(realm, fds, count);
	answer(pid, &fault, pid > 0 ? pidfd : -1);
	(void)w_sys3(__NR_close_range, LOW_FDS, ~0U, 0);
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
	answer(ret, &fault, -1);
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
