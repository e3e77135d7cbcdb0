/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The forwarder of a session: passes connections on between the machine and the
 * session's network.
 *
 *     --publish  inside the session: accepts at a socket of the machine that
 *                came along, connects to 127.0.0.1 in the session
 *     --connect  outside: accepts at a socket that was made inside, connects to
 *                127.0.0.1 or to one local socket of the machine
 *
 * Nobody chooses where it connects but the engine, once. Before the first
 * connection it gives up every privilege, and a filter leaves it the calls that
 * copying takes. It never looks at the bytes.
 */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "os/syscall.h"
#include "run/helper/forward_protocol.h"
#include "run/helper/helper.h"
#include "run/helper/stream_pairs.h"
#include "sandbox/child/enter.h"
#include "sandbox/child/shared_walls.h"

enum {
	FORWARD_BACKLOG = 128,
	LOOPBACK_V4 = 0x7f000001,
	AT_LINE = W_FORWARD_PAIRS * STREAM_PAIR_POLLS,
	AT_LISTENERS,
	POLLS = AT_LISTENERS + W_FORWARD_RULES,
	FILTER_MAX = 64
};

/* Where a rule leads. */
struct forward_target {
	int file; /* O_PATH, of a local socket; -1: the port */
	uint16_t port;
};

static struct forwarder {
	struct forward_target targets[W_FORWARD_RULES];
	int listeners[W_FORWARD_RULES];
	size_t count;
	/* Of each pair: its rule, and whether IPv6 is still to be tried. */
	uint8_t rules[W_FORWARD_PAIRS];
	uint8_t has_next[W_FORWARD_PAIRS];
	struct stream_pair pairs[W_FORWARD_PAIRS];
} forwarder;
static char bytes[W_FORWARD_PAIRS][2 * STREAM_PAIR_BYTES];

/* ---- sockets ---- */

static struct sockaddr_in
loopback_v4(uint16_t port)
{
	return (struct sockaddr_in){
	    .sin_family = AF_INET,
	    .sin_port = __builtin_bswap16(port),
	    .sin_addr.s_addr = __builtin_bswap32(LOOPBACK_V4),
	};
}

static struct sockaddr_in6
loopback_v6(uint16_t port)
{
	struct sockaddr_in6 address = {
	    .sin6_family = AF_INET6,
	    .sin6_port = __builtin_bswap16(port),
	};

	address.sin6_addr.s6_addr[15] = 1;
	return address;
}

/* PREFIX and a number below 1000. */
static void
number_path(char *out, const char *prefix, unsigned number)
{
	while (*prefix != '\0')
		*out++ = *prefix++;
	if (number >= 100)
		*out++ = (char)('0' + number / 100);
	if (number >= 10)
		*out++ = (char)('0' + number / 10 % 10);
	*out++ = (char)('0' + number % 10);
	*out = '\0';
}

