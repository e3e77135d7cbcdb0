/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The parent of a run's processes: PID 1 of its namespace, or a subreaper.
 *
 *     watching --command ended--> sweeping --> reported, exit
 *        |
 *        +--asked to end--> watching until none are left --> reported, exit
 *        +--command ended, background may live on--> reported
 *                 reported --REQUEST_KEEP--> reaping until none are left, exit
 *
 * Invariants
 *  1. When the engine dies or closes the socket, every process is killed,
 *     unless it has sent W_HELPER_REQUEST_KEEP before.
 *  2. W_HELPER_EVENT_ENDED is sent once, when the command's status is known and
 *     either no process is left or the background processes may live on.
 *  3. W_HELPER_EVENT_STOPPED comes before it, only for a run with a terminal.
 *  4. PID 1 exits only when no process is left, or to have the kernel kill the
 *     whole namespace.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include "os/clone.h"
#include "os/syscall.h"
#include "run/helper/helper.h"
#include "sandbox/child/enter.h"

enum {
	STACK_SIZE = 16384,
	MASK_BYTES = 8,
	NO_WAIT = 0x40,
	NO_SIGNAL = 0x4000
};

/* Indexes of the polled descriptors. */
enum {
	FROM_ENGINE,
	ENGINE_LIFE,
	CHILDREN,
	POLLED
};

struct supervisor {
	struct children children;
	const char *group_name;
	int may_keep;  /* background processes may outlive the command */
	int is_ending; /* all were asked to end: wait for them */
	int is_reported;
	struct pollfd fds[POLLED];
};

static _Noreturn void
supervise_end(struct supervisor *self)
{
	if (self->children.has_group)
		group_remove(
		    W_HELPER_PARENT_FD, W_HELPER_GROUP_FD, self->group_name);
	quit(0);
}

static uint64_t
micros(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000U + (uint64_t)tv->tv_usec;
}

static void
report_ended(struct supervisor *self, int remaining, int gone)
{
	struct w_helper_event report = {
	    .kind = W_HELPER_EVENT_ENDED,
	    .status = self->children.status,
	    .killed = self->children.killed,
	    .remaining = (uint32_t)remaining,
	    .gone = (uint32_t)gone,
	};
	struct rusage usage;

	if (w_sys2(__NR_getrusage, RUSAGE_CHILDREN, &usage) == 0) {
		report.user_us = micros(&usage.ru_utime);
		report.system_us = micros(&usage.ru_stime);
		report.max_rss_kib = (uint64_t)usage.ru_maxrss;
	}
	send_event(&report);
	self->is_reported = 1;
}

/* No process is left: reports how the command ended, and exits. */
static _Noreturn void
conclude(struct supervisor *self, int gone)
{
	if (!self->is_reported)
		report_ended(self, 0, gone);
	supervise_end(self);
}

/* The same after killing what is left. kill(-1) walks every process of the
 * machine, so a run that has ended by itself does not use this. */
static _Noreturn void
supervise_finish(struct supervisor *self)
{
	conclude(self, sweep(&self->children));
}

