/* SPDX-License-Identifier: Apache-2.0 */

/* The loop over resources. */

#include "applying.h"

static void
resources_are_applied_in_the_order_of_the_file(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: c, provider: shell, command: 'echo c >>@/o'}\n"
	    "  - exec:\n"
	    "    - defaults: {provider: shell}\n"
	    "    - a: {command: 'echo a >>@/o'}\n"
	    "    - b: {command: 'echo b >>@/o'}\n"));
	assert_verdicts("changed", "changed", "changed");
	assert_string_equal(file_text("o"), "c\na\nb\n");
	assert_string_equal(text_of(1, "/name"), "a");
	assert_false(applying.result.is_interrupted);
	assert_false(applying.result.is_cut_short);
}

static void
a_failure_ends_it_only_where_that_is_wanted(void **state)
{
	(void)state;
	apply("ccm:\n  fail_on_error: true\n  resources:\n"
	      "  - exec: {name: a, command: /bin/false}\n"
	      "  - exec: {name: b, command: /usr/bin/touch @/b}\n");
	assert_verdicts("failed");
	assert_true(applying.result.is_cut_short);
	assert_false(exists("b"));
}

static void
what_has_its_event_is_passed_over(void **state)
{
	static const char text[] =
	    RESOURCES("  - exec: {name: a, provider: shell, command: 'echo a "
		      ">>@/o'}\n"
		      "  - exec: {name: b, provider: shell, command: 'echo b "
		      ">>@/o'}\n");

	(void)state;
	apply(text);
	assert_int_equal(applying.count, 2);
	apply(text);
	assert_int_equal(applying.count, 2);
	assert_string_equal(file_text("o"), "a\nb\n");
}

static void
files_and_execs_see_each_other(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - file: {name: '@/conf', ensure: present, content: \"a\\n\", "
	    "owner: root, group: root, mode: '0644'}\n"
	    "  - exec: {name: reload, command: /usr/bin/touch @/reloaded, "
	    "refreshonly: true, subscribe: ['file#@/conf']}\n"));
	if (geteuid() != 0)
		skip();
	assert_verdicts("changed", "refreshed");
	assert_string_equal(file_text("conf"), "a\n");
	assert_true(exists("reloaded"));
	applying_again();
	apply(RESOURCES(
	    "  - file: {name: '@/conf', ensure: present, content: \"a\\n\", "
	    "owner: root, group: root, mode: '0644'}\n"
	    "  - exec: {name: reload, command: /usr/bin/touch @/reloaded, "
	    "refreshonly: true, subscribe: ['file#@/conf']}\n"));
	assert_verdicts("stable", "stable");
}

static void
what_the_policy_denies_fails_with_the_rule(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	make_file("policy.yaml", "version: 1\nsandbox: none\n"
				 "agents: {manifest: {}}\nrules:\n"
				 "  - deny: {program: touch}\n"
				 "  - allow: {}\n");
	(void)setenv(
	    "WRIT_POLICY", temp_path(&applying.temp, "policy.yaml"), 1);
	writ_engine_free(applying.engine);
	assert_int_equal(
	    writ_engine_new(&options, &applying.engine, NULL), WRIT_OK);
	apply(RESOURCES("  - exec: {name: /usr/bin/touch @/a}\n"
			"  - exec: {name: /bin/true}\n"));
	assert_verdicts("failed", "changed");
	assert_false(exists("a"));
	assert_non_null(strstr(error_of(0), "touch"));
	assert_non_null(strstr(error_of(0), "policy.yaml:5"));
}

static void
durations_and_ids_are_there(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: sleep 0.05}\n"));
	assert_verdicts("changed");
	assert_true(number_of(0, "/duration") > 50000000);
	assert_int_equal(strlen(text_of(0, "/event_id")), 27);
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(resources_are_applied_in_the_order_of_the_file),
	    TEST(a_failure_ends_it_only_where_that_is_wanted),
	    TEST(what_has_its_event_is_passed_over),
	    TEST(files_and_execs_see_each_other),
	    TEST(what_the_policy_denies_fails_with_the_rule),
	    TEST(durations_and_ids_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
