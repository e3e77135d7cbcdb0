/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_DIGITS_H
#define W_SCHEMA_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

/* Buffer size for any number that is not kept as text. */
#define W_DIGITS_ROOM 48

/*
 * A number of any size: 0.d1d2d3... * 10^exponent; d1 is not 0. Zero has no
 * digits.
 */
struct w_digits {
	const char *text; /* at the first digit; a point may follow */
	size_t count;     /* without trailing zeros */
	int64_t exponent;
	bool is_negative;
};

/* room: buffer for a number that is not kept as text. */
struct w_digits w_digits_of(yyjson_val *value, char room[W_DIGITS_ROOM]);

int w_digits_compare(const struct w_digits *a, const struct w_digits *b);
bool w_digits_is_whole(const struct w_digits *digits);

/* The digits as an integer; they must fit into 64 bits. */
uint64_t w_digits_whole(const struct w_digits *digits);

/* The digits as an integer, modulo modulus. */
uint64_t w_digits_modulo(const struct w_digits *digits, uint64_t modulus);

/* Equal numbers have the same hash. */
uint64_t w_digits_hash(const struct w_digits *digits);

#endif /* W_SCHEMA_DIGITS_H */
