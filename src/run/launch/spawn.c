/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts and reaps children: the parent's half.
 *
 * CLONE_VM | CLONE_VFORK costs the same whatever the size of the host, and lets
 * the child report failures in shared memory, so there is no report pipe.
 * CLONE_FILES avoids the copy of a large descriptor table; the child unshares
 * it first. The pidfd comes from the clone itself: the pid cannot be recycled
 * in between.
 */

#include "run/launch/spawn.h"

#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "os/clone.h"
#include "os/file.h"

/* Two stacks, each above a guard page. */
enum {
	STACK_SIZE = 64 * 1024,
	GUARD_SIZE = 4096
};
enum {
	SLOT_SIZE = STACK_SIZE + GUARD_SIZE,
	SLOTS = 2
};

/* ETXTBSY is transient: somebody is writing the program, or a forked child of
 * its writer has not executed yet. */
enum {
	BUSY_TRIES = 20,
	BUSY_PAUSE_US = 2000
};

static uint64_t
ignored_signals(void)
{
	uint64_t ignored = 0;

	for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++) {
		struct sigaction action;

		if (sigaction(sig, NULL, &action) == 0 &&
		    action.sa_handler == SIG_IGN)
			ignored |= UINT64_C(1) << (sig - 1);
	}
	return ignored;
}

writ_status
w_spawner_init(struct w_spawner *spawner, writ_error *err)
{
	char *stacks = mmap(NULL, SLOTS * SLOT_SIZE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);

	if (stacks == MAP_FAILED)
		return w_fail(err, WRIT_E_NOMEM, "spawn", errno,
		    "cannot map stacks for children");
	for (int i = 0; i < SLOTS; i++) {
		if (mprotect(stacks + i * SLOT_SIZE, GUARD_SIZE, PROT_NONE) ==
		    0)
			continue;
		int error = errno;
		(void)munmap(stacks, SLOTS * SLOT_SIZE);
		return w_fail(err, WRIT_E_SYSTEM, "spawn", error, "mprotect");
	}
	spawner->stacks = stacks;
	spawner->ignored = ignored_signals();
	return WRIT_OK;
}

void
w_spawner_done(struct w_spawner *spawner)
{
	if (spawner->stacks != NULL)
		(void)munmap(spawner->stacks, SLOTS * SLOT_SIZE);
	spawner->stacks = NULL;
}

static unsigned
end_of(unsigned end, const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0 && (unsigned)fds[i] >= end)
			end = (unsigned)fds[i] + 1;
	}
	return end;
}

/* The children keep the descriptors below these ends when they unshare the
 * table. */
static void
set_ends(const struct w_spawn *spawn)
{
	struct w_child_plan *plan = spawn->plan;
	const int own[] = {plan->program_fd, plan->cwd_fd};

	plan->fd_end = end_of(3, own, sizeof(own) / sizeof(*own));
	plan->fd_end = end_of(plan->fd_end, plan->stdio, 3);
	plan->fd_end = end_of(plan->fd_end, plan->pass, plan->pass_count);
	plan->fd_end =
	    end_of(plan->fd_end, plan->limit_procs, plan->limit_procs_count);
	if (spawn->init == NULL)
		return;
	spawn->init->fd_end =
	    end_of(plan->fd_end, spawn->init->pass, W_INIT_PASS);
	spawn->init->fd_end =
	    end_of(spawn->init->fd_end, &spawn->init->helper_fd, 1);
}

static int
try_spawn(struct w_spawner *spawner, const struct w_spawn *spawn,
    struct w_child *out_child)
{
	struct w_child child = {.pidfd = -1};
	struct clone_args args = {
	    .flags = spawn->flags | CLONE_VM | CLONE_VFORK | CLONE_FILES |
		     CLONE_PIDFD,
	    .pidfd = (uint64_t)(uintptr_t)&child.pidfd,
	    .exit_signal = SIGCHLD,
	    .stack = (uint64_t)(uintptr_t)spawner->stacks + GUARD_SIZE,
	    .stack_size = STACK_SIZE,
	};
	sigset_t all, saved;
	long pid;

