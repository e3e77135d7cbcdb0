/* SPDX-License-Identifier: Apache-2.0 */

/* Running an exec: time, signals, tries, output, leftover processes. */

#include <time.h>

#include "applying.h"

static uint64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
time_runs_out_for_all_of_its_processes(void **state)
{
	const uint64_t begun = now_ms();

	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, timeout: 300ms, "
			"command: 'sleep 30 & sleep 30; exit 0'}\n"));
	assert_verdicts("failed");
	assert_string_equal(error_of(0), "timed out after 300ms");
	assert_string_equal(text_of(0, "/status/outcome"), "timed_out");
	assert_true(is_set(0, "/changed"));
	assert_in_range(now_ms() - begun, 300, 10000);
}

static void
a_signal_is_told_by_its_name(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'kill -9 $$'}\n"));
	assert_verdicts("failed");
	assert_string_equal(error_of(0), "killed by signal SIGKILL");
	assert_string_equal(text_of(0, "/status/signal"), "SIGKILL");
	assert_string_equal(text_of(0, "/status/outcome"), "signaled");
	assert_null(said(0, "/status/exitcode"));
}

static void
a_child_that_holds_the_pipe_does_not_hold_the_apply(void **state)
{
	const uint64_t begun = now_ms();

	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, command: 'sleep "
			"30 & echo hi', logoutput: true}\n"));
	assert_verdicts("changed");
	assert_true(now_ms() - begun < 10000);
	assert_string_equal(applying.output[0].data, "hi\n");
	assert_non_null(strstr(text_of(0, "/warnings/0"), "left running"));
}

/* ---- tries ---- */

#define COUNTING "echo x >>@/tries; test $(wc -l <@/tries) -ge 3"

static void
it_is_tried_until_it_succeeds(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, tries: 5, "
			"try_sleep: 1ms, command: '" COUNTING "'}\n"));
	assert_verdicts("changed");
	assert_string_equal(file_text("tries"), "x\nx\nx\n");
	assert_int_equal(number_of(0, "/tries"), 3);
	assert_int_equal(yyjson_arr_size(said(0, "/run_ids")), 3);
	assert_string_equal(
	    text_of(0, "/warnings/0"), "try 1 of 5: exit code 1");
}

static void
after_the_last_try_it_has_failed(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, tries: 2, "
			"command: '" COUNTING "'}\n"));
	assert_verdicts("failed");
	assert_string_equal(file_text("tries"), "x\nx\n");
	assert_int_equal(yyjson_arr_size(said(0, "/error")), 1);
}

static void
what_cannot_start_is_not_tried_again(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /nonexistent, tries: 3, try_sleep: "
			"1h}\n"));
	assert_verdicts("failed");
}

/* ---- desired state ---- */

static void
what_was_created_outranks_an_exit_code(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'touch @/a; exit "
	    "9', creates: '@/a'}\n"
	    "  - exec: {name: b, provider: shell, command: 'touch @/b; exit "
	    "9', creates: '@/b', returns: [0]}\n"
	    "  - exec: {name: c, provider: shell, command: 'exit 9', creates: "
	    "'@/c'}\n"));
	assert_verdicts("changed", "failed", "failed");
	assert_int_equal(number_of(0, "/status/exitcode"), 9);
	assert_string_equal(text_of(0, "/warnings/0"),
	    "exit code 9 although creates is satisfied");
}

static void
a_refresh_has_a_command_of_its_own(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true}\n"
	    "  - exec: {name: b, command: /usr/bin/touch @/b, refresh: "
	    "/usr/bin/touch @/again, subscribe: [exec#a]}\n"
	    "  - exec: {name: c, command: /usr/bin/touch @/c, refresh: "
	    "/bin/false}\n"));
	assert_verdicts("changed", "refreshed", "changed");
	assert_true(exists("again"));
	assert_false(exists("b"));
	assert_true(exists("c"));
}

/* ---- output ---- */

static void
output_is_shown_when_it_is_asked_for(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'echo out; echo "
	    "err >&2'}\n"));
	assert_int_equal(applying.output[0].len, 0);
	applying_again();
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'echo one; echo; echo two; echo err >&2; printf end'}\n"));
	assert_string_equal(applying.output[0].data, "one\n\ntwo\nend");
	assert_string_equal(applying.output[1].data, "err\n");
}

static void
output_of_a_failure_is_shown_when_that_is_asked_for(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: on_failure, "
	    "command: 'echo fine'}\n"
	    "  - exec: {name: b, provider: shell, logoutput: on_failure, "
	    "command: 'echo out; echo err >&2; exit 1'}\n"));
	assert_verdicts("changed", "failed");
	assert_string_equal(applying.output[0].data, "out\n");
	assert_string_equal(applying.output[1].data, "err\n");
	assert_string_equal(text_of(1, "/status/stderr"), "err\n");
	assert_null(said(0, "/status/stdout"));
}

static void
a_long_line_is_shown_whole(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'head -c 200000 /dev/zero | tr \"\\000\" x; echo; echo end'}\n"));
	assert_verdicts("changed");
	assert_int_equal(applying.output[0].len, 200005);
	assert_string_equal(applying.output[0].data + 200000, "\nend\n");
}

static void
any_bytes_are_shown_as_they_are(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'printf \"a\\000\\377b\"; exit 1'}\n"));
	assert_verdicts("failed");
	assert_int_equal(applying.output[0].len, 4);
	assert_memory_equal(applying.output[0].data,
	    "a\0\xff"
	    "b",
	    4);
	assert_string_equal(text_of(0, "/status/stdout/b64"), "YQD/Yg==");
}

static void
much_output_takes_little_memory(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, logoutput: "
			"on_failure, command: 'head -c 20000000 /dev/zero; "
			"exit 1'}\n"));
	assert_verdicts("failed");
	assert_in_range(applying.output[0].len, 1000, 200000);
	assert_true(yyjson_get_len(said(0, "/status/stdout")) <= 4096);
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(time_runs_out_for_all_of_its_processes),
	    TEST(a_signal_is_told_by_its_name),
	    TEST(a_child_that_holds_the_pipe_does_not_hold_the_apply),
	    TEST(it_is_tried_until_it_succeeds),
	    TEST(after_the_last_try_it_has_failed),
	    TEST(what_cannot_start_is_not_tried_again),
	    TEST(what_was_created_outranks_an_exit_code),
	    TEST(a_refresh_has_a_command_of_its_own),
	    TEST(output_is_shown_when_it_is_asked_for),
	    TEST(output_of_a_failure_is_shown_when_that_is_asked_for),
	    TEST(a_long_line_is_shown_whole),
	    TEST(any_bytes_are_shown_as_they_are),
	    TEST(much_output_takes_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
