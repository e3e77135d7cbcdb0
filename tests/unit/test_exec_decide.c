/* SPDX-License-Identifier: Apache-2.0 */

/* Whether an exec runs, and which condition decided. Guards create a file,
 * which shows whether they ran. */

#include "applying.h"

#define ASKED "sh -c 'touch @/asked; exit "

static void
without_a_reason_not_to_it_runs_each_time(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		applying_again();
		apply(RESOURCES("  - exec: {name: /bin/true}\n"));
		assert_verdicts("changed");
		assert_null(said(0, "/decided_by"));
	}
}

static void
what_is_created_already_is_left_alone(void **state)
{
	(void)state;
	make_file("there", "");
	apply(RESOURCES("  - exec: {name: /usr/bin/touch @/ran, creates: "
			"'@/there'}\n"));
	assert_verdicts("stable");
	assert_false(exists("ran"));
	assert_true(is_set(0, "/status/creates_satisfied"));
	assert_true(is_set(0, "/status/stable"));
	assert_non_null(strstr(text_of(0, "/decided_by"), "creates '/"));
	assert_int_equal(yyjson_arr_size(said(0, "/run_ids")), 0);
}

static void
all_that_it_creates_has_to_be_there(void **state)
{
	(void)state;
	make_file("one", "");
	apply(RESOURCES("  - exec: {name: /usr/bin/touch @/two, creates: "
			"['@/one', '@/two']}\n"));
	assert_verdicts("changed");
	applying_again();
	apply(RESOURCES("  - exec: {name: /usr/bin/touch @/two, creates: "
			"['@/one', '@/two']}\n"));
	assert_verdicts("stable");
}

static void
with_nothing_to_remove_it_does_not_run(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: rm @/old, removes: "
			"['@/older', '@/old']}\n"));
	assert_verdicts("stable");
	assert_non_null(strstr(text_of(0, "/decided_by"), "removes '/"));
	make_file("old", "");
	applying_again();
	apply(RESOURCES("  - exec: {name: a, command: rm @/old, removes: "
			"['@/older', '@/old']}\n"));
	assert_verdicts("changed");
	assert_false(exists("old"));
}

static void
onlyif_has_to_succeed(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /usr/bin/touch @/a, onlyif: "
	    "/bin/false}\n"
	    "  - exec: {name: b, command: /usr/bin/touch @/b, onlyif: "
	    "/bin/true}\n"));
	assert_verdicts("stable", "changed");
	assert_false(exists("a"));
	assert_true(exists("b"));
	assert_string_equal(text_of(0, "/decided_by"), "onlyif '/bin/false'");
	assert_int_equal(yyjson_arr_size(said(0, "/run_ids")), 1);
	assert_int_equal(yyjson_arr_size(said(1, "/run_ids")), 2);
	assert_null(said(0, "/status/onlyif_satisfied"));
	assert_null(said(1, "/status/onlyif_satisfied"));
}

static void
unless_has_to_fail(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /usr/bin/touch @/a, unless: "
	    "/bin/true}\n"
	    "  - exec: {name: b, command: /usr/bin/touch @/b, unless: "
	    "/bin/false}\n"));
	assert_verdicts("stable", "changed");
	assert_string_equal(text_of(0, "/decided_by"), "unless '/bin/true'");
	assert_true(is_set(0, "/status/unless_satisfied"));
}

static void
of_several_guards_each_has_its_say(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, onlyif: [/bin/true, "
	    "/bin/false]}\n"
	    "  - exec: {name: b, command: /bin/true, unless: [/bin/false, "
	    "/bin/true]}\n"
	    "  - exec: {name: c, command: /bin/true, onlyif: [/bin/true, "
	    "/bin/true], unless: [/bin/false]}\n"));
	assert_verdicts("stable", "stable", "changed");
	assert_string_equal(text_of(0, "/decided_by"), "onlyif '/bin/false'");
	assert_string_equal(text_of(1, "/decided_by"), "unless '/bin/true'");
	assert_int_equal(yyjson_arr_size(said(2, "/run_ids")), 4);
}

