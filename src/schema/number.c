/* SPDX-License-Identifier: Apache-2.0 */

/* Numbers as JSON means them: 1 and 1.0 are the same, and a fraction is the
 * decimal one that was written, not the nearest binary one. */

#include "schema/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Enough digits for any double to be read back as itself. */
#define DIGITS_MAX 17

/* Holds every whole number of 64 bits and every double exactly. */
static long double
widen(yyjson_val *value)
{
	int64_t number = yyjson_get_sint(value);
	uint64_t positive = yyjson_get_uint(value);

	if (yyjson_is_real(value))
		return yyjson_get_real(value);
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
	long double x = widen(a);
	long double y = widen(b);
	return x < y ? -1 : x > y;
}

bool
w_number_is_whole(yyjson_val *value)
{
	if (!yyjson_is_real(value))
		return true;
	double real = yyjson_get_real(value);
	return !(floor(real) < real);
}

/* digits * 10^exponent, without its sign. */
struct decimal {
	uint64_t digits;
	int exponent;
};

static struct decimal
read_decimal(const char *text)
{
	struct decimal decimal = {.digits = 0};
	bool is_fraction = false;

	/* Whatever the locale has for a point is neither digit nor 'e'. */
	for (; *text != 'e' && *text != '\0'; text++) {
		if (*text >= '0' && *text <= '9') {
			decimal.digits =
			    decimal.digits * 10 + (uint64_t)(*text - '0');
			decimal.exponent -= is_fraction ? 1 : 0;
		} else {
			is_fraction = true;
		}
	}
	if (*text == 'e')
		decimal.exponent += (int)strtol(text + 1, NULL, 10);
	return decimal;
}

/* The shortest decimal that is read as this number. */
static struct decimal
shortest(double real)
{
	char text[48];

	for (int precision = 0; precision < DIGITS_MAX; precision++) {
		(void)snprintf(text, sizeof(text), "%.*e", precision, real);
		double back = strtod(text, NULL);
		if (!(back < real) && !(back > real))
			break;
	}
	return read_decimal(text);
}

static struct decimal
decimal_of(yyjson_val *value)
{
	if (yyjson_is_real(value))
		return shortest(fabs(yyjson_get_real(value)));
	if (!yyjson_is_sint(value))
		return (struct decimal){.digits = yyjson_get_uint(value)};

	/* Unsigned, the smallest number has a positive counterpart. */
	int64_t number = yyjson_get_sint(value);
	uint64_t digits = (uint64_t)number;
	return (struct decimal){.digits = number < 0 ? 0 - digits : digits};
}

__extension__ typedef unsigned __int128 wide;

static uint64_t
multiply_mod(uint64_t a, uint64_t b, uint64_t modulus)
{
	return (uint64_t)((wide)a * b % modulus);
}

bool
w_number_is_multiple(yyjson_val *value, yyjson_val *divisor)
{
	struct decimal a = decimal_of(value);
	struct decimal b = decimal_of(divisor);
	int exponent = a.exponent - b.exponent;

	if (b.digits == 0)
		return false;
	for (; exponent < 0; exponent++) {
		/* A divisor beyond the digits of a divides only 0. */
		if (b.digits > UINT64_MAX / 10)
			return a.digits == 0;
		b.digits *= 10;
	}
	uint64_t rest = a.digits % b.digits;
	for (; exponent > 0 && rest != 0; exponent--)
		rest = multiply_mod(rest, 10, b.digits);
	return rest == 0;
}
