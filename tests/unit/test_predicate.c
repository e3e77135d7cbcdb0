/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
lists_are_gone_through(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "all([1, 2], # > 0)", .json = "true"},
	    {.text = "all([], false)", .json = "true"},
	    {.text = "all([1, -1], # > 0)", .json = "false"},
	    {.text = "any([1, 2], # == 2)", .json = "true"},
	    {.text = "any([], true)", .json = "false"},
	    {.text = "none([1], # == 2)", .json = "true"},
	    {.text = "none([2], # == 2)", .json = "false"},
	    {.text = "one([1, 2], # == 2)", .json = "true"},
	    {.text = "one([2, 2], # == 2)", .json = "false"},
	    {.text = "count([1, 2, 3], # > 1)", .json = "2"},
	    {.text = "count([true, false, true])", .json = "2"},
	    {.text = "filter([1, 2, 3], # % 2 == 1)", .json = "[1,3]"},
	    {.text = "map([1, 2], # * 2)", .json = "[2,4]"},
	    {.text = "map(Data.users, .name)", .json = "[\"ann\",\"bob\"]"},
	    {.text = "filter(Data.users, .uid > 1000)[0].name",
		.json = "\"bob\""},
	    {.text = "map(Data.users, #.uid + 1)", .json = "[1001,1002]"},
	    {"any(Data.users, .nope?.x == 1)", NULL, "no member 'nope'", 17,
		NULL},
	    {.text = "map([[1, 2], [3]], map(#, # + 1))",
		.json = "[[2,3],[4]]"},
	    {.text = "map([[1, 2], [3]], len(#))", .json = "[2,1]"},
	    {.text = "filter([1, 2], any([2, 3], # == 2))", .json = "[1,2]"},
	    {.text = "any([1, 1 / 1], # == 1) || any([], 1 / 0 == 0)",
		.json = "true"},
	};
	EXPRESSING_CHECK(cases);
}

static void
predicates_are_true_or_false(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"any([1], #)", NULL,
		"any() wants true or false here, not a whole number", 1, NULL},
	    {"filter([1], 'a')", NULL,
		"filter() wants true or false here, not a string", 1, NULL},
	    {"count([1])", NULL,
		"count() wants true or false here, not a whole number", 1,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists_are_gone_through),
	    cmocka_unit_test(predicates_are_true_or_false),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
