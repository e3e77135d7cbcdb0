/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
escapes_stand_for_characters(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "'a'", .json = "\"a\""},
	    {.text = "\"a\"", .json = "\"a\""},
	    {.text = "`a\\n`", .json = "\"a\\\\n\""},
	    {.text = "'a\\nb\\t'", .json = "\"a\\nb\\t\""},
	    {.text = "'\\\\'", .json = "\"\\\\\""},
	    {.text = "'it\\'s'", .json = "\"it's\""},
	    {.text = "\"\\\"\"", .json = "\"\\\"\""},
	    {.text = "'\\u0041\\u00e9'", .json = "\"Aé\""},
	    {.text = "'\\u{1f600}\\u{41}'", .json = "\"😀A\""},
	    {.text = "'€'", .json = "\"€\""},
	    {.text = "''", .json = "\"\""},
	    {.text = "'\\u20ac\\u{7ff}'", .json = "\"€߿\""},
	    {.text = "'\\/'", .json = "\"/\""},
	    {.text = "'two\nlines'", .json = "\"two\\nlines\""},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_is_no_escape_is_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"'abc", NULL, "this quote is never closed", 1, NULL},
	    {"'abc\\'", NULL, "this quote is never closed", 1, NULL},
	    {"1 + `a", NULL, "this quote is never closed", 5, NULL},
	    {"'a\\d'", NULL, "no such escape in a string", 3,
		"write \\\\ for a backslash, or `...` around the string"},
	    {"'\\u12'", NULL, "no such escape in a string", 2, NULL},
	    {"'\\u0000'", NULL, "no such escape in a string", 2, NULL},
	    {"'\\ud800'", NULL, "no such escape in a string", 2, NULL},
	    {"'\\u{110000}'", NULL, "no such escape in a string", 2, NULL},
	    {"'\\u{'", NULL, "no such escape in a string", 2, NULL},
	    {"'\\u{}'", NULL, "no such escape in a string", 2, NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(escapes_stand_for_characters),
	    cmocka_unit_test(what_is_no_escape_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
