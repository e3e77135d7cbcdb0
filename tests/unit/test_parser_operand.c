/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressing.h"

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
calls_are_checked_when_they_are_read(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"upper('a', 'b')", NULL, "upper() takes 1 argument, not 2", 1,
		NULL},
	    {"1 + split('a')", NULL, "split() takes 2 arguments, not 1", 5,
		NULL},
	    {"lookup()", NULL, "lookup() takes 1 to 2 arguments, not 0", 1,
		NULL},
	    {"any(Data.hosts)", NULL, "any() takes 2 arguments, not 1", 1,
		NULL},
	    {"any()", NULL, "any() takes 2 arguments, not 0", 1, NULL},
	    {"nosuchthing(1)", NULL, "unknown function 'nosuchthing'", 1, ""},
	    {"matches('a', 'b')", NULL, "unknown function 'matches'", 1,
		"use contains, startsWith or endsWith"},
	    {"upper 'a'", NULL, "unknown name 'upper'", 1, NULL},
	    {"upper('a'", NULL,
		"the expression ends where ',' or ')' should be", 10, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
predicates_may_have_braces(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "all([1, 2], {# > 0})", .json = "true"},
	    {.text = "map([1, 2], {{a: #}})", .json = "[{\"a\":1},{\"a\":2}]"},
	    {.text = "map([1], {a: #})", .json = "[{\"a\":1}]"},
	    {.text = "map([1], {})", .json = "[{}]"},
	    {"all([1], {# > 0)", NULL, "unexpected ')' where '}' should be", 16,
		NULL},
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
	    {"Data.", NULL,
		"the expression ends where the name of a member should be", 6,
		NULL},
	    {"Data.1", NULL, "unexpected '.1' where an operator should be", 5,
		NULL},
	    {"Data.'a'", NULL,
		"unexpected ''a'' where the name of a member should be", 6,
		NULL},
	    {"Data[1", NULL, "the expression ends where ']' should be", 7,
		NULL},
	    {".a", NULL, "unexpected '.' where a value should be", 1, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
depth_is_limited(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
	     "(((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))"
	     ")))))))))))))))))))))))))))))))",
		NULL, "the expression is nested more than 64 levels deep", 65,
		NULL},
	    {"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+"
	     "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+"
	     "1+1+1+1+1+1",
		NULL, "the expression is nested more than 64 levels deep", 128,
		NULL},
	    {.text = "((((((((((((((((((((((((((((((((((((((((((((((((((1))))))"
		     "))))))))))))))))))))))))))))))))))))))))))))",
		.json = "1"},
	    {.text = "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+"
		     "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+"
		     "1+1+1+1",
		.json = "60"},
	    {"!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"
	     "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"
	     "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"
	     "!!!!!true",
		NULL, "the expression is nested more than 64 levels deep", 128,
		NULL},
	    {"1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?"
	     "1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?"
	     "1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?"
	     "1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?"
	     "1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?"
	     "1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?1?"
	     "1?1?1?1?1?1?1?1?",
		NULL, "the expression is nested more than 64 levels deep", 255,
		NULL},
	    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	     "[[[[[",
		NULL, "the expression is nested more than 64 levels deep", 65,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(literals_lists_and_maps_are_read),
	    cmocka_unit_test(calls_are_checked_when_they_are_read),
	    cmocka_unit_test(predicates_may_have_braces),
	    cmocka_unit_test(wrong_parts_are_refused),
	    cmocka_unit_test(depth_is_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
