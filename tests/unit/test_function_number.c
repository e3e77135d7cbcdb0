/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
numbers_are_worked_on(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "abs(-5)", .json = "5"},
	    {.text = "abs(5)", .json = "5"},
	    {.text = "abs(-1.5)", .json = "1.5"},
	    {.text = "round(2.5)", .json = "3"},
	    {.text = "round(-2.5)", .json = "-3"},
	    {.text = "round(2.4)", .json = "2"},
	    {.text = "round(7)", .json = "7"},
	    {.text = "round(0.49999999999999994)", .json = "0"},
	    {.text = "min(3, 1, 2)", .json = "1"},
	    {.text = "max([3, 1, 2.5])", .json = "3"},
	    {.text = "min(1, 1.0)", .json = "1"},
	    {.text = "max(5)", .json = "5"},
	    {.text = "round(1e15 + 0.4)", .json = "1000000000000000"},
	};
	EXPRESSING_CHECK(cases);
}

static void
others_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"abs('a')", NULL, "abs() wants numbers, not a string", 1, NULL},
	    {"round(null)", NULL, "round() wants numbers, not null", 1, NULL},
	    {"min([])", NULL, "min() of an empty list", 1, NULL},
	    {"max([1, 'a'])", NULL, "max() wants numbers, not a string", 1,
		NULL},
	    {"abs(-9223372036854775808)", NULL,
		"the result is too large a number", 1, NULL},
	    {"round(1e19)", NULL, "the result is too large a number", 1, NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_worked_on),
	    cmocka_unit_test(others_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
