/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/decimal.h"

static void
numbers_are_scanned_up_to_what_is_not_theirs(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t taken;
		uint64_t whole;
		size_t fraction_len;
	} cases[] = {
	    {"", 0, 0, 0},
	    {"x1", 0, 0, 0},
	    {".5", 0, 0, 0},
	    {"-1", 0, 0, 0},
	    {"0", 1, 0, 0},
	    {"007", 3, 7, 0},
	    {"12ab", 2, 12, 0},
	    {"1.", 1, 1, 0},
	    {"1.x", 1, 1, 0},
	    {"1.25s", 4, 1, 2},
	    {"1.2.3", 3, 1, 1},
	    {"18446744073709551614", 20, UINT64_MAX - 1, 0},
	    {"18446744073709551615", 20, UINT64_MAX, 0},
	    {"18446744073709551616", 20, UINT64_MAX, 0},
	    {"184467440737095516150.5x", 23, UINT64_MAX, 1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_decimal number = {0};
		assert_int_equal(
		    w_decimal_scan(cases[i].text, &number), cases[i].taken);
		assert_true(number.whole == cases[i].whole);
		assert_int_equal(number.fraction_len, cases[i].fraction_len);
	}
}

static bool
sum_of(const char *a, uint64_t a_scale, const char *b, uint64_t max,
    uint64_t *out_sum)
{
	struct w_decimal terms[2];
	assert_true(w_decimal_scan(a, &terms[0]) > 0);
	assert_true(w_decimal_scan(b, &terms[1]) > 0);
	terms[0].scale = a_scale;
	return w_decimal_sum(terms, 2, max, out_sum);
}

static void
sums_round_once_at_the_end(void **state)
{
	(void)state;
	uint64_t sum = 77;
	assert_true(sum_of("0.5", 1, "0.5", 10, &sum));
	assert_int_equal(sum, 1);
	assert_true(sum_of("1.99", 1, "1.0099999", 10, &sum));
	assert_int_equal(sum, 2);
	assert_true(sum_of("1.99", 1, "1.01", 10, &sum));
	assert_int_equal(sum, 3);
	assert_true(sum_of("0.1", 3, "0.7", 10, &sum));
	assert_int_equal(sum, 1);
	assert_true(sum_of("0.0", 1, "0.00000001", 10, &sum));
	assert_int_equal(sum, 1);
	assert_true(sum_of("0", 1, "0.000", 10, &sum));
	assert_int_equal(sum, 0);
}

static void
sums_above_the_maximum_are_refused(void **state)
{
	(void)state;
	uint64_t sum = 77;
	assert_true(sum_of("4", 2, "2", 10, &sum));
	assert_int_equal(sum, 10);
	sum = 77;
	assert_false(sum_of("4", 2, "3", 10, &sum));
	assert_false(sum_of("4", 2, "2.1", 10, &sum));
	assert_false(
	    sum_of("18446744073709551615", 2, "0", UINT64_MAX - 1, &sum));
	assert_false(
	    sum_of("18446744073709551615", 1, "1", UINT64_MAX - 1, &sum));
	assert_false(
	    sum_of("99999999999999999999", 1, "0", UINT64_MAX - 1, &sum));
	assert_int_equal(sum, 77);
}

static void
largest_stated_sum_does_not_overflow(void **state)
{
	(void)state;
	struct w_decimal terms[W_DECIMAL_TERMS_MAX];
	for (size_t i = 0; i < W_DECIMAL_TERMS_MAX; i++) {
		assert_true(w_decimal_scan("0.9999999999999", &terms[i]) > 0);
		terms[i].scale = W_DECIMAL_SCALE_MAX;
	}
	uint64_t sum = 0;
	assert_true(
	    w_decimal_sum(terms, W_DECIMAL_TERMS_MAX, UINT64_MAX - 1, &sum));
	/* 16 * 2^50 * (1 - 10^-13), rounded down. */
	assert_true(sum == UINT64_C(18014398509480182));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_scanned_up_to_what_is_not_theirs),
	    cmocka_unit_test(sums_round_once_at_the_end),
	    cmocka_unit_test(sums_above_the_maximum_are_refused),
	    cmocka_unit_test(largest_stated_sum_does_not_overflow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
