/* SPDX-License-Identifier: Apache-2.0 */

/* JSON numbers: 1 and 1.0 are equal, and a fraction is the decimal that was
 * written, not the nearest binary one. Numbers that fit no machine type are
 * kept as text (YYJSON_TYPE_RAW). */

#include "schema/number.h"

#include <stdint.h>

#include "schema/digits.h"
#include "schema/hash.h"

/* Larger doubles have no fraction. */
#define WHOLE_FROM 9007199254740992.0 /* 2^53 */

/* Beyond it, one number may have more than one representation. */
#define HUGE_FROM 9223372036854775808.0 /* 2^63 */

__extension__ typedef unsigned __int128 wide;

bool
w_number_is(yyjson_val *value)
{
	return yyjson_is_num(value) || yyjson_is_raw(value);
}

/* long double holds every 64-bit integer and every double exactly. */
static long double
widen(yyjson_val *value)
{
	int64_t number = yyjson_get_sint(value);
	uint64_t positive = yyjson_get_uint(value);

	if (yyjson_is_real(value)) {
		double real = yyjson_get_real(value);
		return (long double)real;
	}
	if (yyjson_is_sint(value))
		return (long double)number;
	return (long double)positive;
}

int
w_number_compare(yyjson_val *a, yyjson_val *b)
{
	if (yyjson_is_uint(a) && yyjson_is_uint(b)) {
		uint64_t x = yyjson_get_uint(a);
		uint64_t y = yyjson_get_uint(b);
		return x < y ? -1 : x > y;
	}
	if (yyjson_is_raw(a) || yyjson_is_raw(b)) {
		char a_room[W_DIGITS_ROOM];
		char b_room[W_DIGITS_ROOM];
		struct w_digits left = w_digits_of(a, a_room);
		struct w_digits right = w_digits_of(b, b_room);
		return w_digits_compare(&left, &right);
	}
	long double x = widen(a);
	long double y = widen(b);
	return x < y ? -1 : x > y;
}

bool
w_number_is_whole(yyjson_val *value)
{
	char room[W_DIGITS_ROOM];

	if (yyjson_is_int(value))
		return true;
	if (yyjson_is_raw(value)) {
		struct w_digits digits = w_digits_of(value, room);
		return w_digits_is_whole(&digits);
	}
	double real = yyjson_get_real(value);
	if (real >= WHOLE_FROM || real <= -WHOLE_FROM)
		return true;
	double whole = (double)(int64_t)real;
	return !(whole < real) && !(whole > real);
}

static uint64_t
multiply_mod(uint64_t a, uint64_t b, uint64_t modulus)
{
	return (uint64_t)((wide)a * b % modulus);
}

/* 10^exponent modulo modulus. */
static uint64_t
power_mod(uint64_t exponent, uint64_t modulus)
{
	uint64_t power = 1 % modulus;
	uint64_t factor = 10 % modulus;

	for (; exponent > 0; exponent /= 2) {
		if (exponent % 2 == 1)
			power = multiply_mod(power, factor, modulus);
		factor = multiply_mod(factor, factor, modulus);
	}
	return power;
}

/*
 * Let a = A * 10^m and b = B * 10^n, where 10 divides neither A nor B. Then a
 * is a multiple of b if B divides A * 10^(m-n); if m < n it is not.
 */
bool
w_number_is_multiple(yyjson_val *value, yyjson_val *divisor)
{
	char a_room[W_DIGITS_ROOM];
	char b_room[W_DIGITS_ROOM];
	struct w_digits a = w_digits_of(value, a_room);
	struct w_digits b = w_digits_of(divisor, b_room);
	int64_t exponent =
	    (a.exponent - (int64_t)a.count) - (b.exponent - (int64_t)b.count);

	if (a.count == 0)
		return true;
	if (exponent < 0)
		return false;
	uint64_t modulus = w_digits_whole(&b);
	uint64_t rest = w_digits_modulo(&a, modulus);
	return multiply_mod(
		   rest, power_mod((uint64_t)exponent, modulus), modulus) == 0;
}

uint64_t
w_number_hash(yyjson_val *value)
{
	char room[W_DIGITS_ROOM];
	double number = yyjson_get_num(value);

	if (yyjson_is_raw(value) || number >= HUGE_FROM ||
	    number <= -HUGE_FROM) {
		struct w_digits digits = w_digits_of(value, room);
		return w_digits_hash(&digits);
	}
	/* 0 and -0 are equal but differ in their bytes. */
	number = number < 0 || number > 0 ? number : 0.0;
	return w_hash_bytes(&number, sizeof(number));
}
