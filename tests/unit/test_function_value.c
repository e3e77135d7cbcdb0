/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
values_are_turned_into_others(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "string(1)", .json = "\"1\""},
	    {.text = "string(1.0)", .json = "\"1\""},
	    {.text = "string(1.5)", .json = "\"1.5\""},
	    {.text = "string(true)", .json = "\"true\""},
	    {.text = "string(null)", .json = "\"\""},
	    {.text = "string('a')", .json = "\"a\""},
	    {.text = "string([1, 'a'])", .json = "\"[1,\\\"a\\\"]\""},
	    {.text = "string({a: null})", .json = "\"{\\\"a\\\":null}\""},
	    {.text = "int('42')", .json = "42"},
	    {.text = "int('-7')", .json = "-7"},
	    {.text = "int('+7')", .json = "7"},
	    {.text = "int(2.9)", .json = "2"},
	    {.text = "int(-2.9)", .json = "-2"},
	    {.text = "int(5)", .json = "5"},
	    {.text = "float('1.5')", .json = "1.5"},
	    {.text = "float(2)", .json = "2.0"},
	    {.text = "float('1e3')", .json = "1000.0"},
	    {.text = "toJSON({a: [1, 'x']})",
		.json = "\"{\\\"a\\\":[1,\\\"x\\\"]}\""},
	    {.text = "toJSON('a')", .json = "\"\\\"a\\\"\""},
	    {.text = "toJSON(1.0)", .json = "\"1.0\""},
	    {.text = "fromJSON('{\"a\": [1, 2.5, null]}').a",
		.json = "[1,2.5,null]"},
	    {.text = "fromJSON(toJSON(Data.users))[1].name", .json = "\"bob\""},
	    {.text = "file('/there')", .json = "\"/there\""},
	    {.text = "readFile('/there')", .json = "\"/there\""},
	    {.text = "raw('a')", .json = "\"a\""},
	};
	EXPRESSING_CHECK(cases);
}

static void
a_default_is_for_what_is_missing_or_empty(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "default(Data.x, 1)", .json = "1"},
	    {.text = "default(Data.x.y, 1)", .json = "1"},
	    {.text = "default(Data.empty, 1)", .json = "1"},
	    {.text = "default(null, 1)", .json = "1"},
	    {.text = "default(0, 1)", .json = "0"},
	    {.text = "default(false, 1)", .json = "false"},
	    {.text = "default(Data.port, 1 / 0)", .json = "8080"},
	    {.text = "default(lookup('data.x'), 2)", .json = "2"},
	};
	EXPRESSING_CHECK(cases);
}

static void
others_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"int('4x')", NULL, "'4x' is not a whole number", 1, NULL},
	    {"int('')", NULL, "'' is not a whole number", 1, NULL},
	    {"int('99999999999999999999')", NULL,
		"'99999999999999999999' is not a whole number", 1, NULL},
	    {"int(1e30)", NULL, "a number is not a whole number that fits", 1,
		NULL},
	    {"int(null)", NULL, "null is not a whole number that fits", 1,
		NULL},
	    {"int(' 1')", NULL, "' 1' is not a whole number", 1, NULL},
	    {"float('inf')", NULL, "'inf' is not a number", 1, NULL},
	    {"float('1e999')", NULL, "'1e999' is not a number", 1, NULL},
	    {"float('0x1')", NULL, "'0x1' is not a number", 1, NULL},
	    {"file('/gone')", NULL, "cannot read '/gone': no such file", 1,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_turned_into_others),
	    cmocka_unit_test(a_default_is_for_what_is_missing_or_empty),
	    cmocka_unit_test(others_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
