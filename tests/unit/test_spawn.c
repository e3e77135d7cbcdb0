/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include "leftovers.h"
#include "os/file.h"
#include "run/launch/spawn.h"
#include "temp.h"

static struct temp temp;
static struct w_spawner spawner;
static int shell_fd = -1;
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	assert_int_equal(w_spawner_init(&spawner, NULL), WRIT_OK);
	shell_fd = open("/bin/sh", O_PATH | O_CLOEXEC);
	assert_int_equal(w_fd_raise(&shell_fd), 0);
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	int leaked = count_fds() != fds_before || has_child();
	(void)close(shell_fd);
	w_spawner_done(&spawner);
	temp_close(&temp);
	return leaked ? -1 : 0;
}

static char *no_env[] = {(char[]){"PATH=/usr/bin:/bin"}, NULL};

/* A plan for /bin/sh -c SCRIPT; argv is the caller's storage. */
static struct w_child_plan
plan_of(char *script, char *argv[4])
{
	static char name[] = "sh", option[] = "-c";

	argv[0] = name;
	argv[1] = option;
	argv[2] = script;
	argv[3] = NULL;
	return (struct w_child_plan){
	    .program_fd = shell_fd,
	    .argv = argv,
	    .envp = no_env,
	    .cwd_fd = -1,
	    .stdio = {-1, -1, -1},
	    .umask = -1,
	};
}

static int
spawn(struct w_child_plan *plan, struct w_child *out_child)
{
	const struct w_spawn start = {.plan = plan};

	return w_spawn(&spawner, &start, out_child);
}

static struct w_child_exit
reap_when_ended(struct w_child *child)
{
	struct pollfd end = {.fd = child->pidfd, .events = POLLIN};
	struct w_child_exit ended;

	assert_int_equal(poll(&end, 1, 30000), 1);
	w_child_reap(child, &ended);
	assert_int_equal(child->pidfd, -1);
	return ended;
}

static struct w_child_exit
run(struct w_child_plan *plan)
{
	struct w_child child;

	assert_int_equal(spawn(plan, &child), 0);
	assert_int_equal(fcntl(child.pidfd, F_GETFD), FD_CLOEXEC);
	return reap_when_ended(&child);
}

/* Runs the plan with a pipe as standard output and reads all of it. */
static void
run_for_output(struct w_child_plan *plan, char *out, size_t size)
{
	struct w_child child;
	int read_end, write_end;
	size_t len = 0;
	ssize_t n;

	assert_int_equal(w_fd_pipe(&read_end, &write_end, 0), 0);
	plan->stdio[1] = write_end;
	assert_int_equal(spawn(plan, &child), 0);
	(void)close(write_end);
	while ((n = read(read_end, out + len, size - 1 - len)) > 0)
		len += (size_t)n;
	out[len] = '\0';
	(void)close(read_end);
	(void)reap_when_ended(&child);
}

static void
the_exit_status_is_known(void **state)
{
	char script[] = "exit 7", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	struct w_child_exit ended = run(&plan);
	assert_true(ended.is_known);
	assert_true(WIFEXITED(ended.status));
	assert_int_equal(WEXITSTATUS(ended.status), 7);
	assert_true(ended.max_rss_kib > 0);
}

static void
the_signal_is_known(void **state)
{
	char script[] = "kill -USR1 $$", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	struct w_child_exit ended = run(&plan);
	assert_true(WIFSIGNALED(ended.status));
	assert_int_equal(WTERMSIG(ended.status), SIGUSR1);
}

static void
processor_time_is_measured(void **state)
{
	char script[] = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
	char *argv[4];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	struct w_child_exit ended = run(&plan);
	assert_true(ended.user_us + ended.system_us > 1000);
}

static void
only_the_given_descriptors_reach_the_program(void **state)
{
	char script[] =
	    "for f in /proc/$$/fd/*; do printf '%s ' ${f##*/}; done";
	char out[256], *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	int open_too = fcntl(temp.fd, F_DUPFD, 40);
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)state;
	assert_int_equal(w_fd_raise(&null_fd), 0);
	plan.stdio[0] = null_fd;
	plan.stdio[2] = null_fd;
	run_for_output(&plan, out, sizeof(out));
	/* A shell may open a descriptor of its own to read the directory. */
	assert_int_equal(strncmp(out, "0 1 2 ", 6), 0);
	assert_null(strstr(out, "40"));
	(void)close(open_too);
	(void)close(null_fd);
}

