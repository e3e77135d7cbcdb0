/* SPDX-License-Identifier: Apache-2.0 */

/* Interrupting an apply. The command reports that it runs, which wakes the
 * caller. */

#include <sys/eventfd.h>

#include "applying.h"

static int wakes;
static int asked;
static bool wants_end = true;
static const char
    *listening; /* created by the command once it is ready; NULL: now */

static void
wake(void)
{
	const uint64_t one = 1;

	assert_int_equal(
	    write(applying.watch.wake_fd, &one, sizeof(one)), sizeof(one));
}

static bool
on_wake(void *ctx)
{
	uint64_t count;

	(void)ctx;
	asked++;
	if (read(applying.watch.wake_fd, &count, sizeof(count)) > 0)
		wakes++;
	if (asked == 6)
		make_file("looked", "");
	return wants_end && (listening == NULL || exists(listening));
}

/* Each line of output requests an interruption. */
static void
on_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	applying_on_output(ctx, stream, bytes, len);
	wake();
}

static int
set_up(void **state)
{
	applying_set_up(state);
	wakes = asked = 0;
	wants_end = true;
	listening = NULL;
	applying.watch.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	applying.watch.on_wake = on_wake;
	applying.watch.on_output = on_output;
	return 0;
}

static int
tear_down(void **state)
{
	(void)close(applying.watch.wake_fd);
	return applying_tear_down(state);
}

static void
the_command_is_told_to_stop_and_has_its_event(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, logoutput: true, "
			"command: 'trap \"touch @/told; exit 0\" TERM; echo "
			"ready; sleep 30 & wait'}\n"
			"  - exec: {name: b, command: /usr/bin/touch @/b}\n"));
	assert_true(applying.result.is_interrupted);
	assert_verdicts("failed");
	assert_true(is_set(0, "/interrupted"));
	assert_string_equal(error_of(0), "interrupted");
	assert_true(exists("told"));
	assert_false(exists("b"));
	assert_int_equal(wakes, 1);
}

static void
the_second_time_it_is_killed(void **state)
{
	(void)state;
	/* A shell may say that its sleep was terminated, as one line more. */
	apply(RESOURCES("  - exec: {name: a, provider: shell, logoutput: true, "
			"command: 'exec 2>/dev/null; trap \"echo again\" "
			"TERM; echo ready; while :; do sleep 0.1; done'}\n"));
	assert_true(applying.result.is_interrupted);
	assert_true(is_set(0, "/interrupted"));
	assert_int_equal(wakes, 2);
}

static void
a_wait_between_tries_is_cut_short(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, logoutput: true, "
			"tries: 3, try_sleep: 1h, command: 'printf x; exit "
			"1'}\n"));
	assert_true(applying.result.is_interrupted);
	assert_verdicts("failed");
	assert_true(is_set(0, "/interrupted"));
	assert_int_equal(yyjson_arr_size(said(0, "/run_ids")), 1);
}

static void
between_resources_nothing_more_is_begun(void **state)
{
	(void)state;
	wake();
	apply(RESOURCES("  - exec: {name: a, command: /usr/bin/touch @/a}\n"));
	assert_true(applying.result.is_interrupted);
	assert_int_equal(applying.count, 0);
	assert_false(exists("a"));
}

static void
who_only_looks_ends_nothing(void **state)
{
	(void)state;
	wants_end = false;
	applying.watch.tick_ms = 5;
	apply(RESOURCES("  - exec: {name: a, provider: shell, logoutput: true, "
			"command: 'echo one; until test -e @/looked; do sleep "
			"0.01; done; echo two'}\n"));
	assert_false(applying.result.is_interrupted);
	assert_verdicts("changed");
	assert_true(asked > 5);
}

static void
a_tick_that_says_so_again_does_not_kill(void **state)
{
	(void)state;
	listening = "on";
	applying.watch.tick_ms = 5;
	applying.watch.on_output = applying_on_output;
	apply(RESOURCES("  - exec: {name: a, provider: shell, command: 'trap "
			"\"sleep 0.1; touch @/left; exit 0\" TERM; touch @/on; "
			"while :; do sleep 0.01; done'}\n"));
	assert_true(applying.result.is_interrupted);
	assert_true(exists("left"));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(the_command_is_told_to_stop_and_has_its_event),
	    TEST(the_second_time_it_is_killed),
	    TEST(a_wait_between_tries_is_cut_short),
	    TEST(between_resources_nothing_more_is_begun),
	    TEST(who_only_looks_ends_nothing),
	    TEST(a_tick_that_says_so_again_does_not_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
