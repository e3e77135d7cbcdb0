/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_DECIMAL_H
#define W_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An unsigned decimal number in a text, times a whole scale. The digits of its
 * fraction stay in the text, so that nothing is rounded early and the locale
 * does not matter.
 */
struct w_decimal {
	uint64_t whole; /* UINT64_MAX: that much or more */
	const char *fraction;
	size_t fraction_len;
	uint64_t scale;
};

/* Reads DIGITS or DIGITS.DIGITS and returns the number of bytes; 0: no number.
 * Sets the scale to 1. */
size_t w_decimal_scan(const char *text, struct w_decimal *out_number);

/* Up to this many terms of up to this scale are summed without overflow. */
#define W_DECIMAL_TERMS_MAX 16
#define W_DECIMAL_SCALE_MAX (UINT64_C(1) << 50)

/*
 * The exact sum of all number * scale, rounded down at the end, but 1 when it
 * is between 0 and 1. false: more than max (below UINT64_MAX); *out_sum is then
 * unchanged.
 */
bool w_decimal_sum(const struct w_decimal *terms, size_t count, uint64_t max,
    uint64_t *out_sum);

#endif /* W_BASE_DECIMAL_H */