static void
signals_are_as_a_fresh_login_has_them(void **state)
{
	char script[] = "grep -E '^Sig(Blk|Ign|Pnd)' /proc/self/status",
	     *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	sigset_t some, saved, after;
	char out[256];

	(void)state;
	(void)sigemptyset(&some);
	(void)sigaddset(&some, SIGUSR2);
	(void)sigprocmask(SIG_BLOCK, &some, &saved);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGCHLD, SIG_IGN);
	(void)signal(SIGCHLD, SIG_DFL);
	run_for_output(&plan, out, sizeof(out));
	(void)signal(SIGPIPE, SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, &saved, &after);
	assert_true(sigismember(&after, SIGUSR2));
	assert_false(sigismember(&after, SIGTERM));
	assert_string_equal(out, "SigPnd:\t0000000000000000\n"
				 "SigBlk:\t0000000000000000\n"
				 "SigIgn:\t0000000000000000\n");
}

static void
the_child_leads_a_session_of_its_own(void **state)
{
	char script[] = "read -r pid comm state ppid pgrp sid rest "
			"</proc/$$/stat; echo $((pid == sid && pid == pgrp))";
	char out[64], *argv[4];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	run_for_output(&plan, out, sizeof(out));
	assert_string_equal(out, "1\n");
}

static void
directory_umask_and_limits_are_set(void **state)
{
	char script[] = "pwd; umask; ulimit -n; ulimit -c", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	char out[512], wanted[512];
	int cwd_fd = fcntl(temp.fd, F_DUPFD_CLOEXEC, W_FD_SAFE);

	(void)state;
	plan.cwd_fd = cwd_fd;
	plan.umask = 027;
	plan.limits[0] = (struct w_child_limit){RLIMIT_NOFILE, 99, 99};
	plan.limits[1] = (struct w_child_limit){RLIMIT_CORE, 0, 0};
	plan.limit_count = 2;
	run_for_output(&plan, out, sizeof(out));
	(void)snprintf(wanted, sizeof(wanted), "%s\n0027\n99\n0\n", temp.path);
	assert_string_equal(out, wanted);
	(void)close(cwd_fd);
}

static void
niceness_is_added(void **state)
{
	char script[] = "nice", out[32], wanted[32], *argv[4];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	errno = 0;
	int now = getpriority(PRIO_PROCESS, 0);
	plan.nice = 5;
	run_for_output(&plan, out, sizeof(out));
	(void)snprintf(
	    wanted, sizeof(wanted), "%d\n", now + 5 > 19 ? 19 : now + 5);
	assert_string_equal(out, wanted);
}

static void
expect_step(struct w_child_plan *plan, enum w_step step, int error)
{
	struct w_child child = {.pid = 4711};

	assert_int_equal(spawn(plan, &child), error);
	assert_int_equal(plan->failed_step, step);
	assert_int_equal(plan->failed_errno, error);
	assert_int_equal(child.pid, 4711);
	assert_false(has_child());
}

static void
a_failed_step_is_named_and_leaves_no_child(void **state)
{
	char script[] = "exit 0", *argv[4];
	int file_fd;

	(void)state;
	temp_file(&temp, "file", 0600, "x");
	file_fd = openat(temp.fd, "file", O_PATH | O_CLOEXEC);
	assert_int_equal(w_fd_raise(&file_fd), 0);

	struct w_child_plan plan = plan_of(script, argv);
	plan.cwd_fd = file_fd;
	expect_step(&plan, W_STEP_CWD, ENOTDIR);
	plan = plan_of(script, argv);
	plan.stdio[2] = 9999;
	expect_step(&plan, W_STEP_STDIO, EBADF);
	plan = plan_of(script, argv);
	plan.limits[0] = (struct w_child_limit){9999, 0, 0};
	plan.limit_count = 1;
	expect_step(&plan, W_STEP_LIMITS, EINVAL);
	plan = plan_of(script, argv);
	plan.program_fd = file_fd;
	expect_step(&plan, W_STEP_EXEC, EACCES);
	(void)close(file_fd);
}

static void
a_file_that_is_no_program_is_an_exec_failure(void **state)
{
	char script[] = "exit 0", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	temp_file(&temp, "text", 0755, "exit 0\n");
	plan.program_fd = openat(temp.fd, "text", O_PATH | O_CLOEXEC);
	assert_int_equal(w_fd_raise(&plan.program_fd), 0);
	expect_step(&plan, W_STEP_EXEC, ENOEXEC);
	(void)close(plan.program_fd);
}

