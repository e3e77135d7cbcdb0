/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses and formats sizes in bytes. A fraction of a byte is dropped, but a
 * non-zero size never becomes zero.
 */

#include "base/size.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/encode.h"

#define STAGE "size"

/* How much of a bad text a message quotes. */
#define SHOWN_MAX 60

static const struct unit {
	const char *name;
	uint64_t bytes;
} units[] = {
    {"", 1},
    {"B", 1},
    {"K", UINT64_C(1) << 10},
    {"KiB", UINT64_C(1) << 10},
    {"M", UINT64_C(1) << 20},
    {"MiB", UINT64_C(1) << 20},
    {"G", UINT64_C(1) << 30},
    {"GiB", UINT64_C(1) << 30},
    {"T", UINT64_C(1) << 40},
    {"TiB", UINT64_C(1) << 40},
    {"kB", 1000},
    {"MB", UINT64_C(1000) * 1000},
    {"GB", UINT64_C(1000) * 1000 * 1000},
    {"TB", UINT64_C(1000) * 1000 * 1000 * 1000},
};

/* strcasecmp() depends on the locale, and not every locale pairs I with i. */
static bool
is_same_name(const char *a, const char *b)
{
	while (*a != '\0' && w_lower(*a) == w_lower(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

static writ_status
size_refuse(writ_error *err, const char *text, const char *why)
{
	size_t shown = strnlen(text, SHOWN_MAX);

	shown = w_utf8_trim_end(text, shown);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "bad size '%.*s%s': %s",
	    (int)shown, text, text[shown] != '\0' ? "..." : "", why);
	w_suggest(err, "write a number and a unit, such as 64MiB or 1.5G");
	return WRIT_E_INVALID;
}

writ_status
w_size_parse(const char *text, uint64_t *out_bytes, writ_error *err)
{
	struct w_decimal number;
	size_t taken = w_decimal_scan(text, &number);

	if (text[0] == '\0')
		return size_refuse(err, text, "it is empty");
	if (text[0] == '-')
		return size_refuse(err, text, "it is negative");
	if (taken == 0)
		return size_refuse(err, text, "it does not start with a digit");
	if (strpbrk(text, " \t\r\n") != NULL)
		return size_refuse(err, text, "blanks are not allowed");
	if (text[taken] == '.')
		return size_refuse(
		    err, text, "the point needs digits around it");

	const size_t unit_count = sizeof(units) / sizeof(units[0]);
	size_t at = 0;
	while (at < unit_count && !is_same_name(units[at].name, text + taken))
		at++;
	if (at == unit_count)
		return size_refuse(err, text, "unknown unit");
	number.scale = units[at].bytes;
	if (!w_decimal_sum(&number, 1, W_SIZE_MAX, out_bytes))
		return size_refuse(err, text, "it is more than 1048576TiB");
	return WRIT_OK;
}

/* Writes bytes / 2^shift exactly; false: it does not fit into size. */
static bool
write_scaled(uint64_t bytes, unsigned shift, char *out, size_t size)
{
	uint64_t mask = (UINT64_C(1) << shift) - 1;
	uint64_t rest = bytes & mask;
	int len =
	    snprintf(out, size, "%llu", (unsigned long long)(bytes >> shift));
	size_t used = len < 0 ? size : (size_t)len;

	if (rest != 0 && used < size)
		out[used++] = '.';
	for (; rest != 0 && used < size; used++) {
		rest *= 10; /* below 10 * 2^40 */
		out[used] = (char)('0' + (rest >> shift));
		rest &= mask;
	}
	if (used >= size)
		return false;
	out[used] = '\0';
	return true;
}

void
w_size_format(uint64_t bytes, char out[W_SIZE_TEXT_MAX])
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};

	(void)snprintf(
	    out, W_SIZE_TEXT_MAX, "%lluB", (unsigned long long)bytes);
	for (unsigned i = 1; bytes != 0 && i < 5; i++) {
		char number[W_SIZE_TEXT_MAX - 4];

		if (!write_scaled(bytes, 10 * i, number, sizeof(number)))
			continue;
		if (strlen(number) + strlen(names[i]) < strlen(out))
			(void)snprintf(
			    out, W_SIZE_TEXT_MAX, "%s%s", number, names[i]);
	}
}
