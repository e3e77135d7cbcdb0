/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "schema/equal.h"
#include "schema/number.h"

static yyjson_doc *
read_doc(const char *text)
{
	yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)text,
	    strlen(text), YYJSON_READ_BIGNUM_AS_RAW, NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static bool
is_equal(const char *left, const char *right)
{
	yyjson_doc *a = read_doc(left);
	yyjson_doc *b = read_doc(right);
	size_t steps = 1000;
	enum w_equal_answer answer =
	    w_equal(yyjson_doc_get_root(a), yyjson_doc_get_root(b), &steps);
	enum w_equal_answer turned =
	    w_equal(yyjson_doc_get_root(b), yyjson_doc_get_root(a), &steps);

	assert_int_equal(answer, turned);
	if (answer == W_EQUAL_YES && w_number_is(yyjson_doc_get_root(a)))
		assert_true(w_number_hash(yyjson_doc_get_root(a)) ==
			    w_number_hash(yyjson_doc_get_root(b)));
	yyjson_doc_free(a);
	yyjson_doc_free(b);
	return answer == W_EQUAL_YES;
}

static void
values_are_equal_by_what_they_mean(void **state)
{
	static const char *const same[][2] = {
	    {"1", "1.0"},
	    {"0", "-0.0"},
	    {"100", "1e2"},
	    {"[1,{\"a\":[null]}]", "[1.0,{\"a\":[null]}]"},
	    {"{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":3,\"a\":1,\"b\":2}"},
	    {"\"\\u00e4\"", "\"\xc3\xa4\""},
	    {"1e400", "10.00e399"},
	    {"20000000000000000000", "2e19"},
	    {"18446744073709551615", "18446744073709551615"},
	};
	static const char *const different[][2] = {
	    {"1", "true"},
	    {"0", "false"},
	    {"0", "null"},
	    {"\"1\"", "1"},
	    {"true", "false"},
	    {"[]", "{}"},
	    {"[1,2]", "[2,1]"},
	    {"[1]", "[1,1]"},
	    {"{\"a\":1}", "{\"b\":1}"},
	    {"{\"a\":1}", "{\"a\":1,\"b\":1}"},
	    {"\"a\"", "\"a\\u0000\""},
	    {"9007199254740993", "9007199254740992"},
	    {"9007199254740993", "9007199254740992.0"},
	    {"18446744073709551615", "-1"},
	    {"1e400", "-1e400"},
	    {"1e400", "1e401"},
	    {"1e400", "1.1e400"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		if (!is_equal(same[i][0], same[i][1]))
			print_error("%s %s\n", same[i][0], same[i][1]);
		assert_true(is_equal(same[i][0], same[i][1]));
	}
	for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
		if (is_equal(different[i][0], different[i][1]))
			print_error(
			    "%s %s\n", different[i][0], different[i][1]);
		assert_false(is_equal(different[i][0], different[i][1]));
	}
}

static void
comparing_ends_when_its_steps_do(void **state)
{
	yyjson_doc *a = read_doc("[[1,2,3],[4,5,6]]");
	yyjson_doc *b = read_doc("[[1,2,3],[4,5,6]]");
	size_t steps = 5;

	(void)state;
	assert_int_equal(
	    w_equal(yyjson_doc_get_root(a), yyjson_doc_get_root(b), &steps),
	    W_EQUAL_LIMIT);
	yyjson_doc_free(a);
	yyjson_doc_free(b);
}

static void
the_order_of_numbers_is_exact(void **state)
{
	/* Each is less than the next. */
	static const char *const numbers[] = {"-1e400", "-1e308",
	    "-9223372036854775808", "-9007199254740993", "-1.5", "-1",
	    "-1e-300", "0", "5e-324", "0.1", "0.30000000000000004", "1", "1.5",
	    "9007199254740992", "9007199254740993", "9223372036854775807",
	    "18446744073709551614", "18446744073709551615",
	    "18446744073709551616", "123456789012345678901234567890",
	    "123456789012345678901234567891", "1e308", "1e400"};
	const size_t count = sizeof(numbers) / sizeof(numbers[0]);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			yyjson_doc *a = read_doc(numbers[i]);
			yyjson_doc *b = read_doc(numbers[j]);
			int order = w_number_compare(
			    yyjson_doc_get_root(a), yyjson_doc_get_root(b));
			if ((order > 0) - (order < 0) != (i > j) - (i < j))
				print_error("%s %s\n", numbers[i], numbers[j]);
			assert_int_equal((order > 0) - (order < 0),
			    (int)(i > j) - (int)(i < j));
			yyjson_doc_free(a);
			yyjson_doc_free(b);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_equal_by_what_they_mean),
	    cmocka_unit_test(comparing_ends_when_its_steps_do),
	    cmocka_unit_test(the_order_of_numbers_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