static void
a_script_that_was_swapped_is_not_executed(void **state)
{
	char script[] = "exit 0", *argv[4], path[512];
	struct w_child_plan plan = plan_of(script, argv);

	(void)state;
	temp_file(&temp, "s", 0755, "#!/bin/sh\nexit 3\n");
	(void)snprintf(path, sizeof(path), "%s/s", temp.path);
	plan.program_fd = openat(temp.fd, "s", O_PATH | O_CLOEXEC);
	assert_int_equal(w_fd_raise(&plan.program_fd), 0);
	plan.path = path;
	assert_int_equal(WEXITSTATUS(run(&plan).status), 3);

	assert_int_equal(renameat(temp.fd, "s", temp.fd, "old"), 0);
	expect_step(&plan, W_STEP_PROGRAM, ENOENT);
	temp_file(&temp, "s", 0755, "#!/bin/sh\nexit 4\n");
	expect_step(&plan, W_STEP_PROGRAM, ESTALE);
	(void)close(plan.program_fd);
}

static void
a_program_that_stays_busy_fails_in_the_end(void **state)
{
	char script[] = "exit 0", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	static char image[1 << 20];

	(void)state;
	int from = open("/bin/true", O_RDONLY | O_CLOEXEC);
	ssize_t len = read(from, image, sizeof(image));
	assert_true(len > 0);
	(void)close(from);
	temp_bytes(&temp, "true", 0755, image, (size_t)len);
	plan.program_fd = openat(temp.fd, "true", O_PATH | O_CLOEXEC);
	assert_int_equal(w_fd_raise(&plan.program_fd), 0);
	int writer = openat(temp.fd, "true", O_WRONLY | O_CLOEXEC);
	assert_true(writer >= 0);

	/* Recent kernels let such a program run. */
	struct w_child child;
	int error = spawn(&plan, &child);
	if (error == 0)
		(void)reap_when_ended(&child);
	else
		assert_int_equal(error, ETXTBSY);
	(void)close(writer);
	assert_int_equal(WEXITSTATUS(run(&plan).status), 0);
	(void)close(plan.program_fd);
}

static void
a_refused_clone_is_no_step(void **state)
{
	char script[] = "exit 0", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	const struct w_spawn start = {
	    .plan = &plan, .flags = CLONE_INTO_CGROUP, .group_fd = temp.fd};
	struct w_child child;

	(void)state;
	assert_int_equal(w_spawn(&spawner, &start, &child), EBADF);
	assert_int_equal(plan.failed_errno, 0);
}

static void
a_stolen_status_is_right_or_unknown(void **state)
{
	char script[] = "exit 9", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	struct w_child child;
	struct w_child_exit ended;

	(void)state;
	assert_int_equal(spawn(&plan, &child), 0);
	assert_int_equal(waitpid(child.pid, NULL, 0), child.pid);
	w_child_reap(&child, &ended);
	if (ended.is_known)
		assert_int_equal(WEXITSTATUS(ended.status), 9);
	assert_true(!ended.is_known || WIFEXITED(ended.status));
}

static void
killing_waits_for_the_end(void **state)
{
	char script[] = "trap '' TERM; while :; do sleep 300; done", *argv[4];
	struct w_child_plan plan = plan_of(script, argv);
	struct w_child child = {.pidfd = -1};

	(void)state;
	w_child_kill_and_reap(&child);
	assert_int_equal(spawn(&plan, &child), 0);
	pid_t group = child.pid;
	w_child_kill_and_reap(&child);
	assert_int_equal(child.pidfd, -1);
	assert_false(has_child());
	(void)kill(-group, SIGKILL);
}

#define SPAWNING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    SPAWNING(the_exit_status_is_known),
	    SPAWNING(the_signal_is_known),
	    SPAWNING(processor_time_is_measured),
	    SPAWNING(only_the_given_descriptors_reach_the_program),
	    SPAWNING(signals_are_as_a_fresh_login_has_them),
	    SPAWNING(the_child_leads_a_session_of_its_own),
	    SPAWNING(directory_umask_and_limits_are_set),
	    SPAWNING(niceness_is_added),
	    SPAWNING(a_failed_step_is_named_and_leaves_no_child),
	    SPAWNING(a_file_that_is_no_program_is_an_exec_failure),
	    SPAWNING(a_script_that_was_swapped_is_not_executed),
	    SPAWNING(a_program_that_stays_busy_fails_in_the_end),
	    SPAWNING(a_refused_clone_is_no_step),
	    SPAWNING(a_stolen_status_is_right_or_unknown),
	    SPAWNING(killing_waits_for_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
