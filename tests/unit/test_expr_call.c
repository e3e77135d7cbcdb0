/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

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
	    {"reduce([1], #, 0, 1)", NULL,
		"reduce() takes 2 to 3 arguments, not 4", 1, NULL},
	    {"reduce([1], # + #acc, #)", NULL,
		"unexpected '#' where a value should be", 23, NULL},
	    {"any()", NULL, "any() takes 2 arguments, not 0", 1, NULL},
	    {"nosuchthing(1)", NULL, "unknown function 'nosuchthing'", 1, ""},
	    {"matches('a', 'b')", NULL, "unknown function 'matches'", 1,
		"write 'text matches pattern'"},
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls_are_checked_when_they_are_read),
	    cmocka_unit_test(predicates_may_have_braces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
