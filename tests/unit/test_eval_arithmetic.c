/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
numbers_are_computed(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "1 + 2", .json = "3"},
	    {.text = "5 - 7", .json = "-2"},
	    {.text = "6 * 7", .json = "42"},
	    {.text = "6 / 3", .json = "2"},
	    {.text = "7 / 2", .json = "3.5"},
	    {.text = "-7 / 2", .json = "-3.5"},
	    {.text = "7 % 3", .json = "1"},
	    {.text = "-7 % 3", .json = "-1"},
	    {.text = "1 + 0.5", .json = "1.5"},
	    {.text = "0.1 + 0.2", .json = "0.30000000000000004"},
	    {.text = "3.0 * 2", .json = "6.0"},
	    {.text = "-(1.5)", .json = "-1.5"},
	    {.text = "1.5 - 1.5", .json = "0.0"},
	    {.text = "5 / 2.0", .json = "2.5"},
	    {.text = "9223372036854775807 + 0", .json = "9223372036854775807"},
	    {.text = "-9223372036854775808 % -1", .json = "0"},
	    {.text = "-9223372036854775807 - 1",
		.json = "-9223372036854775808"},
	};
	EXPRESSING_CHECK(cases);
}

static void
strings_and_lists_are_joined(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "'a' + 'b' + ''", .json = "\"ab\""},
	    {.text = "[1] + [] + ['a']", .json = "[1,\"a\"]"},
	    {.text = "[] + []", .json = "[]"},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_does_not_fit_is_an_error(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"9223372036854775807 + 1", NULL,
		"the result is too large a number", 21, NULL},
	    {"-9223372036854775808 - 1", NULL,
		"the result is too large a number", 22, NULL},
	    {"9223372036854775807 * 2", NULL,
		"the result is too large a number", 21, NULL},
	    {"-9223372036854775808 / -1", NULL,
		"the result is too large a number", 22, NULL},
	    {"-(-9223372036854775808)", NULL,
		"the result is too large a number", 1, NULL},
	    {"1e308 * 10", NULL, "the result is too large a number", 7, NULL},
	    {"1 / 0", NULL, "division by zero", 3, NULL},
	    {"1 % 0", NULL, "division by zero", 3, NULL},
	    {"1.5 / 0", NULL, "division by zero", 5, NULL},
	    {"1 / 0.0", NULL, "division by zero", 3, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
wrong_kinds_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"1 + 'a'", NULL, "'+' cannot take a whole number and a string", 3,
		"string(x) makes a string, int(x) a number"},
	    {"'a' - 'b'", NULL, "'-' cannot take a string and a string", 5,
		NULL},
	    {"1.5 % 2", NULL, "'%' cannot take a number and a whole number", 5,
		NULL},
	    {"null + 1", NULL, "'+' cannot take null and a whole number", 6,
		NULL},
	    {"{} * []", NULL, "'*' cannot take a map and a list", 4, NULL},
	    {"-'a'", NULL, "'-' comes before a number, not a string", 1, NULL},
	    {"true / false", NULL,
		"'/' cannot take true or false and true or false", 6, NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_computed),
	    cmocka_unit_test(strings_and_lists_are_joined),
	    cmocka_unit_test(what_does_not_fit_is_an_error),
	    cmocka_unit_test(wrong_kinds_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
