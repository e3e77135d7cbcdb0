/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses and formats durations. Exact until the last step, which rounds down to
 * whole milliseconds.
 */

#include "base/duration.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/encode.h"

#define STAGE "duration"

/* How much of a bad text a message quotes. */
#define SHOWN_MAX 60

static const struct unit {
	const char *name;
	uint64_t ms;
} units[] = {
    {"d", UINT64_C(24) * 3600 * 1000},
    {"h", UINT64_C(3600) * 1000},
    {"m", UINT64_C(60) * 1000},
    {"s", 1000},
    {"ms", 1},
};

#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

static writ_status
duration_refuse(writ_error *err, const char *text, const char *why)
{
	size_t shown = strnlen(text, SHOWN_MAX);

	shown = w_utf8_trim_end(text, shown);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "bad duration '%.*s%s': %s",
	    (int)shown, text, text[shown] != '\0' ? "..." : "", why);
	w_suggest(err, "write numbers with the units d, h, m, s or ms, such as "
		       "30s, 1h30m or 1.5s");
	return WRIT_E_INVALID;
}

static writ_status
refuse_no_number(writ_error *err, const char *text, const char *at)
{
	if (text[0] == '\0')
		return duration_refuse(err, text, "it is empty");
	if (strpbrk(text, " \t\r\n") != NULL)
		return duration_refuse(err, text, "blanks are not allowed");
	if (text[0] == '-')
		return duration_refuse(err, text, "it is negative");
	if (at[0] == '.')
		return duration_refuse(
		    err, text, "the point needs digits around it");
	return duration_refuse(err, text, "a number is missing");
}

static writ_status
refuse_no_unit(writ_error *err, const char *text, const char *at)
{
	if (strpbrk(text, " \t\r\n") != NULL)
		return duration_refuse(err, text, "blanks are not allowed");
	if (at[0] == '.')
		return duration_refuse(
		    err, text, "the point needs digits around it");
	if (at[0] != '\0')
		return duration_refuse(err, text, "unknown unit");

	(void)duration_refuse(err, text, "a unit is missing");
	if (strlen(text) <= SHOWN_MAX)
		w_suggest(err, "write '%ss' if seconds are meant", text);
	return WRIT_E_INVALID;
}

/* Reads one NUMBER UNIT pair at *cursor. *next is the largest unit still
 * allowed. */
static writ_status
read_pair(const char *text, const char **cursor, size_t *next,
    struct w_decimal *out_term, writ_error *err)
{
	struct w_decimal term;
	size_t taken = w_decimal_scan(*cursor, &term);
	if (taken == 0)
		return refuse_no_number(err, text, *cursor);

	const char *name = *cursor + taken;
	size_t len = strcspn(name, "0123456789. \t\r\n");
	size_t unit = 0;
	while (
	    unit < UNIT_COUNT && (strlen(units[unit].name) != len ||
				     memcmp(units[unit].name, name, len) != 0))
		unit++;
	if (unit == UNIT_COUNT)
		return refuse_no_unit(err, text, name);
	if (unit + 1 == *next)
		return duration_refuse(err, text, "a unit comes twice");
	if (unit < *next)
		return duration_refuse(
		    err, text, "larger units must come first");

	term.scale = units[unit].ms;
	*out_term = term;
	*next = unit + 1;
	*cursor = name + len;
	return WRIT_OK;
}

writ_status
w_duration_parse(const char *text, uint64_t *out_ms, writ_error *err)
{
	struct w_decimal terms[UNIT_COUNT];
	const char *cursor = text;
	size_t count = 0;
	size_t next = 0;

	if (strcmp(text, "0") == 0) {
		*out_ms = 0;
		return WRIT_OK;
	}
	do {
		/* Each pair uses another unit, so count stays below
		 * UNIT_COUNT. */
		writ_status status =
		    read_pair(text, &cursor, &next, &terms[count], err);
		if (status != WRIT_OK)
			return status;
		count++;
	} while (*cursor != '\0');

	if (!w_decimal_sum(terms, count, W_DURATION_MAX_MS, out_ms))
		return duration_refuse(err, text, "it is more than 3650d");
	return WRIT_OK;
}

/* Milliseconds are a fraction of the seconds ("1.5s"), if there are any. */
static void
format_seconds(uint64_t ms, char *out, size_t size)
{
	unsigned seconds = (unsigned)(ms / 1000);
	unsigned rest = (unsigned)(ms % 1000);
	int places = 3;

	if (rest == 0) {
		(void)snprintf(out, size, "%us", seconds);
		return;
	}
	if (seconds == 0) {
		(void)snprintf(out, size, "%ums", rest);
		return;
	}
	while (rest % 10 == 0) {
		rest /= 10;
		places--;
	}
	(void)snprintf(out, size, "%u.%0*us", seconds, places, rest);
}

void
w_duration_format(uint64_t ms, char out[W_DURATION_TEXT_MAX])
{
	bool is_zero = ms == 0;
	size_t used = 0;

	for (size_t i = 0; i < 3; i++) {
		uint64_t amount = ms / units[i].ms;

		ms %= units[i].ms;
		if (amount == 0)
			continue;
		int len = snprintf(out + used, W_DURATION_TEXT_MAX - used,
		    "%llu%s", (unsigned long long)amount, units[i].name);
		used += len > 0 ? (size_t)len : 0;
	}
	if (ms > 0 || is_zero)
		format_seconds(ms, out + used, W_DURATION_TEXT_MAX - used);
}

/* Rounded once, so that 59.96 s is a minute and not 60.0 s. */
void
w_duration_add(struct w_buf *buf, const char *word, uint64_t ms)
{
	enum {
		TENTH_MS = 100,
		MINUTE_TENTHS = 600
	};
	const uint64_t tenths = (ms + TENTH_MS / 2) / TENTH_MS;
	const uint64_t rest = tenths % MINUTE_TENTHS;

	w_buf_add_fmt(buf, "%s ", word);
	if (tenths >= MINUTE_TENTHS)
		w_buf_add_fmt(buf, "%" PRIu64 "m ", tenths / MINUTE_TENTHS);
	w_buf_add_fmt(buf, "%" PRIu64 ".%" PRIu64 "s", rest / 10, rest % 10);
}
