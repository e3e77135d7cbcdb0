/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/cgroup.h"
#include "os/file.h"

static int parent_fd = -1;
static int group_fd = -1;
static char name[64];

/* Skips where this user may not create groups. */
static void
need_group(void)
{
	parent_fd = w_cgroup_open_own();
	if (parent_fd < 0) {
		(void)fprintf(stderr, "no version 2 hierarchy here\n");
		skip();
	}
	(void)snprintf(name, sizeof(name), "writ-test.%d", (int)getpid());
	group_fd = w_cgroup_make(parent_fd, name);
	if (group_fd < 0) {
		(void)fprintf(stderr, "no group can be made here\n");
		(void)close(parent_fd);
		skip();
	}
}

static void
drop_group(void)
{
	for (int i = 0; i < 1000 && w_cgroup_populated(group_fd) > 0; i++)
		(void)usleep(1000);
	(void)close(group_fd);
	assert_int_equal(unlinkat(parent_fd, name, AT_REMOVEDIR), 0);
	(void)close(parent_fd);
}

/* A child in the group that waits to be killed. */
static pid_t
fork_member(void)
{
	int ends[2];
	char byte;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)w_file_write_at(group_fd, "cgroup.procs", "0");
		(void)!write(ends[1], "x", 1);
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	(void)close(ends[0]);
	(void)close(ends[1]);
	return pid;
}

static void
a_new_group_is_empty(void **state)
{
	struct w_pids pids = {0};

	(void)state;
	need_group();
	assert_int_equal(w_cgroup_populated(group_fd), 0);
	assert_true(w_cgroup_pids(group_fd, &pids));
	assert_int_equal(pids.count, 0);
	w_pids_done(&pids);
	drop_group();
}

static void
a_group_cannot_be_made_twice(void **state)
{
	(void)state;
	need_group();
	assert_int_equal(w_cgroup_make(parent_fd, name), -1);
	assert_int_equal(errno, EEXIST);
	drop_group();
}

static void
members_are_listed_and_killed(void **state)
{
	struct w_pids pids = {0};
	int status;

	(void)state;
	need_group();
	pid_t one = fork_member();
	pid_t two = fork_member();
	assert_int_equal(w_cgroup_populated(group_fd), 1);
	assert_true(w_cgroup_pids(group_fd, &pids));
	assert_int_equal(pids.count, 2);
	w_pids_done(&pids);

	assert_int_equal(w_cgroup_kill(group_fd), 0);
	assert_int_equal(waitpid(one, &status, 0), one);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(waitpid(two, &status, 0), two);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	drop_group();
}

static void
the_events_file_tells_of_the_last_one_leaving(void **state)
{
	struct pollfd change = {.events = POLLPRI};
	char text[256];

	(void)state;
	need_group();
	pid_t member = fork_member();
	change.fd = w_cgroup_open_events(group_fd);
	assert_true(change.fd >= 0);
	assert_true(read(change.fd, text, sizeof(text)) > 0);
	assert_int_equal(kill(member, SIGKILL), 0);
	assert_int_equal(waitpid(member, NULL, 0), member);
	assert_int_equal(poll(&change, 1, 10000), 1);
	assert_int_equal(w_cgroup_populated(group_fd), 0);
	(void)close(change.fd);
	drop_group();
}

static void
signals_go_by_whole_names(void **state)
{
	char part[64];
	int status;

	(void)state;
	need_group();
	pid_t member = fork_member();
	(void)snprintf(part, sizeof(part), "%.10s", name);
	w_cgroup_signal(group_fd, part, SIGKILL);
	w_cgroup_signal(group_fd, name + 1, SIGKILL);
	assert_int_equal(waitpid(member, NULL, WNOHANG), 0);
	w_cgroup_signal(group_fd, name, SIGTERM);
	assert_int_equal(waitpid(member, &status, 0), member);
	assert_int_equal(WTERMSIG(status), SIGTERM);
	drop_group();
}

static void
a_group_that_is_gone_is_not_taken_for_an_empty_one(void **state)
{
	(void)state;
	need_group();
	assert_int_equal(unlinkat(parent_fd, name, AT_REMOVEDIR), 0);
	assert_true(w_cgroup_populated(group_fd) < 0);
	assert_int_not_equal(w_cgroup_kill(group_fd), 0);
	assert_int_equal(w_cgroup_open_events(group_fd), -1);
	(void)close(group_fd);
	(void)close(parent_fd);
}

static void
what_is_no_group_is_an_error_not_an_answer(void **state)
{
	struct w_pids pids = {0};
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(w_cgroup_populated(fd), -ENOENT);
	assert_false(w_cgroup_pids(fd, &pids));
	assert_int_equal(w_cgroup_kill(fd), ENOENT);
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_new_group_is_empty),
	    cmocka_unit_test(a_group_cannot_be_made_twice),
	    cmocka_unit_test(members_are_listed_and_killed),
	    cmocka_unit_test(the_events_file_tells_of_the_last_one_leaving),
	    cmocka_unit_test(signals_go_by_whole_names),
	    cmocka_unit_test(
		a_group_that_is_gone_is_not_taken_for_an_empty_one),
	    cmocka_unit_test(what_is_no_group_is_an_error_not_an_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
