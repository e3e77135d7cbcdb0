/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
literals_lists_and_maps_are_read(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "null", .json = "null"},
	    {.text = "nil", .json = "null"},
	    {.text = "true", .json = "true"},
	    {.text = "false", .json = "false"},
	    {.text = "[]", .json = "[]"},
	    {.text = "{}", .json = "{}"},
	    {.text = "[1, [2, {a: 'b'}]]", .json = "[1,[2,{\"a\":\"b\"}]]"},
	    {.text = "{'a b': 1, c: 2,}", .json = "{\"a b\":1,\"c\":2}"},
	    {.text = "{in: 1, true: 2}", .json = "{\"in\":1,\"true\":2}"},
	};
	EXPRESSING_CHECK(cases);
}

static void
wrong_parts_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"[1 2]", NULL, "unexpected '2' where ',' or ']' should be", 4,
		NULL},
	    {"{1: 2}", NULL,
		"unexpected '1' where the name of a member should be", 2, NULL},
	    {"{a 1}", NULL, "unexpected '1' where ':' should be", 4, NULL},
	    {"{a: 1, a: 2}", NULL, "the member 'a' is there twice", 8, NULL},
	    {"{a: 1", NULL, "the expression ends where ',' or '}' should be", 6,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(literals_lists_and_maps_are_read),
	    cmocka_unit_test(wrong_parts_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
