/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_DIGITS_H
#define W_SCHEMA_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

/* Room for the digits of any number that is not kept as text. */
#define W_DIGITS_ROOM 48

/*
 * A number by its decimal digits, of whatever size: 0.d1d2d3... * 10^exponent,
 * the first digit not 0. Zero has none.
 */
struct w_digits {
	const char *text; /* where the first digit is; a point may follow */
	size_t count;     /* up to the last one that is not 0 */
	int64_t exponent;
	bool is_negative;
};

/* room holds the text of a number that has none of its own. */
struct w_digits w_digits_of(yyjson_val *value, char room[W_DIGITS_ROOM]);

int w_digits_compare(const struct w_digits *a, const struct w_digits *b);
bool w_digits_is_whole(const struct w_digits *digits);

/* The digits as one whole number; they must be of a machine number. */
uint64_t w_digits_whole(const struct w_digits *digits);

/* The remainder of the digits, as one whole number, by modulus. */
uint64_t w_digits_modulo(const struct w_digits *digits, uint64_t modulus);

/* The same for equal numbers. */
uint64_t w_digits_hash(const struct w_digits *digits);

#endif /* W_SCHEMA_DIGITS_H */
