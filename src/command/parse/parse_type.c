/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether a word is a value of a type.
 *
 * Numbers must be plain: what some programs read as octal ("010") or as
 * relative ("+5") is no integer here, since it would be rendered as another
 * word.
 */

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "command/parse/argv_parser.h"

/* Digits of the longest number accepted. */
#define NUMBER_MAX 64

static bool
is_integer(const struct w_value_type *type, const char *text, size_t len)
{
	bool is_negative = len > 0 && text[0] == '-';
	size_t at = is_negative ? 1 : 0;
	int64_t value = 0;

	if (at == len || (text[at] == '0' && len > 1))
		return false;
	for (; at < len; at++) {
		int digit = text[at] - '0';

		if (!w_is_digit(text[at]) ||
		    __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(
			value, is_negative ? -digit : digit, &value))
			return false;
	}
	return value >= type->min && value <= type->max;
}

/* As in JSON, so that the word can be used there unchanged. */
static bool
parse_type_is_number(const char *text, size_t len)
{
	char copy[NUMBER_MAX + 1];
	yyjson_val number;

	if (len == 0 || len > NUMBER_MAX)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	const char *end = yyjson_read_number(copy, &number, 0, NULL, NULL);
	return end == copy + len &&
	       (!yyjson_is_real(&number) || isfinite(yyjson_get_real(&number)));
}

/* Digits with at most one point; the number of bytes, 0: none. */
static size_t
scan_decimal(const char *text, size_t len)
{
	size_t at = 0;
	size_t points = 0;
	size_t digits = 0;

	for (; at < len; at++) {
		if (w_is_digit(text[at]))
			digits++;
		else if (text[at] == '.' && points == 0)
			points++;
		else
			break;
	}
	return digits > 0 ? at : 0;
}

static bool
parse_type_is_one_of(const char *text, size_t len, const char *const *words)
{
	for (; words != NULL && *words != NULL; words++) {
		if (strlen(*words) == len && memcmp(*words, text, len) == 0)
			return true;
	}
	return false;
}

/* "5", "1.5s", "1h30m", "infinity". */
static bool
is_duration(const char *text, size_t len)
{
	static const char *const units[] = {
	    "ns", "us", "ms", "s", "m", "h", "d", "w", NULL};
	static const char *const endless[] = {"inf", "infinity", NULL};
	size_t at = 0;

	if (len == 0 || parse_type_is_one_of(text, len, endless))
		return len > 0;
	while (at < len) {
		size_t digits = scan_decimal(text + at, len - at);
		const char *letters = text + at + digits;
		size_t unit = 0;

		while (at + digits + unit < len && letters[unit] != '.' &&
		       !w_is_digit(letters[unit]))
			unit++;
		if (digits == 0)
			return false;
		/* Only a single number needs no unit. */
		if (unit == 0)
			return digits == len;
		if (!parse_type_is_one_of(letters, unit, units))
			return false;
		at += digits + unit;
	}
	return true;
}

static bool
is_letter_of(char c, const char *letters)
{
	return c != '\0' && strchr(letters, c) != NULL;
}

/* "10", "4k", "1MiB". */
static bool
is_size(const char *text, size_t len)
{
	size_t at = len > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
	size_t digits = scan_decimal(text + at, len - at);

	if (digits == 0)
		return false;
	at += digits;
	if (at == len)
		return true;
	if (len - at == 1 && is_letter_of(text[at], "bBcw"))
		return true;
	if (!is_letter_of(text[at], "kKmMgGtTpPeEzZyY"))
		return false;
	at++;
	if (at < len && text[at] == 'i')
		at++;
	if (at < len && (text[at] == 'B' || text[at] == 'b'))
		at++;
	return at == len;
}

bool
w_argv_parse_accepts(
    const struct w_value_type *type, const char *text, size_t len)
{
	switch (type->kind) {
	case W_VALUE_INTEGER:
		return is_integer(type, text, len);
	case W_VALUE_NUMBER:
		return parse_type_is_number(text, len);
	case W_VALUE_DURATION:
		return is_duration(text, len);
	case W_VALUE_SIZE:
		return is_size(text, len);
	case W_VALUE_CHOICE:
		return parse_type_is_one_of(text, len, type->choices);
	case W_VALUE_ASSIGNMENT:
		return len > 0 && text[0] != '=' &&
		       memchr(text, '=', len) != NULL;
	case W_VALUE_HOST:
	case W_VALUE_REMOTE:
		/* ssh used to take such a host for an option. */
		return len > 0 && text[0] != '-';
	case W_VALUE_TEXT:
	case W_VALUE_PATH:
	case W_VALUE_URL:
	case W_VALUE_REVISION:
	case W_VALUE_REGEX:
	case W_VALUE_GLOB:
	case W_VALUE_SECRET:
	case W_VALUE_HEADER:
	case W_VALUE_DATA:
	case W_VALUE_MULTIPART:
	case W_VALUE_COMMAND:
	case W_VALUE_PROGRAM:
	case W_VALUE_SCRIPT:
		return true;
	}
	return false;
}
