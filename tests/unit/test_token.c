/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
numbers_are_read_as_they_are_written(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "0", .json = "0"},
	    {.text = "42", .json = "42"},
	    {.text = "1_000", .json = "1000"},
	    {.text = "0x1f", .json = "31"},
	    {.text = "0xFF", .json = "255"},
	    {.text = "0o17", .json = "15"},
	    {.text = "0b101", .json = "5"},
	    {.text = "9223372036854775807", .json = "9223372036854775807"},
	    {.text = "-9223372036854775808", .json = "-9223372036854775808"},
	    {.text = "1.5", .json = "1.5"},
	    {.text = ".5", .json = "0.5"},
	    {.text = "1e3", .json = "1000.0"},
	    {.text = "1E-2", .json = "0.01"},
	    {.text = "1.0", .json = "1.0"},
	    {.text = "2.5e+2", .json = "250.0"},
	    {.text = "017", .json = "17"},
	};
	EXPRESSING_CHECK(cases);
}

static void
wrong_numbers_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"9223372036854775808", NULL, "the number is too large", 1, NULL},
	    {"99999999999999999999", NULL,
		"'99999999999999999999' is not a number, or is too large", 1,
		NULL},
	    {"12ab", NULL, "'12ab' is not a number, or is too large", 1, NULL},
	    {"0x", NULL, "'0x' is not a number, or is too large", 1, NULL},
	    {"0b12", NULL, "'0b12' is not a number, or is too large", 1, NULL},
	    {"1e999", NULL, "'1e999' is not a number, or is too large", 1,
		NULL},
	    {"1e", NULL, "'1e' is not a number, or is too large", 1, NULL},
	    {"1.2.3", NULL, "'1.2.3' is not a number, or is too large", 1,
		NULL},
	    {"0x-1", NULL, "'0x' is not a number, or is too large", 1, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
other_bytes_are_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"1 = 1", NULL, "unexpected '=' where an operator should be", 3,
		"compare with '=='"},
	    {"true & true", NULL, "unexpected '&'", 6, "write '&&' for 'and'"},
	    {"1 $ 2", NULL, "unexpected '$'", 3, NULL},
	    {"1 ; 2", NULL, "unexpected ';' where an operator should be", 3,
		NULL},
	    {"é", NULL, "a byte that cannot be in an expression", 1, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
blanks_and_line_breaks_mean_nothing(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "\n 1\t+\n2 ", .json = "3"},
	    {.text = "[1,2,]", .json = "[1,2]"},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_read_as_they_are_written),
	    cmocka_unit_test(wrong_numbers_are_refused),
	    cmocka_unit_test(other_bytes_are_refused),
	    cmocka_unit_test(blanks_and_line_breaks_mean_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
