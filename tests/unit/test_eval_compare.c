/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
values_are_compared(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "1 == 1", .json = "true"},
	    {.text = "1 == 1.0", .json = "true"},
	    {.text = "1 == '1'", .json = "false"},
	    {.text = "1 != 2", .json = "true"},
	    {.text = "null == null", .json = "true"},
	    {.text = "null == false", .json = "false"},
	    {.text = "'a' == 'a'", .json = "true"},
	    {.text = "[1, 'a'] == [1.0, 'a']", .json = "true"},
	    {.text = "[1] == [1, 2]", .json = "false"},
	    {.text = "{a: 1, b: 2} == {b: 2, a: 1}", .json = "true"},
	    {.text = "{a: 1} == {a: 2}", .json = "false"},
	    {.text = "{a: 1} == {b: 1}", .json = "false"},
	    {.text = "true != false", .json = "true"},
	    {.text = "1 < 2", .json = "true"},
	    {.text = "2 <= 2", .json = "true"},
	    {.text = "2 > 2.5", .json = "false"},
	    {.text = "2.5 >= 2", .json = "true"},
	    {.text = "'a' < 'b'", .json = "true"},
	    {.text = "'a' < 'aa'", .json = "true"},
	    {.text = "'b' >= 'a'", .json = "true"},
	    {.text = "'' < 'a'", .json = "true"},
	    {.text = "9007199254740993 == 9007199254740992.0", .json = "false"},
	    {.text = "9007199254740993 > 9007199254740992.0", .json = "true"},
	    {.text = "9223372036854775807 < 1e19", .json = "true"},
	    {.text = "-1e19 < -9223372036854775808", .json = "true"},
	};
	EXPRESSING_CHECK(cases);
}

static void
parts_are_found(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "2 in [1, 2.0]", .json = "true"},
	    {.text = "3 in [1, 2]", .json = "false"},
	    {.text = "'a' in {a: 1}", .json = "true"},
	    {.text = "'b' not in {a: 1}", .json = "true"},
	    {.text = "[1] in [[1]]", .json = "true"},
	    {.text = "'abc' contains 'bc'", .json = "true"},
	    {.text = "'abc' contains ''", .json = "true"},
	    {.text = "'abc' startsWith 'ab'", .json = "true"},
	    {.text = "'abc' endsWith 'bc'", .json = "true"},
	    {.text = "'a' startsWith 'ab'", .json = "false"},
	    {.text = "'a' endsWith 'ba'", .json = "false"},
	};
	EXPRESSING_CHECK(cases);
}

static void
wrong_kinds_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"1 < 'a'", NULL,
		"a whole number and a string have no order: two numbers or two "
		"strings do",
		3, NULL},
	    {"null > 1", NULL,
		"null and a whole number have no order: two numbers or two "
		"strings do",
		6, NULL},
	    {"'a' in 'abc'", NULL,
		"'in' looks for a string in a list, or for a name in a map, "
		"not in a string",
		5, "write 'text contains part' for strings"},
	    {"1 in {}", NULL,
		"'in' looks for a whole number in a list, or for a name in a "
		"map, not in a map",
		3, NULL},
	    {"['a'] contains 'a'", NULL,
		"both sides of it must be strings, and are a list and a string",
		7, "write 'x in list' for lists"},
	    {"'a' startsWith 1", NULL,
		"both sides of it must be strings, and are a string and a "
		"whole number",
		5, NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_compared),
	    cmocka_unit_test(parts_are_found),
	    cmocka_unit_test(wrong_kinds_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
