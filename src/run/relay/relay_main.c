/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The relay of a session's network: the way from its runs to hosts outside.
 *
 * A socket belongs to the network that it was made in. The sockets that accept
 * were made inside the session and handed out to this process, which is
 * outside: what it accepts comes from inside, where it connects is outside. It
 * answers the DNS inside, so it knows which name a connection is for, asks an
 * engine about it, and checks that the client says the same.
 *
 * It reads bytes of hostile clients, of DNS servers and of a proxy. So it is a
 * program of its own: without privileges, without files, with no more calls
 * than copying takes, and with tables of fixed sizes. It ends with its control
 * line.
 */

#include <errno.h>
#include <linux/prctl.h>

#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/relay/relay.h"

enum {
	EVENTS = 256,
	TICK_MS = 200,
	INDEX_BITS = 32,
	HOSTS_MAX = 1 << 20,
	FDS_MAX = 65536
};

struct relay_setup relay;
static int epoll_fd;
static int is_started;

void relay_start_at(long *stack);

_Noreturn void
relay_quit(int status)
{
	for (;;)
		(void)w_sys1(__NR_exit_group, status);
}

void *
relay_map(size_t size)
{
	const long at = w_sys6(__NR_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at < 0 && at > -4096)
		relay_quit(125);
	return (void *)at;
}