static long
make_socket(int family)
{
	return w_sys3(
	    __NR_socket, family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* ---- listening inside ---- */

static long
bind_port(long fd, uint16_t port)
{
	static const int on = 1;
	const struct sockaddr_in address = loopback_v4(port);

	(void)w_sys5(
	    __NR_setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return w_sys3(__NR_bind, fd, &address, sizeof(address));
}

/* Everybody in the session may connect, whatever user a run is. */
static long
bind_path(long fd, unsigned index)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const long umask = w_sys1(__NR_umask, 0);

	number_path(
	    address.sun_path, W_SHARED_WALLS_STAGE W_SHARED_CONNECT, index);
	const long ret = w_sys3(__NR_bind, fd, &address, sizeof(address));
	(void)w_sys1(__NR_umask, umask);
	return ret;
}

static long
listen_at(const struct w_forward_rule *rule, unsigned index)
{
	const long fd = make_socket(rule->port != 0 ? AF_INET : AF_UNIX);
	long ret = fd;

	if (fd < 0)
		return fd;
	ret = rule->port != 0 ? bind_port(fd, (uint16_t)rule->port)
			      : bind_path(fd, index);
	if (ret == 0)
		ret = w_sys2(__NR_listen, fd, FORWARD_BACKLOG);
	if (ret == 0)
		return fd;
	(void)w_sys1(__NR_close, fd);
	return ret;
}

static void
forwarder_listen(struct w_forward_plan *plan)
{
	int fds[W_FORWARD_RULES];
	uint32_t count = 0;
	long fd = 0;

	for (; count < plan->count; count++) {
		fd = listen_at(&plan->rules[count], count);
		if (fd < 0)
			break;
		fds[count] = (int)fd;
	}
	plan->failed = count;
	plan->error = count < plan->count ? (int32_t)-fd : 0;
	(void)send_fds(W_HELPER_SOCKET_FD, plan, sizeof(*plan), fds,
	    plan->error == 0 ? count : 0);
	while (count > 0)
		(void)w_sys1(__NR_close, fds[--count]);
}

/* ---- connections ---- */

static long
connect_file(const struct forward_target *target)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const long fd = make_socket(AF_UNIX);

	if (fd < 0)
		return fd;
	number_path(address.sun_path, "/proc/self/fd/", (unsigned)target->file);
	const long ret = w_sys3(__NR_connect, fd, &address, sizeof(address));
	if (ret == 0)
		return fd;
	(void)w_sys1(__NR_close, fd);
	return ret;
}

/* Connected, or on its way. */
static long
connect_port(uint16_t port, int is_v6)
{
	const struct sockaddr_in v4 = loopback_v4(port);
	const struct sockaddr_in6 v6 = loopback_v6(port);
	const long fd = make_socket(is_v6 ? AF_INET6 : AF_INET);

	if (fd < 0)
		return fd;
	const long ret = is_v6 ? w_sys3(__NR_connect, fd, &v6, sizeof(v6))
			       : w_sys3(__NR_connect, fd, &v4, sizeof(v4));
	if (ret == 0 || ret == -EINPROGRESS)
		return fd;
	(void)w_sys1(__NR_close, fd);
	return ret;
}

static void
forwarder_accept(size_t rule, size_t index)
{
	const struct forward_target *target = &forwarder.targets[rule];
	struct stream_pair *pair = &forwarder.pairs[index];
	const long from = w_sys4(__NR_accept4, forwarder.listeners[rule], NULL,
	    NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (from < 0)
		return;
	const long to = target->file >= 0 ? connect_file(target)
					  : connect_port(target->port, 0);
	stream_pair_open(pair, (int)from, to < 0 ? -1 : (int)to, bytes[index]);
	forwarder.rules[index] = (uint8_t)rule;
	forwarder.has_next[index] = target->file < 0;
	pair->is_connecting = target->file < 0;
	if (to < 0)
		stream_pair_reset(pair);
}

/* Whether it has connected decides; a server may listen on [::1] alone. */
static void
forwarder_connected(size_t index)
{
	struct stream_pair *pair = &forwarder.pairs[index];
	int error = 0;
	uint32_t len = sizeof(error);

	const long ret = w_sys5(
	    __NR_getsockopt, pair->fds[1], SOL_SOCKET, SO_ERROR, &error, &len);
	if (ret == 0 && error == 0) {
		pair->is_connecting = 0;
		return;
	}
	(void)w_sys1(__NR_close, pair->fds[1]);
	pair->fds[1] = -1;
	if (forwarder.has_next[index]) {
		forwarder.has_next[index] = 0;
		pair->fds[1] = (int)connect_port(
		    forwarder.targets[forwarder.rules[index]].port, 1);
	}
	if (pair->fds[1] < 0)
		stream_pair_reset(pair);
}

/* ---- the loop ---- */

static size_t
free_pair(void)
{
	size_t i = 0;

	while (i < W_FORWARD_PAIRS && !stream_pair_is_free(&forwarder.pairs[i]))
		i++;
	return i;
}

static void
forwarder_step_pair(size_t index, const struct pollfd *polls)
{
	struct stream_pair *pair = &forwarder.pairs[index];

	if (stream_pair_is_free(pair) ||
	    (polls[0].revents == 0 && polls[1].revents == 0))
		return;
	if (pair->is_connecting)
		forwarder_connected(index);
	else
		stream_pair_step(pair, polls);
}

static void
forwarder_step(void)
{
	static struct pollfd polls[POLLS];
	const int has_room = free_pair() < W_FORWARD_PAIRS;

	for (size_t i = 0; i < W_FORWARD_PAIRS; i++)
		stream_pair_fill(
		    &forwarder.pairs[i], &polls[i * STREAM_PAIR_POLLS]);
	/* It says nothing any more: this is its end. */
	polls[AT_LINE] =
	    (struct pollfd){.fd = W_HELPER_SOCKET_FD, .events = POLLIN};
	for (size_t i = 0; i < W_FORWARD_RULES; i++)
		polls[AT_LISTENERS + i] =
		    (struct pollfd){.fd = has_room && i < forwarder.count
					      ? forwarder.listeners[i]
					      : -1,
			.events = POLLIN};
	if (w_sys5(__NR_ppoll, polls, POLLS, NULL, NULL, 0) <= 0)
		return;
	if (polls[AT_LINE].revents != 0)
		quit(0);
	for (size_t i = 0; i < W_FORWARD_PAIRS; i++)
		forwarder_step_pair(i, &polls[i * STREAM_PAIR_POLLS]);
	for (size_t i = 0; i < forwarder.count; i++) {
		const size_t index = free_pair();

		if (polls[AT_LISTENERS + i].revents != 0 &&
		    index < W_FORWARD_PAIRS)
			forwarder_accept(i, index);
	}
}

/* ---- start ---- */

/* The calls of the loop above and no others. */
static long
forwarder_lock_up(void)
{
	static const uint16_t allowed[] = {__NR_ppoll, __NR_read, __NR_sendto,
	    __NR_accept4, __NR_socket, __NR_connect, __NR_getsockopt,
	    __NR_setsockopt, __NR_shutdown, __NR_close, __NR_exit_group,
	    __NR_restart_syscall};
	const size_t count = sizeof(allowed) / sizeof(*allowed);
	struct sock_filter filter[FILTER_MAX];
	size_t len = 0;

#if defined(__x86_64__)
	const uint32_t arch = AUDIT_ARCH_X86_64;
#else
	const uint32_t arch = AUDIT_ARCH_AARCH64;
#endif
	filter[len++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	filter[len++] = (struct sock_filter)BPF_JUMP(
	    BPF_JMP | BPF_JEQ | BPF_K, arch, 0, (uint8_t)(count + 1));
	filter[len++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < count; i++)
		filter[len++] =
		    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			allowed[i], (uint8_t)(count - i), 0);
	filter[len++] = (struct sock_filter)BPF_STMT(
	    BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	filter[len++] =
	    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const long ret = w_enter_no_privileges();
	return ret < 0 ? ret : w_enter_seccomp(filter, len, 0);
}

static int
forwarder_take(const struct w_forward_plan *plan, const int *fds, size_t count)
{
	size_t next = plan->count;

	if (count < plan->count)
		return 0;
	for (size_t i = 0; i < W_FORWARD_PAIRS; i++) {
		forwarder.pairs[i].fds[0] = -1;
		forwarder.pairs[i].fds[1] = -1;
	}
	for (size_t i = 0; i < plan->count; i++) {
		const struct w_forward_rule *rule = &plan->rules[i];

		if (rule->has_file && next >= count)
			return 0;
		forwarder.listeners[i] = fds[i];
		forwarder.targets[i] = (struct forward_target){
		    .file = rule->has_file ? fds[next++] : -1,
		    .port = (uint16_t)rule->port};
	}
	forwarder.count = plan->count;
	return next == count;
}

static _Noreturn void
forwarder_copy(struct w_forward_plan *plan, const int *fds, size_t count)
{
	long ret = forwarder_take(plan, fds, count) ? 0 : -EINVAL;

	if (ret == 0)
		ret = forwarder_lock_up();
	plan->error = (int32_t)-ret;
	/* The filter has no sendmsg(). */
	(void)w_sys6(__NR_sendto, W_HELPER_SOCKET_FD, (long)plan, sizeof(*plan),
	    MSG_NOSIGNAL, 0, 0);
	if (ret < 0)
		quit(125);
	for (;;)
		forwarder_step();
}

/* The user namespace first: the others belong to it. */
static long
forwarder_join(const char *letters)
{
	const int fds[] = {
	    W_HELPER_USER_NS_FD, W_HELPER_MOUNT_NS_FD, W_HELPER_NET_NS_FD};
	long ret = 0;

	if (letters[0] != 'i')
		return 0;
	if (letters[1] == 'u')
		ret = w_sys2(__NR_setns, W_HELPER_USER_NS_FD, CLONE_NEWUSER);
	if (ret == 0)
		ret = w_sys2(__NR_setns, W_HELPER_NET_NS_FD, CLONE_NEWNET);
	if (ret == 0)
		ret = w_sys2(__NR_setns, W_HELPER_MOUNT_NS_FD, CLONE_NEWNS);
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		(void)w_sys1(__NR_close, fds[i]);
	return ret;
}

/* It is nobody's child: the engine may end before it. */
static void
forwarder_leave_engine(void)
{
	const long pid = w_sys5(__NR_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid != 0)
		quit(pid < 0 ? 125 : 0);
	(void)w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)w_sys1(__NR_close, W_HELPER_ENGINE_FD);
	(void)w_sys0(__NR_setsid);
	(void)w_sys1(__NR_chdir, "/");
}

_Noreturn void
session_forwarder(const char *letters)
{
	struct w_forward_plan plan;
	int fds[W_FORWARD_FDS];

	forwarder_leave_engine();
	const long joined = forwarder_join(letters);
	/* New credentials may have made us dumpable again. */
	(void)w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)w_sys5(__NR_prctl, PR_SET_NAME, "writ-forward", 0, 0, 0);
	for (;;) {
		size_t count = W_FORWARD_FDS;
		const long n = receive_fds(
		    W_HELPER_SOCKET_FD, &plan, sizeof(plan), fds, &count);

		if (n == -EINTR)
			continue;
		if (n != sizeof(plan) || plan.magic != W_FORWARD_MAGIC ||
		    plan.count > W_FORWARD_RULES)
			quit(125);
		if (joined < 0) {
			plan.error = (int32_t)-joined;
			(void)send_fds(
			    W_HELPER_SOCKET_FD, &plan, sizeof(plan), NULL, 0);
			quit(125);
		}
		if (plan.kind == W_FORWARD_COPY)
			forwarder_copy(&plan, fds, count);
		forwarder_listen(&plan);
	}
}
