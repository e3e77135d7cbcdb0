/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "command/parse/argv_parser.h"

/* Valid words, NULL, invalid words, NULL. */
static void
check(const struct w_value_type *type, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (!w_argv_parse_accepts(type, *words, strlen(*words)))
			fail_msg("'%s' is refused", *words);
	}
	for (words++; *words != NULL; words++) {
		if (w_argv_parse_accepts(type, *words, strlen(*words)))
			fail_msg("'%s' is accepted", *words);
	}
}

#define CHECK(type, ...)                  \
	check(&(struct w_value_type)type, \
	    ((const char *const[]){__VA_ARGS__, NULL}))
#define TYPE(...)           \
	{                   \
		__VA_ARGS__ \
	}

static void
whole_numbers_are_written_plainly(void **state)
{
	(void)state;
	CHECK(TYPE(.kind = W_VALUE_INTEGER, .min = INT64_MIN, .max = INT64_MAX),
	    "0", "7", "-7", "9223372036854775807", "-9223372036854775808", NULL,
	    "", "-", "+7", "07", "-0", "0x7", "7 ", " 7", "1e3", "1.0",
	    "9223372036854775808", "-9223372036854775809", "\xd9\xa3");
	CHECK(TYPE(.kind = W_VALUE_INTEGER, .min = -5, .max = 255), "-5", "255",
	    NULL, "-6", "256");
}

static void
numbers_are_those_of_json(void **state)
{
	(void)state;
	CHECK(TYPE(.kind = W_VALUE_NUMBER), "0", "-1.5", "1e3", "0.25", NULL,
	    "", ".5", "1.", "+1", "01", "inf", "nan", "1e999", "0x1", "1,5");
}

static void
durations_have_units(void **state)
{
	(void)state;
	CHECK(TYPE(.kind = W_VALUE_DURATION), "5", "0", "1.5", "1.5s", "2m",
	    "1h30m", "250ms", ".5s", "infinity", "inf", NULL, "", "s", "5x",
	    "-5", "5s5", "1.5.5s", ".", "5 s", "infinit");
}

static void
sizes_have_units(void **state)
{
	(void)state;
	CHECK(TYPE(.kind = W_VALUE_SIZE), "10", "4k", "1MiB", "2.5G", "512c",
	    "1kB", "-1K", "+5", NULL, "", "k", "5x", "5kk", "5iB", "-", "5 k");
}

static void
choices_are_whole_words(void **state)
{
	static const char *const choices[] = {"red", "", NULL};

	(void)state;
	CHECK(TYPE(.kind = W_VALUE_CHOICE, .choices = choices), "red", "", NULL,
	    "re", "redd", "RED", "green");
}

static void
some_texts_have_a_shape(void **state)
{
	(void)state;
	CHECK(TYPE(.kind = W_VALUE_ASSIGNMENT), "A=1", "A=", "A=b=c", "1=2",
	    NULL, "", "A", "=", "=A");
	CHECK(TYPE(.kind = W_VALUE_HOST), "h", "u@h:22", NULL, "", "-h");
	CHECK(TYPE(.kind = W_VALUE_REMOTE), "h:p", "./p", NULL, "", "-oP=x");
	CHECK(TYPE(.kind = W_VALUE_TEXT), "", "-", "\xff", NULL, NULL);
	CHECK(TYPE(.kind = W_VALUE_PATH), "", "-x", NULL, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_numbers_are_written_plainly),
	    cmocka_unit_test(numbers_are_those_of_json),
	    cmocka_unit_test(durations_have_units),
	    cmocka_unit_test(sizes_have_units),
	    cmocka_unit_test(choices_are_whole_words),
	    cmocka_unit_test(some_texts_have_a_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
