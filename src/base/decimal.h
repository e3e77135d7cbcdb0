/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_DECIMAL_H
#define W_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An unsigned decimal number as it stands in a text, times a whole scale. The
 * digits of its fraction stay in the text, so that nothing is rounded early
 * and no locale decides what a point is.
 */
struct w_decimal {
	uint64_t whole; /* UINT64_MAX: that much or more */
	const char *fraction;
	size_t fraction_len;
	uint64_t scale;
};

/* Reads DIGITS or DIGITS.DIGITS and returns how many bytes that took; 0: no
 * number there. Sets the scale to 1. */
size_t w_decimal_scan(const char *text, struct w_decimal *out_number);

/* Up to this many terms of up to this scale are summed without overflow. */
#define W_DECIMAL_TERMS_MAX 16
#define W_DECIMAL_SCALE_MAX (UINT64_C(1) << 50)

/*
 * The exact sum of all number * scale, rounded down as the last step, but 1
 * when it lies between 0 and 1. false: more than max (below UINT64_MAX), and
 * *out_sum is untouched.
 */
bool w_decimal_sum(const struct w_decimal *terms, size_t count, uint64_t max,
    uint64_t *out_sum);

#endif /* W_BASE_DECIMAL_H */
