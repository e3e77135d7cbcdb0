/* SPDX-License-Identifier: Apache-2.0 */

/* onlyif and unless: how they run. */

#include "applying.h"

static void
a_guard_runs_where_and_how_its_command_would(void **state)
{
	(void)state;
	make_file("here", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, cwd: '@', onlyif: test "
	    "-e here, environment: [FLAG=yes]}\n"
	    "  - exec: {name: b, provider: shell, command: 'true', "
	    "environment: [FLAG=yes], onlyif: 'test \"$FLAG\" = yes'}\n"
	    "  - exec: {name: c, command: /bin/true, onlyif: [[test, -e, '@/no "
	    "such']]}\n"));
	assert_verdicts("changed", "changed", "stable");
}

static void
a_guard_that_cannot_start_fails_the_resource(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /usr/bin/touch @/ran, "
			"onlyif: /nonexistent/guard}\n"
			"  - exec: {name: b, command: /usr/bin/touch @/ran, "
			"unless: /nonexistent/guard}\n"));
	assert_verdicts("failed", "failed");
	assert_non_null(strstr(error_of(0), "/nonexistent/guard"));
	assert_false(exists("ran"));
}

static void
a_guard_that_takes_too_long_fails_the_resource(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /usr/bin/touch @/ran, "
			"timeout: 200ms, onlyif: sleep 30}\n"));
	assert_verdicts("failed");
	assert_string_equal(
	    error_of(0), "onlyif 'sleep 30' timed out after 200ms");
	assert_false(exists("ran"));
}

static void
in_noop_a_guard_is_asked_but_changes_nothing(void **state)
{
	(void)state;
	applying.options.noop = true;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, onlyif: /bin/false}\n"
	    "  - exec: {name: b, command: /bin/true, onlyif: test -d @}\n"
	    "  - exec: {name: c, provider: shell, command: 'true', unless: "
	    "'touch @/written'}\n"));
	if (yyjson_arr_size(said(0, "/warnings")) > 0)
		skip(); /* no sandbox here: a warning, and the guard does not
			 * run */
	assert_verdicts("stable", "changed", "changed");
	assert_false(exists("written"));
	assert_string_equal(text_of(1, "/noop_message"), "Would have executed");
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_guard_runs_where_and_how_its_command_would),
	    TEST(a_guard_that_cannot_start_fails_the_resource),
	    TEST(a_guard_that_takes_too_long_fails_the_resource),
	    TEST(in_noop_a_guard_is_asked_but_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
