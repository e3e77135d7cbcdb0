/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
a_slice_never_fails_for_its_ends(void **state)
{
	static const struct expressing_case cases[] = {
	    {"[1, 2, 3][1:]", "[2,3]", NULL, 0, NULL},
	    {"[1, 2, 3][:1]", "[1]", NULL, 0, NULL},
	    {"[1, 2, 3][:]", "[1,2,3]", NULL, 0, NULL},
	    {"[1, 2, 3][-2:-1]", "[2]", NULL, 0, NULL},
	    {"[1, 2, 3][2:1]", "[]", NULL, 0, NULL},
	    {"[1, 2, 3][5:9]", "[]", NULL, 0, NULL},
	    {"[1, 2, 3][-9:9]", "[1,2,3]", NULL, 0, NULL},
	    {"[1][-9223372036854775808:9223372036854775807]", "[1]", NULL, 0,
		NULL},
	    {"'h\u00e9llo'[1:3]", "\"\xc3\xa9l\"", NULL, 0, NULL},
	    {"''[0:1]", "\"\"", NULL, 0, NULL},
	    {"Data.nope?.x[0:1] ?? 'none'", "\"none\"", NULL, 0, NULL},
	    {"Data.password[0:2]", "\"(sensitive)\"", NULL, 0, NULL},
	    {"[1, 2][len(Data.password) - 7:]", "\"(sensitive)\"", NULL, 0,
		NULL},
	    {"1[0:1]", NULL, "a whole number has no slices", 2, NULL},
	    {"[1]['a':]", NULL,
		"the end of a slice is a whole number, not a string", 5, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

static void
a_range_is_bounded(void **state)
{
	static const struct expressing_case cases[] = {
	    {"1..3", "[1,2,3]", NULL, 0, NULL},
	    {"3..1", "[]", NULL, 0, NULL},
	    {"-1..1", "[-1,0,1]", NULL, 0, NULL},
	    {"1..1 + 1", "[1,2]", NULL, 0, NULL},
	    {"0..9223372036854775807", NULL,
		"the expression takes too long to evaluate", 2, NULL},
	    {"-9223372036854775808..9223372036854775807", NULL,
		"the expression takes too long to evaluate", 21, NULL},
	    {"9223372036854775807..9223372036854775807",
		"[9223372036854775807]", NULL, 0, NULL},
	    {"'a'..'b'", NULL,
		"'..' is between two whole numbers, not a string and a string",
		4, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

static void
let_is_seen_by_its_body_alone(void **state)
{
	static const struct expressing_case cases[] = {
	    {"let x = 2; let y = x * 3; y - x", "4", NULL, 0, NULL},
	    {"let x = 1; let x = x + 1; x", "2", NULL, 0, NULL},
	    {"let x = let y = 1; y + 1; x", "2", NULL, 0, NULL},
	    {"let list = [1, 2]; map(list, # + len(list))", "[3,4]", NULL, 0,
		NULL},
	    {"map([1, 2], let x = #; x * x)", "[1,4]", NULL, 0, NULL},
	    {"let p = Data.password; len(p)", "\"(sensitive)\"", NULL, 0, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

static void
powers_and_matches(void **state)
{
	static const struct expressing_case cases[] = {
	    {"2 ** 3 ** 2", "512", NULL, 0, NULL},
	    {"-2 ** 2", "-4", NULL, 0, NULL},
	    {"2 ** -1", "0.5", NULL, 0, NULL},
	    {"(-1) ** 9223372036854775807", "-1", NULL, 0, NULL},
	    {"0 ** 0", "1", NULL, 0, NULL},
	    {"2 ^ 62", "4611686018427387904", NULL, 0, NULL},
	    {"2 ** 63", NULL, "the result is too large a number", 3, NULL},
	    {"0 ** -1", NULL, "the result is too large a number", 3, NULL},
	    {"'ab' matches 'b$'", "true", NULL, 0, NULL},
	    {"'ab' not matches 'b$'", "false", NULL, 0, NULL},
	    {"Data.password matches 'h'", "\"(sensitive)\"", NULL, 0, NULL},
	    {"'a' matches Data.name + '('", NULL,
		"not a regular expression: the group is not closed "
		"(character 4)",
		5, NULL},
	    {"'a' matches Data.password + '('", NULL,
		"not a regular expression", 5, NULL},
	    {"1 matches 'a'", NULL,
		"both sides of it must be strings, and are a whole number and "
		"a string",
		3, NULL},
	    {"(repeat('a', 60) + 'b') matches '^(a|aa)+$'", NULL,
		"the expression takes too long to evaluate", 25, NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_slice_never_fails_for_its_ends),
	    cmocka_unit_test(a_range_is_bounded),
	    cmocka_unit_test(let_is_seen_by_its_body_alone),
	    cmocka_unit_test(powers_and_matches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
