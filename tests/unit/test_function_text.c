/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
texts_are_changed(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "upper('aBcé')", .json = "\"ABCé\""},
	    {.text = "lower('aBc[')", .json = "\"abc[\""},
	    {.text = "trim('  a b\\n')", .json = "\"a b\""},
	    {.text = "trim('')", .json = "\"\""},
	    {.text = "trim('   ')", .json = "\"\""},
	    {.text = "split('a,b,,c', ',')",
		.json = "[\"a\",\"b\",\"\",\"c\"]"},
	    {.text = "split('', ',')", .json = "[\"\"]"},
	    {.text = "split('ab', 'ab')", .json = "[\"\",\"\"]"},
	    {.text = "join(['a', 1, 2.5, true], '-')",
		.json = "\"a-1-2.5-true\""},
	    {.text = "join(['a', 'b'])", .json = "\"ab\""},
	    {.text = "join([], ',')", .json = "\"\""},
	    {.text = "replace('aXbX', 'X', '--')", .json = "\"a--b--\""},
	    {.text = "replace('abc', 'x', 'y')", .json = "\"abc\""},
	    {.text = "replace('aaa', 'aa', 'b')", .json = "\"ba\""},
	    {.text = "replace('abc', 'b', '')", .json = "\"ac\""},
	};
	EXPRESSING_CHECK(cases);
}

static void
others_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"split('a', '')", NULL, "split() cannot look for an empty string",
		12, NULL},
	    {"replace('a', '', 'b')", NULL,
		"replace() cannot look for an empty string", 14, NULL},
	    {"join([[]], ',')", NULL,
		"join() wants strings and numbers, not a list", 1, NULL},
	    {"join([null])", NULL, "join() wants strings and numbers, not null",
		1, NULL},
	    {"join('a')", NULL, "join() wants a list here, not a string", 6,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_are_changed),
	    cmocka_unit_test(others_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
