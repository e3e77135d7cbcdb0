/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reaps and kills the processes of a run.
 *
 * As PID 1, kill(-1) reaches all of them at once. With a group, cgroup.kill
 * does. A bare subreaper kills its children level by level: each death
 * reparents the next level to it, and only processes that fork faster than that
 * escape.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/time_types.h>
#include <signal.h>
#include <sys/wait.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

/* One second in all for a tree that does not end; the engine has its own
 * timeout beyond that. */
enum {
	SWEEP_ROUNDS = 5000,
	SWEEP_PAUSE_NS = 200000,
	STRIKE_AGAIN = 50
};

static void
reap_note(struct children *children, int pid, int status)
{
	if (WIFSTOPPED(status)) {
		if (pid == children->pid)
			children->stop = WSTOPSIG(status);
		return;
	}
	if (pid == children->pid && !children->ended) {
		children->ended = 1;
		children->status = status;
	} else if (children->sweeping && WIFSIGNALED(status) &&
		   WTERMSIG(status) == SIGKILL) {
		children->killed++;
	}
}

int
reap(struct children *children)
{
	const int options =
	    WNOHANG | __WALL | (children->sees_stops ? WUNTRACED : 0);

	for (;;) {
		int status = 0;
		long pid = w_sys4(__NR_wait4, -1, &status, options, NULL);

		if (pid == -EINTR)
			continue;
		if (pid < 0)
			return -1;
		if (pid == 0)
			return 0;
		reap_note(children, (int)pid, status);
	}
}

/* Kills the direct children. 0: they cannot be listed. */
static int
kill_children(void)
{
	static char text[4096];
	long n, pid = 0;

	long fd = w_sys4(__NR_openat, AT_FDCWD, "/proc/thread-self/children",
	    O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	while ((n = w_sys3(__NR_read, fd, text, sizeof(text))) > 0) {
		for (long i = 0; i < n; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				pid = pid * 10 + (text[i] - '0');
				continue;
			}
			if (pid > 1)
				(void)w_sys2(__NR_kill, pid, SIGKILL);
			pid = 0;
		}
	}
	(void)w_sys1(__NR_close, fd);
	return 1;
}

/* Sends SIGKILL to all that we can reach. As PID 1 and with a group that is
 * everything; repeating it covers a transient failure of the kernel. */
static void
strike(const struct children *children)
{
	if (children->role == W_ROLE_INIT)
		(void)w_sys2(__NR_kill, -1, SIGKILL);
	else if (children->has_group)
		group_kill(W_HELPER_GROUP_FD);
	else if (!kill_children())
		/* Without the list, at least the command's process group. */
		(void)w_sys2(__NR_kill, -children->pid, SIGKILL);
}

int
sweep(struct children *children)
{
	const struct __kernel_timespec pause = {.tv_nsec = SWEEP_PAUSE_NS};
	const int reaches_all =
	    children->role == W_ROLE_INIT || children->has_group;

	children->sweeping = 1;
	for (int i = 0; i < SWEEP_ROUNDS; i++) {
		if (i == 0 || !reaches_all || i % STRIKE_AGAIN == 0)
			strike(children);
		if (reap(children) < 0)
			return 1;
		(void)w_sys2(__NR_nanosleep, &pause, NULL);
	}
	return 0;
}
