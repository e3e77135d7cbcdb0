/* SPDX-License-Identifier: Apache-2.0 */

/* A fork server that is struck in the middle of a fork: after the kernel has
 * made the sandbox init, and before the engine has heard of it. */

#include "sandboxed_runs.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "run/launch/fork_server.h"

static void
step(pid_t pid, enum __ptrace_request how)
{
	int status = 0;

	assert_int_equal(ptrace(how, pid, NULL, NULL), 0);
	assert_int_equal(waitpid(pid, &status, __WALL), pid);
	assert_true(WIFSTOPPED(status));
}

/* Holds the idle fork server. */
static void
hold(pid_t pid)
{
	if (ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACESYSGOOD) != 0) {
		assert_int_equal(errno, EPERM);
		skip(); /* this user may not look into its own helper */
	}
	step(pid, PTRACE_INTERRUPT);
}

/* Lets it go on until it has forked; the number of its child. */
static pid_t
go_on_until_it_has_forked(pid_t pid)
{
	struct __ptrace_syscall_info info;
	uint64_t call = 0;

	for (int i = 0; i < 1000; i++) {
		step(pid, PTRACE_SYSCALL);
		assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info),
				&info) > 0);
		if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
			call = info.entry.nr;
		else if (info.op == PTRACE_SYSCALL_INFO_EXIT &&
			 call == __NR_clone3)
			return (pid_t)info.exit.rval;
	}
	fail_msg("it does not fork");
	return -1;
}

static bool
is_our_child(pid_t pid)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)pid, &info,
		   WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/* Brings the fork server to that place: its pid, and that of the child. The
 * engine has asked for the child, and goes on meanwhile. */
static pid_t
stop_amid_a_fork(pid_t *out_child)
{
	writ_request request = walled("exit 7");
	struct w_run_sandbox *sandbox = warm_up();
	const pid_t pid = sandbox->spawner.pid;

	hold(pid);
	expect_code(&request, 7);
	assert_ptr_equal(runner.launcher.sandbox_cache.first, sandbox);
	assert_int_equal(sandbox->spawner.pid, pid);
	assert_true(sandbox->is_asked);
	*out_child = go_on_until_it_has_forked(pid);
	assert_true(*out_child > 0);
	assert_true(is_our_child(*out_child));
	return pid;
}

static void
a_fork_server_killed_amid_a_fork_leaves_no_child(void **state)
{
	writ_request request = walled("exit 7");
	pid_t child = 0;

	(void)state;
	const pid_t pid = stop_amid_a_fork(&child);
	assert_int_equal(kill(pid, SIGKILL), 0);
	expect_code(&request, 7);
	assert_false(is_our_child(child));
	assert_false(is_our_child(pid));
	for (int i = 0; i < RUNS; i++)
		expect_code(&request, 7);
}

/* It is given up after two seconds. */
static void
a_fork_server_stopped_amid_a_fork_leaves_no_child(void **state)
{
	writ_request request = walled("exit 7");
	pid_t child = 0;

	(void)state;
	const pid_t pid = stop_amid_a_fork(&child);
	expect_code(&request, 7);
	assert_false(is_our_child(child));
	assert_false(is_our_child(pid));
	for (int i = 0; i < RUNS; i++)
		expect_code(&request, 7);
}

/* The engine ends, and nobody asks for the child any more. */
static void
an_engine_that_ends_leaves_no_child_either(void **state)
{
	pid_t child = 0;

	(void)state;
	const pid_t pid = stop_amid_a_fork(&child);
	assert_int_equal(kill(pid, SIGKILL), 0);
	w_fork_server_stop(runner.launcher.sandbox_cache.first);
	assert_false(is_our_child(child));
	assert_false(is_our_child(pid));
}

/* The pid may be somebody else's by now. */
static void
a_child_that_the_host_has_reaped_is_nobodys(void **state)
{
	pid_t child = 0;

	(void)state;
	const pid_t pid = stop_amid_a_fork(&child);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, __WALL), child);
	assert_int_equal(kill(pid, SIGKILL), 0);
	w_fork_server_stop(runner.launcher.sandbox_cache.first);
	assert_false(is_our_child(pid));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(a_fork_server_killed_amid_a_fork_leaves_no_child),
	    RUNNING(a_fork_server_stopped_amid_a_fork_leaves_no_child),
	    RUNNING(an_engine_that_ends_leaves_no_child_either),
	    RUNNING(a_child_that_the_host_has_reaped_is_nobodys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
