/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
only_what_is_needed_is_evaluated(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "true || 1 / 0 == 1", .json = "true"},
	    {.text = "false && 1 / 0 == 1", .json = "false"},
	    {.text = "true ? 1 : 1 / 0", .json = "1"},
	    {.text = "1 ?? (1 / 0)", .json = "1"},
	    {"[1 / 0]", NULL, "division by zero", 4, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
conditions_are_true_or_false(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"1 ? 2 : 3", NULL,
		"what is before '?' must be true or false, and is a whole "
		"number",
		1, NULL},
	    {"'x' && true", NULL,
		"an operand of this operator must be true or false, and is a "
		"string",
		1, NULL},
	    {"true && null", NULL,
		"an operand of this operator must be true or false, and is "
		"null",
		9, NULL},
	    {"!1", NULL,
		"an operand of this operator must be true or false, and is a "
		"whole number",
		2, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_comes_from_a_secret_is_one(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "Data.password", .json = "\"(sensitive)\""},
	    {.text = "Data.password + 'x'", .json = "\"(sensitive)\""},
	    {.text = "Data.password == 'x'", .json = "\"(sensitive)\""},
	    {.text = "len(Data.password)", .json = "\"(sensitive)\""},
	    {.text = "Data.password == 'x' ? [1] : [2]",
		.json = "\"(sensitive)\""},
	    {.text = "[1, Data.password]", .json = "[1,\"(sensitive)\"]"},
	    {.text = "{a: Data.password}", .json = "{\"a\":\"(sensitive)\"}"},
	    {.text = "[1, Data.password] == [1]", .json = "\"(sensitive)\""},
	    {.text = "[1, Data.password][0]", .json = "1"},
	    {.text = "len([Data.password])", .json = "1"},
	    {.text = "Data.password == '' || true", .json = "\"(sensitive)\""},
	    {.text = "true || Data.password == ''", .json = "true"},
	    {.text = "true && Data.password == 'x'", .json = "\"(sensitive)\""},
	    {.text = "!(Data.password == '')", .json = "\"(sensitive)\""},
	    {.text = "sensitive(null) ?? 1", .json = "\"(sensitive)\""},
	    {.text = "[5][sensitive(0)]", .json = "\"(sensitive)\""},
	    {.text = "{a: 1}[sensitive('a')]", .json = "\"(sensitive)\""},
	    {.text = "lookup(sensitive('data.port'))",
		.json = "\"(sensitive)\""},
	    {.text = "lookup('data.password')", .json = "\"(sensitive)\""},
	    {.text = "lookup('data.login.tries.#')", .json = "\"(sensitive)\""},
	    {.text = "Data.login.user", .json = "\"(sensitive)\""},
	    {.text = "keys(Data.login)", .json = "\"(sensitive)\""},
	    {.text = "any(['a'], # == Data.password)",
		.json = "\"(sensitive)\""},
	    {.text = "filter([1, 2], Data.password != '')",
		.json = "\"(sensitive)\""},
	    {.text = "map(['a'], # + Data.password)",
		.json = "[\"(sensitive)\"]"},
	    {.text = "count([1], Data.password == '')",
		.json = "\"(sensitive)\""},
	    {.text = "upper(Data.password)", .json = "\"(sensitive)\""},
	    {.text = "toJSON([Data.password])", .json = "\"(sensitive)\""},
	    {.text = "join([1, Data.password])", .json = "\"(sensitive)\""},
	    {.text = "string(sensitive(5)) + ''", .json = "\"(sensitive)\""},
	    {.text = "fromJSON(sensitive('[1]'))", .json = "\"(sensitive)\""},
	    {.text = "-sensitive(5)", .json = "\"(sensitive)\""},
	    {.text = "sort([2, sensitive(1)])", .json = "\"(sensitive)\""},
	    {.text = "unique(['a', Data.password])", .json = "\"(sensitive)\""},
	    {.text = "min(1, sensitive(2))", .json = "\"(sensitive)\""},
	    {.text = "'a' in Data.login", .json = "\"(sensitive)\""},
	    {.text = "Data.password in {a: 1}", .json = "\"(sensitive)\""},
	    {.text = "'port' in Data", .json = "true"},
	    {.text = "split(Data.password, 'x')", .json = "\"(sensitive)\""},
	    {.text = "default(sensitive(''), 'x')", .json = "\"(sensitive)\""},
	    {.text = "raw(Data.password)", .json = "\"(sensitive)\""},
	    {.text = "file(sensitive('/there'))", .json = "\"(sensitive)\""},
	    {.text = "first([Data.password])", .json = "\"(sensitive)\""},
	    {.text = "first([1, Data.password])", .json = "1"},
	    {.text = "Data.password | upper | len", .json = "\"(sensitive)\""},
	    {.text = "[1] + [Data.password]", .json = "[1,\"(sensitive)\"]"},
	};
	EXPRESSING_CHECK(cases);
}

static void
no_error_tells_a_secret(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"int(Data.password)", NULL,
		"the secret is not a whole number that fits", 1, NULL},
	    {"float(Data.password)", NULL,
		"the secret is not a number that fits", 1, NULL},
	    {"Data[Data.password]", NULL, "no member of that name", 5, NULL},
	    {"Data.login.usr", NULL, "no member of that name", 11, ""},
	    {"Data.login.tries[7]", NULL, "the list is shorter than that", 17,
		NULL},
	    {"[1][sensitive(77)]", NULL, "the list is shorter than that", 4,
		NULL},
	    {"lookup(Data.password)", NULL, "missing key in environment", 1,
		NULL},
	    {"lookup(sensitive('data.*'))", NULL,
		"a sign that is not supported in the path of lookup()", 1, ""},
	    {"fromJSON(Data.password)", NULL, "not valid JSON", 1, NULL},
	    {"file(Data.password)", NULL, "the file cannot be read", 1, NULL},
	    {"Data.password.x", NULL, "a string has no member 'x'", 14, NULL},
	    {"1[Data.password]", NULL, "a whole number has no elements", 2,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
evaluation_is_limited(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"count(split(replace(replace(replace('aaaaaaaaaa','a','aaaaaaaaaa'"
	     "),'a','aaaaaaaaaaaaaaaaaaaa'),'a','a,a,a,a,a,a,a,a,'),','), "
	     "any(Data.hosts, any(Data.hosts, # == 'x')))",
		NULL, "the expression takes too long to evaluate", 160, NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_what_is_needed_is_evaluated),
	    cmocka_unit_test(conditions_are_true_or_false),
	    cmocka_unit_test(what_comes_from_a_secret_is_one),
	    cmocka_unit_test(no_error_tells_a_secret),
	    cmocka_unit_test(evaluation_is_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
