/* SPDX-License-Identifier: Apache-2.0 */

/* --only. */

#include "applying.h"

#define THREE                                                             \
	RESOURCES("  - exec: {name: a, command: /bin/false}\n"            \
		  "  - exec: {name: b, alias: bee, command: /bin/true, "  \
		  "require: [exec#a]}\n"                                  \
		  "  - exec: {name: c, command: /bin/true, refreshonly: " \
		  "true, subscribe: [exec#b]}\n")

static void
only_what_is_named_is_applied(void **state)
{
	static const char *const only[] = {"exec#a", "exec#c", NULL};

	(void)state;
	applying.options.only = only;
	apply(THREE);
	assert_verdicts("failed", "stable");
	assert_string_equal(text_of(1, "/name"), "c");
}

static void
an_alias_will_do_and_what_it_requires_is_not_asked_about(void **state)
{
	static const char *const only[] = {"exec#bee", NULL};

	(void)state;
	applying.options.only = only;
	apply(THREE);
	assert_verdicts("changed");
	assert_string_equal(text_of(0, "/name"), "b");
}

static void
what_nobody_is_called_is_refused_before_anything_runs(void **state)
{
	static const char *const unknown[] = {"exec#a", "exec#d", NULL};
	static const char *const no_type[] = {"b", NULL};
	writ_error err = {0};

	(void)state;
	applying.options.only = unknown;
	assert_int_equal(try_apply(THREE, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "'exec#d'"));
	applying.options.only = no_type;
	assert_int_equal(try_apply(THREE, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.suggestion, "exec#b"));
	assert_int_equal(applying.count, 0);
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(only_what_is_named_is_applied),
	    TEST(an_alias_will_do_and_what_it_requires_is_not_asked_about),
	    TEST(what_nobody_is_called_is_refused_before_anything_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
