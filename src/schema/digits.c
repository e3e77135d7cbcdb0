/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Numbers as decimal digits. JSON numbers have any size; those that do not fit
 * a machine type are kept as text, and this file handles all kinds alike. A
 * fraction is the shortest decimal that reads back as the same double: what was
 * written.
 */

#include "schema/digits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "schema/hash.h"

/* Enough digits for any double to round-trip. */
#define PRECISION_MAX 17

/* Keeps additions of exponents from overflowing. */
#define EXPONENT_MAX (INT64_C(1) << 40)

static int64_t
read_exponent(const char *text, const char *end)
{
	bool is_negative = text < end && *text == '-';
	int64_t exponent = 0;

	if (text < end && (*text == '-' || *text == '+'))
		text++;
	for (; text < end && exponent < EXPONENT_MAX; text++)
		exponent = exponent * 10 + (*text - '0');
	return is_negative ? -exponent : exponent;
}

/* Reads a JSON number. snprintf() may have written a locale's decimal point,
 * which is neither a digit nor an 'e'. */
static struct w_digits
read_digits(const char *text, size_t len)
{
	struct w_digits digits = {.is_negative = len > 0 && text[0] == '-'};
	const char *end = text + len;
	bool is_fraction = false;
	size_t read = 0; /* digits since the first that is not 0 */

	for (; text < end && *text != 'e' && *text != 'E'; text++) {
		if (!w_is_digit(*text)) {
			is_fraction |= *text != '-';
			continue;
		}
		if (digits.text == NULL && *text == '0') {
			digits.exponent -= is_fraction ? 1 : 0;
			continue;
		}
		if (digits.text == NULL)
			digits.text = text;
		read++;
		digits.count = *text != '0' ? read : digits.count;
		digits.exponent += is_fraction ? 0 : 1;
	}
	if (text < end)
		digits.exponent += read_exponent(text + 1, end);
	if (digits.text == NULL)
		return (struct w_digits){.text = ""};
	return digits;
}

static void
write_shortest(double real, char room[W_DIGITS_ROOM])
{
	for (int precision = 0; precision < PRECISION_MAX; precision++) {
		(void)snprintf(room, W_DIGITS_ROOM, "%.*e", precision, real);
		double back = strtod(room, NULL);
		if (!(back < real) && !(back > real))
			return;
	}
}

struct w_digits
w_digits_of(yyjson_val *value, char room[W_DIGITS_ROOM])
{
	if (yyjson_is_raw(value))
		return read_digits(
		    yyjson_get_raw(value), yyjson_get_len(value));
	if (yyjson_is_real(value))
		write_shortest(yyjson_get_real(value), room);
	else if (yyjson_is_sint(value))
		(void)snprintf(
		    room, W_DIGITS_ROOM, "%" PRId64, yyjson_get_sint(value));
	else
		(void)snprintf(
		    room, W_DIGITS_ROOM, "%" PRIu64, yyjson_get_uint(value));
	return read_digits(room, strlen(room));
}

/* Reads the next digit and skips anything else. */
static char
next_digit(const char **at)
{
	while (!w_is_digit(**at))
		++*at;
	return *(*at)++;
}

static int
compare_sizes(const struct w_digits *a, const struct w_digits *b)
{
	const char *left = a->text;
	const char *right = b->text;
	size_t both = a->count < b->count ? a->count : b->count;

	if (a->exponent != b->exponent)
		return a->exponent < b->exponent ? -1 : 1;
	for (size_t i = 0; i < both; i++) {
		char x = next_digit(&left);
		char y = next_digit(&right);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return a->count < b->count ? -1 : a->count > b->count;
}

int
w_digits_compare(const struct w_digits *a, const struct w_digits *b)
{
	int a_sign = a->count == 0 ? 0 : a->is_negative ? -1 : 1;
	int b_sign = b->count == 0 ? 0 : b->is_negative ? -1 : 1;

	if (a_sign != b_sign || a_sign == 0)
		return a_sign - b_sign;
	return a_sign * compare_sizes(a, b);
}

bool
w_digits_is_whole(const struct w_digits *digits)
{
	return digits->exponent >= 0 &&
	       (uint64_t)digits->exponent >= digits->count;
}

uint64_t
w_digits_whole(const struct w_digits *digits)
{
	const char *at = digits->text;
	uint64_t whole = 0;

	for (size_t i = 0; i < digits->count; i++)
		whole = whole * 10 + (uint64_t)(next_digit(&at) - '0');
	return whole;
}

uint64_t
w_digits_modulo(const struct w_digits *digits, uint64_t modulus)
{
	const char *at = digits->text;
	uint64_t rest = 0;

	for (size_t i = 0; i < digits->count; i++) {
		__extension__ unsigned __int128 next =
		    (unsigned __int128)rest * 10 +
		    (unsigned)(next_digit(&at) - '0');
		rest = (uint64_t)(next % modulus);
	}
	return rest;
}

uint64_t
w_digits_hash(const struct w_digits *digits)
{
	const char *at = digits->text;
	uint64_t hash = (uint64_t)digits->exponent + digits->count;

	for (size_t i = 0; i < digits->count; i++)
		hash = w_hash_mix(hash, (unsigned char)next_digit(&at));
	return hash;
}