uint64_t
relay_clock_us(int clock)
{
	struct timespec now = {0};

	(void)w_sys2(__NR_clock_gettime, clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

long
relay_watch(int fd, enum relay_source source, uint32_t index, uint32_t events)
{
	struct epoll_event event = {
	    .events = events,
	    .data.u64 = (uint64_t)source << INDEX_BITS | index,
	};

	return w_sys4(__NR_epoll_ctl, epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/* ---- the control line ---- */

static long
map_hosts(int fd)
{
	const long size = w_sys3(__NR_lseek, fd, 0, SEEK_END);

	if (size <= 0 || size > HOSTS_MAX)
		return size <= 0 ? size : -EFBIG;
	const long at =
	    w_sys6(__NR_mmap, 0, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at < 0 && at > -4096)
		return at;
	relay.hosts_text = (const char *)at;
	relay.hosts_len = (size_t)size;
	return 0;
}

static long
take_start(const int *fds, size_t count)
{
	const struct w_relay_start *start = &relay.start;

	if (start->magic != W_RELAY_MAGIC ||
	    start->version != W_RELAY_VERSION || count < 3 ||
	    count > W_RELAY_LISTENERS + 2 ||
	    start->server_count > W_RELAY_SERVERS || is_started)
		return -EINVAL;
	is_started = 1;
	relay.dns = fds[0];
	relay.listener_count = (uint32_t)count - 2;
	for (uint32_t i = 0; i < relay.listener_count; i++)
		relay.listeners[i] = fds[1 + i];
	long ret = map_hosts(fds[count - 1]);
	(void)w_sys1(__NR_close, fds[count - 1]);
	if (ret < 0)
		return ret;
	relay_names_init();
	relay_lines_init();
	dns_service_init();
	resolver_init();
	relay_conns_init();
	relay_flow_init();
	ret = relay_watch(relay.dns, RELAY_DNS, 0, EPOLLIN);
	for (uint32_t i = 0; i < relay.listener_count && ret == 0; i++)
		ret =
		    relay_watch(relay.listeners[i], RELAY_LISTENER, i, EPOLLIN);
	return ret == 0 ? relay_lock_up() : ret;
}

/* The first packet tells what to do; each later one brings a line. */
static void
control_event(void)
{
	static struct w_relay_start packet;
	int fds[W_RELAY_LISTENERS + 2];
	size_t count = sizeof(fds) / sizeof(*fds);

	const long n = receive_fds(
	    W_RELAY_CONTROL_FD, &packet, sizeof(packet), fds, &count);
	if (n == -EINTR || n == -EAGAIN)
		return;
	if (n < (long)sizeof(packet.kind))
		relay_quit(0);
	if (packet.kind == W_RELAY_ATTACH && is_started && count == 1) {
		relay_lines_attach(fds[0]);
		return;
	}
	if (packet.kind != W_RELAY_START || n != sizeof(packet))
		relay_quit(125);
	relay.start = packet;
	const long ret = take_start(fds, count);
	packet.error = (int32_t)-ret;
	(void)w_sys6(__NR_sendto, W_RELAY_CONTROL_FD, (long)&packet,
	    sizeof(packet), MSG_NOSIGNAL, 0, 0);
	if (ret < 0)
		relay_quit(125);
}

/* ---- the loop ---- */

static void
relay_dispatch(const struct epoll_event *event)
{
	const uint32_t index = (uint32_t)event->data.u64;

	switch ((enum relay_source)(event->data.u64 >> INDEX_BITS)) {
	case RELAY_CONTROL:
		control_event();
		return;
	case RELAY_LINE:
		relay_line_event(index);
		return;
	case RELAY_DNS:
		dns_service_event();
		return;
	case RELAY_LISTENER:
		relay_conns_accept(index);
		return;
	case RELAY_QUERY:
		resolver_event(index);
		return;
	case RELAY_CLIENT:
		relay_conn_event(index, 0, event->events);
		return;
	case RELAY_SERVER:
		relay_conn_event(index, 1, event->events);
		return;
	}
}

static void
relay_step(void)
{
	static struct epoll_event events[EVENTS];
	static uint64_t looked_ms;
	static int has_more;
	const int wait_ms = has_more ? 0 : relay.timed > 0 ? TICK_MS : -1;

	const long n = w_sys6(
	    __NR_epoll_pwait, epoll_fd, (long)events, EVENTS, wait_ms, 0, 8);
	relay.now_ms = relay_clock_us(CLOCK_MONOTONIC) / 1000;
	for (long i = 0; i < n; i++)
		relay_dispatch(&events[i]);
	has_more = relay_conns_step();
	if (relay.now_ms - looked_ms >= TICK_MS) {
		looked_ms = relay.now_ms;
		resolver_check_time();
		relay_conns_check_time();
	}
	has_more |= relay_lines_settle(n <= 0 && !has_more);
	relay_conns_sweep();
}

/* ---- start ---- */

/* It is nobody's child: the engine may end before it. */
static void
relay_leave_engine(void)
{
	const long pid = w_sys5(__NR_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid != 0)
		relay_quit(pid < 0 ? 125 : 0);
	(void)w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)w_sys5(__NR_prctl, PR_SET_NAME, "writ-relay", 0, 0, 0);
	(void)w_sys1(__NR_close, W_HELPER_ENGINE_FD);
	(void)w_sys0(__NR_setsid);
	(void)w_sys1(__NR_chdir, "/");
}

/* As many as it may have, for connections. */
static void
raise_file_limit(void)
{
	struct rlimit limit = {0};

	if (w_sys4(__NR_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max > FDS_MAX ? FDS_MAX : limit.rlim_max;
	(void)w_sys4(__NR_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
}

void
relay_start_at(long *stack)
{
	(void)stack;
	relay_leave_engine();
	raise_file_limit();
	const long fd = w_sys1(__NR_epoll_create1, EPOLL_CLOEXEC);
	epoll_fd = (int)fd;
	if (fd < 0 || relay_watch(W_RELAY_CONTROL_FD, RELAY_CONTROL, 0,
			  EPOLLIN | EPOLLRDHUP) < 0)
		relay_quit(125);
	for (;;)
		relay_step();
}

#if defined(__x86_64__)
__asm__(".globl _start\n"
	"_start:\n\t"
	"xorl %ebp, %ebp\n\t"
	"movq %rsp, %rdi\n\t"
	"andq $-16, %rsp\n\t"
	"call relay_start_at\n\t"
	"hlt\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n"
	"_start:\n\t"
	"mov x29, #0\n\t"
	"mov x0, sp\n\t"
	"bl relay_start_at\n\t"
	"brk #0\n");
#endif
