/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>

#include "trail_maker.h"

static struct temp temp;
static struct maker maker;
static writ_audit *audit;
static pid_t child;

static int
set_up(void **state)
{
	struct timespec now;

	(void)state;
	temp_open(&temp);
	maker_start(&maker, &temp);
	assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
	maker.time_us = (uint64_t)now.tv_sec * 1000000;
	audit = maker_open(&temp, false);
	child = 0;
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	if (child > 0) {
		(void)kill(child, SIGKILL);
		(void)waitpid(child, NULL, 0);
	}
	writ_audit_free(audit);
	temp_close(&temp);
	return 0;
}

/* Reads its signals as `writ run` does; after the wanted number exits with
 * their count. */
static void
start_child(int wanted)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct signalfd_siginfo info;
		sigset_t set;
		int count = 0;

		(void)sigemptyset(&set);
		(void)sigaddset(&set, SIGTERM);
		(void)sigprocmask(SIG_BLOCK, &set, NULL);
		int fd = signalfd(-1, &set, SFD_CLOEXEC);
		(void)!write(ready[1], "x", 1);
		while (count < wanted &&
		       read(fd, &info, sizeof(info)) == sizeof(info))
			count++;
		_exit(count);
	}
	assert_int_equal(close(ready[1]), 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(close(ready[0]), 0);
}

static int
exit_of_child(void)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
a_run_of_the_command_line_gets_one_signal(void **state)
{
	writ_error err = {0};

	(void)state;
	start_child(1);
	const struct made_run run = {.run = "A1", .pid = child};
	maker_begin(&maker, &run);
	assert_int_equal(writ_audit_kill(audit, "A1", false, &err), WRIT_OK);
	assert_int_equal(exit_of_child(), 1);
}

static void
to_end_it_now_is_two_signals(void **state)
{
	writ_error err = {0};

	(void)state;
	start_child(2);
	const struct made_run run = {.run = "A1", .pid = child};
	maker_begin(&maker, &run);
	assert_int_equal(writ_audit_kill(audit, "A1", true, &err), WRIT_OK);
	assert_int_equal(exit_of_child(), 2);
}

static void
what_does_not_run_cannot_be_ended(void **state)
{
	const struct made_run gone = {.run = "B2"};
	const struct made_run elsewhere = {.run = "C3", .pidns = 1};
	static const char *const ids[] = {"A1", "B2", "C3", "D4"};
	writ_error err;

	(void)state;
	maker_ran(&maker, "A1", 0);
	maker_begin(&maker, &gone);
	maker_begin(&maker, &elsewhere);
	maker_refused(&maker, "D4");
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		assert_int_equal(writ_audit_kill(audit, ids[i], false, &err),
		    WRIT_E_INVALID);
	assert_int_equal(
	    writ_audit_kill(audit, "Z9", false, &err), WRIT_E_NOTFOUND);
}

static void
a_run_of_another_program_is_left_to_it(void **state)
{
	char payload[512];
	writ_error err = {0};

	(void)state;
	start_child(1);
	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"begin\",\"run\":\"%s\",\"who\":{\"uid\":0,\"pid\":%d,"
	    "\"pidns\":%" PRIu64 ",\"door\":\"library\",\"agent\":null}",
	    maker_run_id("A1"), (int)child, maker_pidns());
	maker_add(&maker, payload);
	assert_int_equal(
	    writ_audit_kill(audit, "A1", false, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "library"));
	assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
}

static void
a_process_that_came_later_is_not_touched(void **state)
{
	writ_error err;

	(void)state;
	start_child(1);
	const struct made_run run = {.run = "A1", .pid = child};
	maker.time_us -= UINT64_C(3600000000);
	maker_begin(&maker, &run);
	assert_int_equal(
	    writ_audit_kill(audit, "A1", false, &err), WRIT_E_INVALID);
	assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
}

/* Like a process that got a writer's pid while the clock was wrong. */
static void
a_process_that_has_not_the_trail_open_is_not_touched(void **state)
{
	writ_error err = {0};

	(void)state;
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)close_range(3, ~0U, 0);
		for (;;)
			(void)pause();
	}
	/* Until it has released everything. */
	char path[48];
	(void)snprintf(path, sizeof(path), "/proc/%d/fd/3", (int)child);
	for (int i = 0; i < 5000 && access(path, F_OK) == 0; i++)
		(void)usleep(1000);
	const struct made_run run = {.run = "A1", .pid = child};
	maker_begin(&maker, &run);
	assert_int_equal(
	    writ_audit_kill(audit, "A1", false, &err), WRIT_E_INVALID);
	assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
}

/* ---- wait ---- */

static void
what_has_ended_is_over_at_once(void **state)
{
	bool is_over = false;

	(void)state;
	maker_ran(&maker, "A1", 0);
	assert_int_equal(
	    writ_audit_wait(audit, "A1", -1, &is_over, NULL), WRIT_OK);
	assert_true(is_over);
}

static void
what_goes_on_is_waited_for_in_vain(void **state)
{
	bool is_over = true;

	(void)state;
	start_child(1);
	const struct made_run run = {.run = "A1", .pid = child};
	maker_begin(&maker, &run);
	assert_int_equal(
	    writ_audit_wait(audit, "A1", 0, &is_over, NULL), WRIT_OK);
	assert_false(is_over);
	assert_int_equal(
	    writ_audit_wait(audit, "A1", 60, &is_over, NULL), WRIT_OK);
	assert_false(is_over);
}

static void
the_end_of_its_process_is_its_end(void **state)
{
	bool is_over = false;

	(void)state;
	start_child(1);
	const struct made_run run = {.run = "A1", .pid = child};
	maker_begin(&maker, &run);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(
	    writ_audit_wait(audit, "A1", -1, &is_over, NULL), WRIT_OK);
	assert_true(is_over);
}

static void
the_end_in_the_trail_is_its_end(void **state)
{
	bool is_over = false;
	const struct made_run run = {.run = "A1", .pid = getpid()};

	(void)state;
	maker_begin(&maker, &run);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		maker_end(&maker, "A1", "exited", 0);
		_exit(0);
	}
	assert_int_equal(
	    writ_audit_wait(audit, "A1", -1, &is_over, NULL), WRIT_OK);
	assert_true(is_over);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_run_of_the_command_line_gets_one_signal),
	    CASE(to_end_it_now_is_two_signals),
	    CASE(what_does_not_run_cannot_be_ended),
	    CASE(a_run_of_another_program_is_left_to_it),
	    CASE(a_process_that_came_later_is_not_touched),
	    CASE(a_process_that_has_not_the_trail_open_is_not_touched),
	    CASE(what_has_ended_is_over_at_once),
	    CASE(what_goes_on_is_waited_for_in_vain),
	    CASE(the_end_of_its_process_is_its_end),
	    CASE(the_end_in_the_trail_is_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
