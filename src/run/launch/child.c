/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The child between clone3() and execve().
 *
 * It runs in its parent's memory while the parent's thread sleeps, and other
 * threads of the host may hold any lock. So this file makes raw system calls
 * and nothing else: no libc, no errno, no allocation. Failures are written into
 * the plan. tools/check-child-symbols enforces it.
 */

#include "run/launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <signal.h>

#include "os/clone.h"
#include "os/syscall.h"
#include "run/launch/child_setup.h"
#include "run/launch/same_file.h"
#include "sandbox/child/enter.h"

/* The kernel's own layout of a signal action; libc's differs. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

enum {
	STANDARD_SIGNALS = 31,
	SIGNALS = 64,
	SIGSET_BYTES = 8
};

/* execve() resets handlers; only ignored signals are inherited. A call for each
 * real-time signal would cost more than all other steps, so the parent has
 * looked up which of those are ignored. */
static void
reset_signals(uint64_t ignored)
{
	const struct kernel_action standard = {.handler = SIG_DFL};

	for (int sig = 1; sig <= SIGNALS; sig++) {
		if (sig > STANDARD_SIGNALS &&
		    (ignored & (UINT64_C(1) << (sig - 1))) == 0)
			continue;
		(void)w_sys4(
		    __NR_rt_sigaction, sig, &standard, NULL, SIGSET_BYTES);
	}
}

/*
 * Unshares the descriptor table, keeping only what this child needs. Copying
 * the whole table of a host with thousands of open files would cost more than
 * everything else here.
 */
static long
own_descriptors(unsigned end)
{
	return w_sys3(__NR_close_range, end, ~0U, CLOSE_RANGE_UNSHARE);
}

static long
place(int from, int to)
{
	if (from < 0) {
		(void)w_sys1(__NR_close, to);
		return 0;
	}
	return w_sys3(__NR_dup3, from, to, 0);
}

/* Places the descriptors at 0, 1, ... and marks all others close-on-exec,
 * whoever opened them. */
static long
place_descriptors(const int *stdio, const int *pass, size_t pass_count)
{
	long ret = 0;

	for (int i = 0; i < 3 && ret >= 0; i++)
		ret = place(stdio == NULL ? -1 : stdio[i], i);
	for (int i = 0; i < (int)pass_count && ret >= 0; i++)
		ret = place(pass[i], 3 + i);
	if (ret < 0)
		return ret;
	return w_sys3(
	    __NR_close_range, 3 + pass_count, ~0U, CLOSE_RANGE_CLOEXEC);
}

static int
child_fail(struct w_child_plan *plan, enum w_step step, long ret)
{
	plan->failed_step = step;
	plan->failed_errno = (int)-ret;
	return 127;
}

