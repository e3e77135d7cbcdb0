/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Exact decimal numbers, for durations and sizes. Fractions may have any number
 * of digits; no floating point is used.
 */

#include "base/decimal.h"

#include "base/ascii.h"

size_t
w_decimal_scan(const char *text, struct w_decimal *out_number)
{
	const char *at = text;
	uint64_t whole = 0;

	for (; w_is_digit(*at); at++) {
		uint64_t digit = (uint64_t)(*at - '0');
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, digit, &whole))
			break;
	}
	if (at == text)
		return 0;
	if (w_is_digit(*at)) {
		whole = UINT64_MAX;
		while (w_is_digit(*at))
			at++;
	}

	*out_number = (struct w_decimal){.whole = whole, .scale = 1};
	if (at[0] == '.' && w_is_digit(at[1])) {
		out_number->fraction = ++at;
		while (w_is_digit(*at))
			at++;
		out_number->fraction_len = (size_t)(at - out_number->fraction);
	}
	return (size_t)(at - text);
}

/*
 * The sum of the fractions, digit by digit from the last place. Each step keeps
 * floor(x / 10) of the lower places; since what is added is whole, only the
 * final result is rounded down.
 */
static uint64_t
sum_fractions(const struct w_decimal *terms, size_t count, bool *out_rest)
{
	size_t places = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (terms[i].fraction_len > places)
			places = terms[i].fraction_len;
	}
	*out_rest = false;
	for (size_t place = places; place-- > 0;) {
		for (size_t i = 0; i < count; i++) {
			const struct w_decimal *term = &terms[i];

			if (place < term->fraction_len)
				sum += (uint64_t)(term->fraction[place] - '0') *
				       term->scale;
		}
		if (sum % 10 != 0)
			*out_rest = true;
		sum /= 10;
	}
	return sum;
}

bool
w_decimal_sum(const struct w_decimal *terms, size_t count, uint64_t max,
    uint64_t *out_sum)
{
	bool has_rest;
	uint64_t sum = sum_fractions(terms, count, &has_rest);

	for (size_t i = 0; i < count; i++) {
		uint64_t product;
		if (__builtin_mul_overflow(
			terms[i].whole, terms[i].scale, &product) ||
		    __builtin_add_overflow(sum, product, &sum))
			return false;
	}
	if (sum > max || (sum == max && has_rest))
		return false;
	*out_sum = sum == 0 && has_rest ? 1 : sum;
	return true;
}
