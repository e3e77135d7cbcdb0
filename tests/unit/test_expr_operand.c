/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
names_and_groups_are_read(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "null", .json = "null"},
	    {.text = "nil", .json = "null"},
	    {.text = "true", .json = "true"},
	    {.text = "(false)", .json = "false"},
	    {.text = "Data.name", .json = "\"web\""},
	    {.text = "Data['name']", .json = "\"web\""},
	    {"nulll", NULL, "unknown name 'nulll'", 1, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
wrong_accesses_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
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
	    cmocka_unit_test(names_and_groups_are_read),
	    cmocka_unit_test(wrong_accesses_are_refused),
	    cmocka_unit_test(depth_is_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