int
w_child_main(void *arg)
{
	struct w_child_plan *plan = arg;
	const uint64_t no_signals = 0;

	/* First: until then the descriptor table is the host's. */
	long ret = own_descriptors(plan->fd_end);
	if (ret < 0)
		return child_fail(plan, W_STEP_STDIO, ret);
	ret = w_child_join_groups(plan->limit_procs, plan->limit_procs_count);
	if (ret < 0)
		return child_fail(plan, W_STEP_LIMIT_GROUP, ret);
	if (plan->uid_map != NULL) {
		ret = w_enter_id_maps(plan->uid_map, plan->gid_map);
		if (ret >= 0)
			ret = w_enter_ambient(plan->makes_layer);
	}
	if (ret < 0)
		return child_fail(plan, W_STEP_USERNS, ret);
	reset_signals(plan->ignored);
	ret = w_child_start_session(plan->terminal);
	if (ret < 0)
		return child_fail(plan, W_STEP_SESSION, ret);
	if (plan->cwd_fd >= 0)
		ret = w_sys1(__NR_fchdir, plan->cwd_fd);
	if (ret < 0)
		return child_fail(plan, W_STEP_CWD, ret);
	ret = place_descriptors(plan->stdio, plan->pass, plan->pass_count);
	if (ret < 0)
		return child_fail(plan, W_STEP_STDIO, ret);
	ret = w_child_attach_terminal(plan->terminal);
	if (ret < 0)
		return child_fail(plan, W_STEP_TERMINAL, ret);
	ret = w_child_set_nice(plan->nice);
	if (ret < 0)
		return child_fail(plan, W_STEP_NICE, ret);
	if (plan->umask >= 0)
		(void)w_sys1(__NR_umask, plan->umask);
	ret =
	    plan->path == NULL ? 0 : w_same_file(plan->program_fd, plan->path);
	if (ret < 0)
		return child_fail(plan, W_STEP_PROGRAM, ret);
	ret = w_child_set_limits(plan->limits, plan->limit_count);
	if (ret < 0)
		return child_fail(plan, W_STEP_LIMITS, ret);

	/* Last: from here on a signal may end this process. */
	(void)w_sys4(
	    __NR_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, SIGSET_BYTES);
	if (plan->path != NULL)
		ret = w_sys3(__NR_execve, plan->path, plan->argv, plan->envp);
	else
		ret = w_sys5(__NR_execveat, plan->program_fd, "", plan->argv,
		    plan->envp, AT_EMPTY_PATH);
	return child_fail(plan, W_STEP_EXEC, ret);
}

static void
write_pid(char text[W_PID_TEXT], long pid)
{
	char digits[W_PID_TEXT];
	int len = 0, at = 0;

	while (pid > 0 && len < W_PID_TEXT - 1) {
		digits[len++] = (char)('0' + pid % 10);
		pid /= 10;
	}
	while (len > 0)
		text[at++] = digits[--len];
	text[at] = '\0';
}

static long
start_command(const struct w_init_plan *plan)
{
	struct clone_args args = {
	    .flags = CLONE_VM | CLONE_VFORK,
	    .exit_signal = SIGCHLD,
	    .stack = (uint64_t)(uintptr_t)plan->stack,
	    .stack_size = plan->stack_size,
	};

	return w_clone_child(&args, sizeof(args), w_child_main, plan->command);
}

/* Signals stay blocked, as the helper needs them. */
int
w_child_init_main(void *arg)
{
	const struct w_init_plan *plan = arg;
	struct w_child_plan *command = plan->command;
	static char *const no_env[] = {NULL};
	const struct kernel_action standard = {.handler = SIG_DFL};

	long ret = own_descriptors(plan->fd_end);
	if (ret < 0)
		return child_fail(command, W_STEP_STDIO, ret);
	/* If the host ignores SIGCHLD, the kernel would discard the exit status
	 * of the helper's children. */
	(void)w_sys4(__NR_rt_sigaction, SIGCHLD, &standard, NULL, SIGSET_BYTES);
	if (plan->uid_map != NULL)
		ret = w_enter_id_maps(plan->uid_map, plan->gid_map);
	if (ret < 0)
		return child_fail(command, W_STEP_USERNS, ret);
	ret = w_sys0(__NR_setsid);
	if (ret < 0)
		return child_fail(command, W_STEP_SESSION, ret);
	if (plan->terminal >= 0)
		ret = w_child_lead_terminal(plan->terminal);
	if (ret < 0)
		return child_fail(command, W_STEP_TERMINAL, ret);
	long pid = start_command(plan);
	if (pid < 0)
		return child_fail(command, W_STEP_PROCESS, pid);
	if (command->failed_errno != 0) {
		(void)w_sys4(__NR_wait4, pid, NULL, __WALL, NULL);
		return 127;
	}
	write_pid(plan->pid_text, pid);
	ret = place_descriptors(NULL, plan->pass, W_INIT_PASS);
	if (ret >= 0)
		ret = w_sys5(__NR_execveat, plan->helper_fd, "", plan->argv,
		    no_env, AT_EMPTY_PATH);

	/* When PID 1 exits, the kernel kills the command. */
	return child_fail(command, W_STEP_PROCESS, ret);
}
