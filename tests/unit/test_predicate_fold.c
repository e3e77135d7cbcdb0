/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
walks_through_lists(void **state)
{
	static const struct expressing_case cases[] = {
	    {"find([1, 2, 3], # > 1)", "2", NULL, 0, NULL},
	    {"findLast([1, 2, 3], # > 1)", "3", NULL, 0, NULL},
	    {"findIndex([1, 2, 3], # > 1)", "1", NULL, 0, NULL},
	    {"findLastIndex([1, 2, 3], # > 1)", "2", NULL, 0, NULL},
	    {"find([], true)", "null", NULL, 0, NULL},
	    {"map(['a', 'b'], #index)", "[0,1]", NULL, 0, NULL},
	    {"map([[1], [2, 3]], map(#, #index) | len()) + [#index]", NULL,
		"unexpected '#' where a value should be", 47, NULL},
	    {"reduce([1, 2, 3], #acc * #)", "6", NULL, 0, NULL},
	    {"reduce([], #, 'none')", "\"none\"", NULL, 0, NULL},
	    {"reduce([], #acc)", NULL,
		"reduce() of an empty list needs a first value", 1, NULL},
	    {"map([1], #acc)", NULL, "'#acc' is there in reduce() alone", 10,
		NULL},
	    {"reduce([1, 2], reduce([3], #acc + #, 0) + #acc, 0)", "6", NULL, 0,
		NULL},
	    {"sum([1, 2.5])", "3.5", NULL, 0, NULL},
	    {"sum([])", "0", NULL, 0, NULL},
	    {"sum(Data.users, .uid)", "2001", NULL, 0, NULL},
	    {"sum(['a'])", NULL, "sum() wants numbers, not a string", 1, NULL},
	    {"sum([9223372036854775807, 1])", NULL,
		"the result is too large a number", 1, NULL},
	    {"groupBy([1, 2, 3, 4], # % 2 == 0)",
		"{\"false\":[1,3],\"true\":[2,4]}", NULL, 0, NULL},
	    {"groupBy([], #)", "{}", NULL, 0, NULL},
	    {"countBy(['a', 'b', 'a'], #)", "{\"a\":2,\"b\":1}", NULL, 0, NULL},
	    {"sortBy([{n: 2}, {n: 1}], .n)", "[{\"n\":1},{\"n\":2}]", NULL, 0,
		NULL},
	    {"sortBy([1, 2], -#)", "[2,1]", NULL, 0, NULL},
	    {"sortBy([1, 'a'], #)", NULL,
		"sortBy() wants numbers or strings alone, and there is a "
		"string",
		1, NULL},
	    {"sortBy([1], #, 'up')", NULL, "the order is 'asc' or 'desc'", 16,
		NULL},
	    {"sort([1], 'up')", NULL, "the order is 'asc' or 'desc'", 11, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

static void
what_a_secret_decides_is_one(void **state)
{
	static const struct expressing_case cases[] = {
	    {"find(['hunter2'], # == Data.password)", "\"(sensitive)\"", NULL,
		0, NULL},
	    {"findIndex(['hunter2'], # == Data.password)", "\"(sensitive)\"",
		NULL, 0, NULL},
	    {"groupBy([Data.password], #)", "\"(sensitive)\"", NULL, 0, NULL},
	    {"sortBy([1, 2], len(Data.password))", "\"(sensitive)\"", NULL, 0,
		NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

static void
parts_and_shapes(void **state)
{
	static const struct expressing_case cases[] = {
	    {"hasSuffix('abc', 'bc')", "true", NULL, 0, NULL},
	    {"hasSuffix('c', 'bc')", "false", NULL, 0, NULL},
	    {"trimPrefix('abc', 'x')", "\"abc\"", NULL, 0, NULL},
	    {"indexOf('h\u00e9llo', 'l')", "2", NULL, 0, NULL},
	    {"lastIndexOf('a-b-c', '-')", "3", NULL, 0, NULL},
	    {"lastIndexOf('abc', '')", "3", NULL, 0, NULL},
	    {"indexOf('abc', 'x')", "-1", NULL, 0, NULL},
	    {"repeat('ab', 2)", "\"abab\"", NULL, 0, NULL},
	    {"repeat('', 9223372036854775807)", "\"\"", NULL, 0, NULL},
	    {"repeat('a', 99999999)", NULL, "a text of more than 16 MiB", 1,
		NULL},
	    {"repeat('a', -1)", NULL, "that many times is not possible", 13,
		NULL},
	    {"get(Data, 'port')", "8080", NULL, 0, NULL},
	    {"get([1, 2], -1)", "2", NULL, 0, NULL},
	    {"get([1, 2], -3)", "null", NULL, 0, NULL},
	    {"get(Data, 'password')", "\"(sensitive)\"", NULL, 0, NULL},
	    {"reverse([1, 2])", "[2,1]", NULL, 0, NULL},
	    {"take([1, 2], 9)", "[1,2]", NULL, 0, NULL},
	    {"concat([1], [], [2])", "[1,2]", NULL, 0, NULL},
	    {"flatten([[], [[1]], 2])", "[1,2]", NULL, 0, NULL},
	    {"toPairs({a: 1})", "[[\"a\",1]]", NULL, 0, NULL},
	    {"fromPairs([['a', 1]])", "{\"a\":1}", NULL, 0, NULL},
	    {"fromPairs([[Data.password, 1]])", "\"(sensitive)\"", NULL, 0,
		NULL},
	    {"fromPairs([[1, 1]])", NULL,
		"fromPairs() wants lists of a name and a value", 1, NULL},
	    {"merge({a: 1}, {})", "{\"a\":1}", NULL, 0, NULL},
	    {"fromBase64(toBase64('\u00e9'))", "\"\xc3\xa9\"", NULL, 0, NULL},
	    {"fromBase64('/w==')", NULL,
		"what the base64 stands for is not a text", 1, NULL},
	    {"fromBase64('a')", NULL, "not valid base64", 1, NULL},
	    {"toBase64(Data.password)", "\"(sensitive)\"", NULL, 0, NULL},
	    {"map([null, true, 1, 1.5, 'a', [], {}], type(#))",
		"[\"nil\",\"bool\",\"int\",\"float\",\"string\","
		"\"array\",\"map\"]",
		NULL, 0, NULL},
	    {"[ceil(1.2), floor(-1.2), ceil(3)]", "[2,-2,3]", NULL, 0, NULL},
	    {"ceil(1e300)", NULL, "the result is too large a number", 1, NULL},
	    {"[mean(1, 2), median([3, 1, 2]), median([1, 2])]", "[1.5,2.0,1.5]",
		NULL, 0, NULL},
	    {"mean([])", NULL, "mean() of an empty list", 1, NULL},
	    {"[bitand(6, 3), bitor(6, 3), bitxor(6, 3), bitnot(0)]",
		"[2,7,5,-1]", NULL, 0, NULL},
	    {"[bitshl(1, 4), bitshl(1, 64), bitshr(-8, 1), bitshr(-1, 99)]",
		"[16,0,-4,-1]", NULL, 0, NULL},
	    {"now('%5Y')", NULL,
		"a form of a time has 1 to 100 bytes and no digits", 5, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

static void
questions_about_texts(void **state)
{
	static const struct expressing_case cases[] = {
	    {"map(['1.2.3.4', '::1', '1.2.3', ''], isIP(#))",
		"[true,true,false,false]", NULL, 0, NULL},
	    {"[isIPv4('::1'), isIPv6('::1'), isIPv6('1.2.3.4')]",
		"[false,true,false]", NULL, 0, NULL},
	    {"map(['a', 'a-b.c', '-a', 'a..b', '', 'a_b'], isHostname(#))",
		"[true,true,false,false,false,false]", NULL, 0, NULL},
	    {"[isFQDN('a'), isFQDN('a.example')]", "[false,true]", NULL, 0,
		NULL},
	    {"map([1, '-1', '1.5', '', 'x'], isInt(#))",
		"[true,true,false,false,false]", NULL, 0, NULL},
	    {"map([1, '1.5', 'nan', ''], isFloat(#))",
		"[true,true,false,false]", NULL, 0, NULL},
	    {"[isDuration('1h30m'), isDuration('5')]", "[true,false]", NULL, 0,
		NULL},
	    {"[isRegex(42, '^4'), isRegex('x', '^4')]", "[true,false]", NULL, 0,
		NULL},
	    {"[isShellSafe('a b'), isShellSafe('a`b')]", "[true,false]", NULL,
		0, NULL},
	    {"isIP(Data.password)", "\"(sensitive)\"", NULL, 0, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(walks_through_lists),
	    cmocka_unit_test(what_a_secret_decides_is_one),
	    cmocka_unit_test(parts_and_shapes),
	    cmocka_unit_test(questions_about_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