static void
watch_children(struct supervisor *self)
{
	const uint64_t chld = UINT64_C(1) << (SIGCHLD - 1);

	long fd = w_sys4(
	    __NR_signalfd4, -1, &chld, MASK_BYTES, O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		supervise_finish(self);
	self->fds[CHILDREN] = (struct pollfd){.fd = (int)fd, .events = POLLIN};
}

/* Only PID 1 can signal all processes with one call; for a subreaper the engine
 * walks the tree itself. SIGCONT, because a stopped process cannot handle the
 * signal. */
static void
signal_all(const struct supervisor *self, int sig)
{
	if (self->children.role != W_ROLE_INIT)
		return;
	(void)w_sys2(__NR_kill, -1, sig);
	(void)w_sys2(__NR_kill, -1, SIGCONT);
}

static void
supervise_obey(struct supervisor *self)
{
	unsigned char message[2];

	long n = w_sys6(__NR_recvfrom, W_HELPER_SOCKET_FD, (long)message,
	    sizeof(message), NO_WAIT, 0, 0);
	if (n == -EAGAIN || n == -EINTR)
		return;
	switch (
	    n == (long)sizeof(message) ? message[0] : W_HELPER_REQUEST_KILL) {
	case W_HELPER_REQUEST_END:
		self->is_ending = 1;
		signal_all(self, message[1]);
		return;
	case W_HELPER_REQUEST_SIGNAL:
		signal_all(self, message[1]);
		return;
	case W_HELPER_REQUEST_KEEP:
		for (int i = FROM_ENGINE; i <= ENGINE_LIFE; i++) {
			(void)w_sys1(__NR_close, self->fds[i].fd);
			self->fds[i].fd = -1;
		}
		return;
	default:
		supervise_finish(self);
	}
}

static void
report_stop(struct supervisor *self)
{
	const struct w_helper_event message = {
	    .kind = W_HELPER_EVENT_STOPPED, .status = self->children.stop};

	if (self->children.stop == 0 || self->is_reported)
		return;
	/* Never blocks: a command that stops and continues all the time must
	 * not hold us up. On EAGAIN the next round sends it. */
	long ret = w_sys6(__NR_sendto, W_HELPER_SOCKET_FD, (long)&message,
	    sizeof(message), NO_WAIT | NO_SIGNAL, 0, 0);
	if (ret != -EAGAIN)
		self->children.stop = 0;
}

static void
look_after_children(struct supervisor *self)
{
	static char drained[1024];

	/* SIGCHLD merges, so one read drains; reap() checks all children. What
	 * comes after it is polled again. */
	if (self->fds[CHILDREN].revents != 0)
		(void)w_sys3(__NR_read, self->fds[CHILDREN].fd, drained,
		    sizeof(drained));
	if (reap(&self->children) < 0)
		conclude(self, 1);
	report_stop(self);
	if (!self->children.ended || self->is_reported || self->is_ending)
		return;
	if (!self->may_keep)
		supervise_finish(self);
	report_ended(self, 1, 0);
}

/* The command's process before execve(). It runs concurrently with the
 * supervisor, in the supervisor's memory. */
struct birth {
	become_fn become;
	const void *what;
	uint32_t may_go;
};

enum {
	FUTEX_WAIT_PRIVATE_OP = 128,
	FUTEX_WAKE_PRIVATE_OP = 129
};

static int
command_main(void *arg)
{
	struct birth *birth = arg;
	struct fault fault = {.step = W_STEP_EXEC};

	while (__atomic_load_n(&birth->may_go, __ATOMIC_ACQUIRE) == 0)
		(void)w_sys4(
		    __NR_futex, &birth->may_go, FUTEX_WAIT_PRIVATE_OP, 0, NULL);
	long ret = birth->become(birth->what, &fault);
	report_failed(&fault, ret);
	return 127;
}

/*
 * The engine sees the start by the end of the report pipe. So our own copy is
 * closed before the command may run: a command that stops its parent at once
 * must not keep the engine waiting.
 */
static void
start_command(struct supervisor *self, const struct supervision *supervision)
{
	static char stack[STACK_SIZE] __attribute__((aligned(16)));
	static struct birth birth;
	struct clone_args args = {
	    .flags = CLONE_VM,
	    .exit_signal = SIGCHLD,
	    .stack = (uint64_t)(uintptr_t)stack,
	    .stack_size = sizeof(stack),
	};

	birth.become = supervision->become;
	birth.what = supervision->what;
	if (self->children.has_group) {
		args.flags |= CLONE_INTO_CGROUP;
		args.cgroup = W_HELPER_GROUP_FD;
	}
	long pid = w_clone_child(&args, sizeof(args), command_main, &birth);
	if (pid < 0) {
		const struct fault fault = {.step = W_STEP_PROCESS};

		report_failed(&fault, pid);
		supervise_end(self);
	}
	self->children.pid = (int)pid;
	(void)w_sys1(__NR_close, W_HELPER_REPORT_FD);
	__atomic_store_n(&birth.may_go, 1, __ATOMIC_RELEASE);
	(void)w_sys3(__NR_futex, &birth.may_go, FUTEX_WAKE_PRIVATE_OP, 1);
}

/* The streams are the command's: held open here, they would never reach end of
 * file. And its working directory must not stay busy. */
static void
let_go_of_files(int has_group)
{
	_Static_assert(W_HELPER_PROGRAM_FD + 1 == W_HELPER_PARENT_FD &&
			   W_HELPER_PARENT_FD + 1 == W_HELPER_GROUP_FD,
	    "closed by one call");

	(void)w_sys3(__NR_close_range, 0, 2, 0);
	(void)w_sys3(__NR_close_range, W_HELPER_PROGRAM_FD,
	    has_group ? W_HELPER_PROGRAM_FD : W_HELPER_GROUP_FD, 0);
	(void)w_sys1(__NR_chdir, "/");
}

_Noreturn void
supervise(const struct supervision *supervision)
{
	const uint64_t all_signals = ~UINT64_C(0);
	struct supervisor self = {
	    .children =
		{
		    .role = supervision->role,
		    .has_group = supervision->group_name[0] != '\0',
		    .pid = supervision->pid,
		    .sees_stops = supervision->has_terminal,
		},
	    .group_name = supervision->group_name,
	    .may_keep = supervision->may_keep,
	    .fds = {{.fd = W_HELPER_SOCKET_FD, .events = POLLIN},
		{.fd = W_HELPER_ENGINE_FD, .events = POLLIN}},
	};

	(void)w_sys4(
	    __NR_rt_sigprocmask, SIG_SETMASK, &all_signals, NULL, MASK_BYTES);
	if (supervision->become != NULL)
		start_command(&self, supervision);
	if (!supervision->keeps_privileges)
		(void)w_enter_no_privileges();
	let_go_of_files(self.children.has_group);
	watch_children(&self);
	for (;;) {
		/* Before the first poll: the command may have ended before the
		 * signalfd existed. */
		look_after_children(&self);
		if (w_sys5(__NR_ppoll, self.fds, POLLED, NULL, NULL, 0) < 0) {
			self.fds[CHILDREN].revents = 0;
			continue;
		}
		if (self.fds[FROM_ENGINE].revents != 0)
			supervise_obey(&self);
		/* REQUEST_KEEP may just have closed this descriptor. */
		if (self.fds[ENGINE_LIFE].fd >= 0 &&
		    self.fds[ENGINE_LIFE].revents != 0)
			supervise_finish(&self);
	}
}
