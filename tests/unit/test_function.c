/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
a_wrong_argument_is_told_with_its_place(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"upper(1)", NULL,
		"upper() wants a string here, not a whole number", 7, NULL},
	    {"split('a', 1)", NULL,
		"split() wants a string here, not a whole number", 12, NULL},
	    {"keys([])", NULL, "keys() wants a map here, not a list", 6, NULL},
	    {"first('a')", NULL, "first() wants a list here, not a string", 7,
		NULL},
	    {"any('a', true)", NULL, "any() wants a list here, not a string", 5,
		NULL},
	    {"lookup(1)", NULL,
		"lookup() wants a string here, not a whole number", 8, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
a_misspelt_function_is_told(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"tojson(1)", NULL, "unknown function 'tojson'", 1,
		"did you mean 'toJSON'?"},
	    {"readfile('x')", NULL, "unknown function 'readfile'", 1,
		"did you mean 'readFile'?"},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_wrong_argument_is_told_with_its_place),
	    cmocka_unit_test(a_misspelt_function_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
