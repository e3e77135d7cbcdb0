/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
operators_bind_as_documented(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "1 + 2 * 3", .json = "7"},
	    {.text = "(1 + 2) * 3", .json = "9"},
	    {.text = "10 - 2 - 3", .json = "5"},
	    {.text = "12 / 3 / 2", .json = "2"},
	    {.text = "-2 + 3", .json = "1"},
	    {.text = "- -2", .json = "2"},
	    {.text = "!true || true", .json = "true"},
	    {.text = "not true or true", .json = "true"},
	    {.text = "not 1 == 2", .json = "true"},
	    {.text = "1 < 2 && 2 < 3", .json = "true"},
	    {.text = "true || false && false", .json = "true"},
	    {.text = "1 + 1 == 2 and 2 in [2]", .json = "true"},
	    {.text = "Data.x ?? 1 + 2", .json = "3"},
	    {.text = "1 + Data.x ?? 2", .json = "3"},
	    {.text = "null ?? null ?? 3", .json = "3"},
	    {.text = "true ? 1 : false ? 2 : 3", .json = "1"},
	    {.text = "false ? 1 : false ? 2 : 3", .json = "3"},
	    {.text = "true ? false ? 1 : 2 : 3", .json = "2"},
	    {.text = "true ?.5 : 1", .json = "0.5"},
	    {.text = "3 not in [1, 2]", .json = "true"},
	    {.text = "'ab' contains 'b' == true", .json = "true"},
	    {.text = "not (1 in [1])", .json = "false"},
	    {.text = "-Data.port", .json = "-8080"},
	    {.text = "not not true", .json = "true"},
	};
	EXPRESSING_CHECK(cases);
}

static void
values_are_piped_into_functions(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "'a b' | upper", .json = "\"A B\""},
	    {.text = "'a b' | upper() | split(' ')", .json = "[\"A\",\"B\"]"},
	    {.text = "[1, 2, 3] | filter(# > 1) | len", .json = "2"},
	    {.text = "1 + 1 | string", .json = "\"2\""},
	    {"'a' | 1", NULL, "unexpected '1' where a function should be", 7,
		NULL},
	    {"'a' | uper", NULL, "unknown function 'uper'", 7,
		"did you mean 'upper'?"},
	};
	EXPRESSING_CHECK(cases);
}

static void
unfinished_expressions_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"1 ?", NULL, "the expression ends where a value should be", 4,
		NULL},
	    {"true ? 1", NULL, "the expression ends where ':' should be", 9,
		NULL},
	    {"true ? 1 : ", NULL, "the expression ends where a value should be",
		12, NULL},
	    {"1 not 2", NULL, "unexpected '2' where 'in' should be", 7, NULL},
	    {"(1", NULL, "the expression ends where ')' should be", 3, NULL},
	    {"1)", NULL, "unexpected ')' where an operator should be", 2, NULL},
	    {"&& 1", NULL, "unexpected '&&' where a value should be", 1, NULL},
	    {"1 not + 2", NULL, "unexpected '+' where 'in' should be", 7, NULL},
	    {"1 = 2", NULL, "unexpected '=' where an operator should be", 3,
		"compare with '=='"},
	    {"'a' matches '['", NULL,
		"not a regular expression: the class is not closed "
		"(character 1)",
		13, NULL},
	    {"let x = 1", NULL, "the expression ends where ';' should be", 10,
		NULL},
	    {"let = 1; 2", NULL, "unexpected '=' where a name should be", 5,
		NULL},
	    {"let Data = 1; 2", NULL, "'Data' cannot be the name of a value", 5,
		NULL},
	    {"let x = x; x", NULL, "unknown name 'x'", 9, NULL},
	    {"(let x = 1; x) + x", NULL, "unknown name 'x'", 18, NULL},
	    {"if true {1}", NULL, "the expression ends where 'else' should be",
		12, NULL},
	    {"if true 1 else 2", NULL, "unexpected '1' where '{' should be", 9,
		NULL},
	    {"[1][1:2", NULL, "the expression ends where ']' should be", 8,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(operators_bind_as_documented),
	    cmocka_unit_test(values_are_piped_into_functions),
	    cmocka_unit_test(unfinished_expressions_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
