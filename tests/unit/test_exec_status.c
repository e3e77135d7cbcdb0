/* SPDX-License-Identifier: Apache-2.0 */

/* The state of an exec in its event. */

#include "applying.h"

static void
a_state_has_what_it_is_about(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/true}\n"));
	assert_string_equal(text_of(0, "/status/protocol"),
	    "io.choria.ccm.v1.resource.exec.state");
	assert_string_equal(text_of(0, "/status/type"), "exec");
	assert_string_equal(text_of(0, "/status/name"), "/bin/true");
	assert_string_equal(text_of(0, "/status/ensure"), "present");
	assert_int_equal(strlen(text_of(0, "/status/timestamp")), 27);
	assert_true(is_set(0, "/status/changed"));
	assert_false(is_set(0, "/status/stable"));
	assert_false(is_set(0, "/status/noop"));
	assert_null(said(0, "/status/outcome"));
	assert_null(said(0, "/status/stdout"));
	assert_null(said(0, "/tries"));
}

static void
guards_that_held_are_told_while_it_did_not_run(void **state)
{
	(void)state;
	applying.options.noop = true;
	apply(RESOURCES("  - exec: {name: a, command: /bin/true, refreshonly: "
			"true}\n"
			"  - exec: {name: b, command: /bin/true, creates: "
			"/bin/true}\n"));
	assert_null(said(0, "/status/creates_satisfied"));
	assert_true(is_set(1, "/status/creates_satisfied"));
	assert_true(is_set(1, "/status/noop"));
	assert_null(said(1, "/status/exitcode"));
}

static void
a_failure_keeps_the_end_of_its_output(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'seq 10000; echo "
	    "why >&2; exit 2'}\n"));
	assert_verdicts("failed");
	const char *out = text_of(0, "/status/stdout");
	assert_in_range(strlen(out), 4000, 4096);
	assert_string_equal(out + strlen(out) - 6, "10000\n");
	assert_string_equal(text_of(0, "/status/stderr"), "why\n");
	assert_int_equal(number_of(0, "/status/exitcode"), 2);
}

static void
absent_is_noted_and_changes_nothing(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/true, ensure: absent}\n"));
	assert_verdicts("changed");
	assert_string_equal(text_of(0, "/requested_ensure"), "absent");
	assert_string_equal(text_of(0, "/final_ensure"), "present");
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_state_has_what_it_is_about),
	    TEST(guards_that_held_are_told_while_it_did_not_run),
	    TEST(a_failure_keeps_the_end_of_its_output),
	    TEST(absent_is_noted_and_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