static void
what_is_settled_is_not_asked_about_any_more(void **state)
{
	(void)state;
	make_file("there", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, creates: '@/there', "
	    "onlyif: \"" ASKED "0'\"}\n"
	    "  - exec: {name: b, command: /bin/true, refreshonly: true, "
	    "unless: \"" ASKED "1'\"}\n"
	    "  - exec: {name: c, command: /bin/true, onlyif: /bin/false, "
	    "unless: \"" ASKED "1'\"}\n"));
	assert_verdicts("stable", "stable", "stable");
	assert_false(exists("asked"));
	assert_string_equal(text_of(1, "/decided_by"), "refreshonly");
}

static void
a_change_of_what_it_subscribes_to_makes_it_run(void **state)
{
	(void)state;
	make_file("there", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true}\n"
	    "  - exec: {name: b, command: /usr/bin/touch @/b, refreshonly: "
	    "true, subscribe: [exec#a]}\n"
	    "  - exec: {name: c, command: /usr/bin/touch @/c, creates: "
	    "'@/there', onlyif: \"" ASKED "1'\", subscribe: [exec#a]}\n"));
	assert_verdicts("changed", "refreshed", "refreshed");
	assert_true(exists("b"));
	assert_true(exists("c"));
	assert_false(exists("asked"));
	assert_true(is_set(1, "/changed"));
	assert_string_equal(text_of(1, "/decided_by"), "subscribe exec#a");
}

static void
without_a_change_it_is_as_without_a_subscription(void **state)
{
	(void)state;
	make_file("there", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, creates: '@/there'}\n"
	    "  - exec: {name: b, command: /bin/true, refreshonly: true, "
	    "subscribe: [exec#a]}\n"
	    "  - exec: {name: c, command: /bin/true, subscribe: "
	    "[exec#a]}\n"));
	assert_verdicts("stable", "stable", "changed");
	assert_false(is_set(2, "/refreshed"));
}

static void
what_failed_refreshes_nothing(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /bin/false}\n"
			"  - exec: {name: b, command: /bin/true, refresh_only: "
			"true, subscribe: [exec#a]}\n"));
	assert_verdicts("failed", "stable");
}

static void
the_first_that_changed_is_named_by_its_alias_too(void **state)
{
	(void)state;
	make_file("there", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, creates: '@/there'}\n"
	    "  - exec: {name: b, alias: bee, command: /bin/true}\n"
	    "  - exec: {name: c, command: /bin/true, refreshonly: true, "
	    "subscribe: [exec#a, exec#bee]}\n"));
	assert_verdicts("stable", "changed", "refreshed");
	assert_string_equal(text_of(2, "/decided_by"), "subscribe exec#bee");
}

static void
a_session_that_knows_nothing_of_it_fails_the_resource(void **state)
{
	(void)state;
	applying.knows_all = true;
	apply(RESOURCES("  - exec: {name: a, command: /usr/bin/touch @/a, "
			"subscribe: [file#/etc/x]}\n"
			"  - exec: {name: b, command: /usr/bin/touch @/a, "
			"require: [file#/etc/x]}\n"));
	assert_verdicts("failed", "failed");
	assert_string_equal(error_of(0), "no events found for file#/etc/x");
	assert_string_equal(error_of(1), "no events found for file#/etc/x");
	assert_false(exists("a"));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(without_a_reason_not_to_it_runs_each_time),
	    TEST(what_is_created_already_is_left_alone),
	    TEST(all_that_it_creates_has_to_be_there),
	    TEST(with_nothing_to_remove_it_does_not_run),
	    TEST(onlyif_has_to_succeed),
	    TEST(unless_has_to_fail),
	    TEST(of_several_guards_each_has_its_say),
	    TEST(what_is_settled_is_not_asked_about_any_more),
	    TEST(a_change_of_what_it_subscribes_to_makes_it_run),
	    TEST(without_a_change_it_is_as_without_a_subscription),
	    TEST(what_failed_refreshes_nothing),
	    TEST(a_session_that_knows_nothing_of_it_fails_the_resource),
	    TEST(the_first_that_changed_is_named_by_its_alias_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
