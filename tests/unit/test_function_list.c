/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
lengths_are_counted(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "len('abc')", .json = "3"},
	    {.text = "len('é€')", .json = "2"},
	    {.text = "len('')", .json = "0"},
	    {.text = "len([1, 2])", .json = "2"},
	    {.text = "len({a: 1})", .json = "1"},
	    {"len(1)", NULL, "a whole number has no length", 1, NULL},
	    {"len(null)", NULL, "null has no length", 1, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
parts_are_taken(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "keys({b: 1, a: 2})", .json = "[\"b\",\"a\"]"},
	    {.text = "values({b: 1, a: 2})", .json = "[1,2]"},
	    {.text = "keys({})", .json = "[]"},
	    {.text = "first([1, 2])", .json = "1"},
	    {.text = "last([1, 2])", .json = "2"},
	    {.text = "first([])", .json = "null"},
	    {.text = "last([])", .json = "null"},
	};
	EXPRESSING_CHECK(cases);
}

static void
lists_are_sorted(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "sort([3, 1, 2])", .json = "[1,2,3]"},
	    {.text = "sort(['b', 'a', 'aa', ''])",
		.json = "[\"\",\"a\",\"aa\",\"b\"]"},
	    {.text = "sort([1.5, 1])", .json = "[1,1.5]"},
	    {.text = "sort([])", .json = "[]"},
	    {"sort([1, 'a'])", NULL,
		"sort() wants numbers or strings alone, and there is a string",
		1, NULL},
	    {"sort([[]])", NULL,
		"sort() wants numbers or strings alone, and there is a list", 1,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
doubles_are_left_out(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "unique([1, 2, 1, 1.0, '1', 2])", .json = "[1,2,\"1\"]"},
	    {.text = "unique([])", .json = "[]"},
	    {.text = "unique([0, -0.0, 0.0])", .json = "[0]"},
	    {.text = "unique([[1], [1], {a: 1}, {a: 1}, null, null, true, "
		     "true])",
		.json = "[[1],{\"a\":1},null,true]"},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lengths_are_counted),
	    cmocka_unit_test(parts_are_taken),
	    cmocka_unit_test(lists_are_sorted),
	    cmocka_unit_test(doubles_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
