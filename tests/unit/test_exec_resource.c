/* SPDX-License-Identifier: Apache-2.0 */

/* The exec resource as a whole: what runs when, and its event. */

#include "applying.h"

static void
a_command_that_succeeds_has_changed_something(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /usr/bin/touch @/made}\n"));
	assert_verdicts("changed");
	assert_true(exists("made"));
	assert_int_equal(number_of(0, "/status/exitcode"), 0);
	assert_string_equal(text_of(0, "/final_ensure"), "present");
	assert_string_equal(text_of(0, "/provider"), "posix");
	assert_int_equal(yyjson_arr_size(said(0, "/run_ids")), 1);
}

static void
a_command_that_fails_fails_its_resource(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/false}\n"
			"  - exec: {name: /usr/bin/touch @/after}\n"));
	assert_verdicts("failed", "changed");
	assert_string_equal(error_of(0),
	    "failed to reach desired state: exit code 1: exit code 1 not in "
	    "allowed returns [0]");
	assert_int_equal(number_of(0, "/status/exitcode"), 1);
	assert_true(is_set(0, "/changed"));
	assert_true(exists("after"));
}

static void
other_codes_may_be_allowed(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: sh -c 'exit 1', returns: [0, 1]}\n"
	    "  - exec: {name: b, command: sh -c 'exit 3', returns: [0, 1]}\n"
	    "  - exec: {name: c, command: /bin/true, returns: [7]}\n"));
	assert_verdicts("changed", "failed", "failed");
	assert_string_equal(error_of(1),
	    "failed to reach desired state: exit code 3: exit code 3 not in "
	    "allowed returns [0 1]");
}

static void
the_command_counts_and_not_the_name(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/false, "
			"command: /usr/bin/touch '@/a b'}\n"));
	assert_verdicts("changed");
	assert_true(exists("a b"));
}

static void
an_argv_is_taken_word_by_word(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, argv: [/usr/bin/touch, '@/a b', "
			"'@/$HOME']}\n"));
	assert_verdicts("changed");
	assert_true(exists("a b"));
	assert_true(exists("$HOME"));
}

static void
a_value_is_never_more_than_one_word(void **state)
{
	(void)state;
	apply("data: {name: 'x y; touch @/bad'}\n" RESOURCES(
	    "  - exec: {name: a, cwd: '@', command: "
	    "\"/usr/bin/touch -- {{ 'a b' }}\"}\n"
	    "  - exec: {name: b, cwd: '@', provider: shell, command: "
	    "\"echo {{ Data.name }} >out\"}\n"));
	assert_verdicts("changed", "changed");
	assert_true(exists("a b"));
	assert_false(exists("bad"));
	assert_string_not_equal(file_text("out"), "");
}

static void
the_shell_provider_has_pipes(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, "
			"command: 'echo hello | tr a-z A-Z >@/out'}\n"));
	assert_verdicts("changed");
	assert_string_equal(file_text("out"), "HELLO\n");
	assert_string_equal(text_of(0, "/provider"), "shell");
}

static void
programs_that_are_not_there_are_named(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /nonexistent/bin}\n"
			"  - exec: {name: no-such-program-here}\n"));
	assert_verdicts("failed", "failed");
	assert_non_null(strstr(error_of(0), "/nonexistent/bin"));
	assert_non_null(strstr(error_of(1), "no-such-program-here"));
	assert_null(said(0, "/status/exitcode"));
	assert_string_equal(text_of(0, "/final_ensure"), "");
}

static void
a_working_directory_that_is_not_there_is_named(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/true, cwd: '@/none'}\n"));
	assert_verdicts("failed");
	assert_non_null(strstr(error_of(0), "/none"));
}

static void
a_later_one_reads_what_an_earlier_one_made(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, "
			"command: 'printf one >@/word'}\n"
			"  - exec: {name: b, command: \"/usr/bin/touch @/${ "
			"file('@/word') }\"}\n"));
	assert_verdicts("changed", "changed");
	assert_true(exists("one"));
}

static void
an_expression_without_a_value_fails_its_resource_alone(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: \"/bin/echo {{ "
			"lookup('environ.none') }}\"}\n"
			"  - exec: {name: b, command: /bin/true}\n"));
	assert_verdicts("failed", "changed");
	assert_non_null(strstr(error_of(0), "m.yaml:3:"));
	assert_non_null(strstr(error_of(0), "environ.none"));
	assert_true(yyjson_is_null(said(0, "/status")));
}

/* ---- noop ---- */

static void
noop_says_what_it_would_do(void **state)
{
	(void)state;
	applying.options.noop = true;
	make_file("there", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /usr/bin/touch @/made}\n"
	    "  - exec: {name: b, command: /bin/false, refreshonly: true, "
	    "subscribe: [exec#a]}\n"
	    "  - exec: {name: c, command: /bin/false, creates: '@/there'}\n"));
	assert_verdicts("changed", "refreshed", "stable");
	assert_false(exists("made"));
	assert_string_equal(text_of(0, "/noop_message"), "Would have executed");
	assert_string_equal(
	    text_of(1, "/noop_message"), "Would have executed via subscribe");
	for (size_t i = 0; i < 3; i++)
		assert_true(is_set(i, "/noop"));
	assert_null(said(0, "/status/exitcode"));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_command_that_succeeds_has_changed_something),
	    TEST(a_command_that_fails_fails_its_resource),
	    TEST(other_codes_may_be_allowed),
	    TEST(the_command_counts_and_not_the_name),
	    TEST(an_argv_is_taken_word_by_word),
	    TEST(a_value_is_never_more_than_one_word),
	    TEST(the_shell_provider_has_pipes),
	    TEST(programs_that_are_not_there_are_named),
	    TEST(a_working_directory_that_is_not_there_is_named),
	    TEST(a_later_one_reads_what_an_earlier_one_made),
	    TEST(an_expression_without_a_value_fails_its_resource_alone),
	    TEST(noop_says_what_it_would_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