	if ((spawn->flags & CLONE_INTO_CGROUP) != 0)
		args.cgroup = (unsigned)spawn->group_fd;
	spawn->plan->failed_errno = 0;
	spawn->plan->ignored = spawner->ignored;
	set_ends(spawn);
	if (spawn->init != NULL) {
		spawn->init->stack = spawner->stacks + SLOT_SIZE + GUARD_SIZE;
		spawn->init->stack_size = STACK_SIZE;
	}

	/* No signal handler of the host may run in the child, on shared
	 * memory. */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &saved);
	if (spawn->init != NULL)
		pid = w_clone_child(
		    &args, sizeof(args), w_child_init_main, spawn->init);
	else
		pid = w_clone_child(
		    &args, sizeof(args), w_child_main, spawn->plan);
	(void)pthread_sigmask(SIG_SETMASK, &saved, NULL);
	if (pid < 0)
		return (int)-pid;

	child.pid = (pid_t)pid;
	if (spawn->plan->failed_errno != 0) {
		struct w_child_exit ended;

		w_child_reap(&child, &ended);
		return spawn->plan->failed_errno;
	}
	*out_child = child;
	return 0;
}

int
w_spawn(struct w_spawner *spawner, const struct w_spawn *spawn,
    struct w_child *out_child)
{
	int error = try_spawn(spawner, spawn, out_child);

	for (int i = 1; error == ETXTBSY && i < BUSY_TRIES; i++) {
		(void)usleep(BUSY_PAUSE_US);
		error = try_spawn(spawner, spawn, out_child);
	}
	return error;
}

/* The status of a process that somebody else has reaped, from its pidfd (Linux
 * 6.15). The layout is the kernel's version 0 and the exit code. */
static int
status_from_pidfd(int pidfd, int *out_status)
{
	struct pidfd_info {
		uint64_t mask;
		uint64_t cgroup_id;
		uint32_t pid, tgid, ppid;
		uint32_t ids[8];
		int32_t exit_code;
		uint32_t spare[4];
	} info = {.mask = UINT64_C(1) << 3};

	if (ioctl(pidfd, _IOWR(0xFF, 11, struct pidfd_info), &info) < 0 ||
	    (info.mask & (UINT64_C(1) << 3)) == 0)
		return 0;
	*out_status = info.exit_code;
	return 1;
}

static uint64_t
micros(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000U + (uint64_t)tv->tv_usec;
}

void
w_child_reap(struct w_child *child, struct w_child_exit *out_ended)
{
	struct rusage usage = {0};
	siginfo_t info = {0};
	long ret;

	/* libc's waitid() has no rusage argument. */
	do {
		ret = syscall(SYS_waitid, P_PIDFD, child->pidfd, &info,
		    WEXITED | __WALL, &usage);
	} while (ret < 0 && errno == EINTR);

	*out_ended = (struct w_child_exit){0};
	if (ret == 0) {
		out_ended->is_known = 1;
		out_ended->status = info.si_code == CLD_EXITED
					? W_EXITCODE(info.si_status & 0xff, 0)
					: W_EXITCODE(0, info.si_status);
		out_ended->user_us = micros(&usage.ru_utime);
		out_ended->system_us = micros(&usage.ru_stime);
		out_ended->max_rss_kib = (uint64_t)usage.ru_maxrss;
	} else {
		out_ended->is_known =
		    status_from_pidfd(child->pidfd, &out_ended->status);
	}
	w_close(&child->pidfd);
}

void
w_child_kill_and_reap(struct w_child *child)
{
	struct w_child_exit ended;

	if (child->pidfd < 0)
		return;
	(void)syscall(SYS_pidfd_send_signal, child->pidfd, SIGKILL, NULL, 0);
	w_child_reap(child, &ended);
}
