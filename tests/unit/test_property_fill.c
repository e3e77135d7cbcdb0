/* SPDX-License-Identifier: Apache-2.0 */

/* Filling in: texts, lists, variables, commands. */

#include "applying.h"

static void
what_fills_a_variable_has_to_be_one(void **state)
{
	(void)state;
	apply("data: {none: '', name: FOO}\n" RESOURCES(
	    "  - exec: {name: a, command: /bin/true, environment: [\"{{ "
	    "Data.name }}\"]}\n"
	    "  - exec: {name: b, command: /bin/true, environment: [\"{{ "
	    "Data.none }}=x\"]}\n"
	    "  - exec: {name: c, command: /bin/true, environment: [\"FOO={{ "
	    "Data.none }}\"]}\n"));
	assert_verdicts("failed", "failed", "changed");
	assert_non_null(strstr(error_of(0), "missing '='"));
	assert_non_null(strstr(error_of(1), "empty key"));
}

static void
an_empty_command_is_refused(void **state)
{
	(void)state;
	apply("data: {none: ''}\n" RESOURCES(
	    "  - exec: {name: a, argv: [\"{{ Data.none }}\"]}\n"
	    "  - exec: {name: b, command: /bin/true, onlyif: [[\"{{ Data.none "
	    "}}\"]]}\n"));
	assert_verdicts("failed", "failed");
	for (size_t i = 0; i < 2; i++)
		assert_non_null(strstr(error_of(i), "no command specified"));
}

static void
every_property_that_is_deferred_is_filled_in(void **state)
{
	(void)state;
	apply("data: {dir: '@', one: one, two: two}\n" RESOURCES(
	    "  - exec: {name: a, cwd: '{{ Data.dir }}', command: 'touch {{ "
	    "Data.one }}', creates: '{{ Data.one }}'}\n"
	    "  - exec: {name: b, cwd: '{{ Data.dir }}', command: 'rm {{ "
	    "Data.one }}', removes: '{{ Data.dir }}/{{ Data.one }}', onlyif: "
	    "'test -e {{ Data.one }}', unless: 'test -e {{ Data.two }}'}\n"));
	assert_verdicts("changed", "changed");
	assert_false(exists("one"));
}

static void
a_directory_has_to_be_absolute(void **state)
{
	(void)state;
	apply("data: {dir: tmp}\n" RESOURCES(
	    "  - exec: {name: a, command: /bin/true, cwd: '{{ Data.dir "
	    "}}'}\n"));
	assert_verdicts("failed");
	assert_non_null(strstr(error_of(0), "absolute"));
}

static void
errors_are_placed_in_the_manifest(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /bin/true, creates: \"{{ "
			"lookup('environ.no') }}\"}\n"
			"  - exec:\n"
			"      name: b\n"
			"      command: /bin/true\n"
			"      stdin: '{{ 1 / (Environ.NOPE ?? 0) }}'\n"));
	assert_verdicts("failed", "failed");
	assert_non_null(strstr(error_of(0), "m.yaml:3:"));
	assert_non_null(strstr(error_of(1), "m.yaml:7:"));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(what_fills_a_variable_has_to_be_one),
	    TEST(an_empty_command_is_refused),
	    TEST(every_property_that_is_deferred_is_filled_in),
	    TEST(a_directory_has_to_be_absolute),
	    TEST(errors_are_placed_in_the_manifest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
