/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
paths_are_followed(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "lookup('data.port')", .json = "8080"},
	    {.text = "lookup('data.users.1.name')", .json = "\"bob\""},
	    {.text = "lookup('data.users.#')", .json = "2"},
	    {.text = "lookup('facts.a\\\\.b')", .json = "\"dotted\""},
	    {.text = "lookup('environ.HOME')", .json = "\"/root\""},
	    {.text = "lookup('facts.none')", .json = "null"},
	    {.text = "lookup('data.map')", .json = "{}"},
	    {.text = "lookup('data.x', 'd')", .json = "\"d\""},
	    {.text = "lookup('data.port', 1 / 0)", .json = "8080"},
	    {.text = "lookup('data.users.2.name', null)", .json = "null"},
	    {.text = "lookup('data.port.x', 'd')", .json = "\"d\""},
	    {.text = "lookup('other.x', 'd')", .json = "\"d\""},
	    {.text = "lookup('data.x') ?? 'd'", .json = "\"d\""},
	    {.text = "lookup('data.hosts.01', 'd')", .json = "\"db2\""},
	    {.text = "lookup('data.hosts.-1', 'd')", .json = "\"d\""},
	    {.text = "lookup('data.hosts.99999999999', 'd')", .json = "\"d\""},
	    {.text = "lookup('', 'd')", .json = "\"d\""},
	    {.text = "lookup('data.', 'd')", .json = "\"d\""},
	    {.text = "len(lookup('environ'))", .json = "3"},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_is_missing_is_told(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"lookup('data.x')", NULL, "missing key 'data.x' in environment", 1,
		"lookup(path, default) takes a value for when it is missing"},
	    {"1 + lookup('Data.port')", NULL,
		"missing key 'Data.port' in environment", 5,
		"a path begins with facts., data. or environ."},
	};
	EXPRESSING_CHECK(cases);
}

static void
wildcards_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"lookup('data.*')", NULL,
		"'*' is not supported in the path of lookup()", 1,
		"write \\\\* for the character, or use filter() and map()"},
	    {"lookup('data.por?', 1)", NULL,
		"'?' is not supported in the path of lookup()", 1, NULL},
	    {"lookup('data.users|@this')", NULL,
		"'|' is not supported in the path of lookup()", 1, NULL},
	    {"lookup('data.@keys')", NULL,
		"'@' is not supported in the path of lookup()", 1, NULL},
	    {"lookup('data.users.#(name==1)')", NULL,
		"'(' is not supported in the path of lookup()", 1, NULL},
	    {.text = "lookup('data.users.#.name', 'd')", .json = "\"d\""},
	    {.text = "lookup('data.\\\\*', 'd')", .json = "\"d\""},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(paths_are_followed),
	    cmocka_unit_test(what_is_missing_is_told),
	    cmocka_unit_test(wildcards_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
