/* SPDX-License-Identifier: Apache-2.0 */

/* Durations of manifests, with more units than elsewhere. */

#include <string.h>

#include "base/decimal.h"
#include "base/duration.h"
#include "base/encode.h"
#include "manifest/read/manifest_parser.h"

#define STAGE     "duration"

#define SHOWN_MAX 60

#define HOUR_MS   UINT64_C(3600000)
#define DAY_MS    (24 * HOUR_MS)

/* Units below a millisecond are summed separately in nanoseconds, so that all
 * factors are integers. */
static const struct unit {
	const char *name;
	uint64_t ms;
	uint64_t ns; /* if ms is 0 */
} units[] = {
    {"ns", 0, 1},
    {"us", 0, 1000},
    {"\xc2\xb5s", 0, 1000}, /* the micro sign */
    {"\xce\xbcs", 0, 1000}, /* the letter mu */
    {"ms", 1, 0},
    {"s", 1000, 0},
    {"m", 60000, 0},
    {"h", HOUR_MS, 0},
    {"d", DAY_MS, 0},
    {"D", DAY_MS, 0},
    {"w", 7 * DAY_MS, 0},
    {"W", 7 * DAY_MS, 0},
    {"M", 30 * DAY_MS, 0},
    {"y", 365 * DAY_MS, 0},
    {"Y", 365 * DAY_MS, 0},
};

#define NS_MAX (UINT64_MAX - 1)

/* Terms counted in the same unit, ms or ns. */
struct terms {
	struct w_decimal items[W_DECIMAL_TERMS_MAX];
	size_t count;
};

static const struct unit *
manifest_duration_find_unit(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) == len &&
		    memcmp(units[i].name, name, len) == 0)
			return &units[i];
	}
	return NULL;
}

static writ_status
manifest_duration_refuse(writ_error *err, const char *text, const char *why)
{
	const size_t shown = w_utf8_trim_end(text, strnlen(text, SHOWN_MAX));

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "invalid duration '%.*s%s': %s", (int)shown, text,
	    text[shown] != '\0' ? "..." : "", why);
	w_suggest(err, "write numbers with units, such as 90s, 1h30m or 250ms");
	return WRIT_E_INVALID;
}

static writ_status
refuse_pair(writ_error *err, const char *text, const char *at, size_t taken)
{
	if (text[0] == '\0')
		return manifest_duration_refuse(err, text, "it is empty");
	if (text[0] == '-')
		return manifest_duration_refuse(err, text, "it is negative");
	if (strpbrk(text, " \t\r\n") != NULL)
		return manifest_duration_refuse(
		    err, text, "blanks are not allowed");
	if (taken == 0)
		return manifest_duration_refuse(
		    err, text, "a number is missing");
	if (at[taken] == '.')
		return manifest_duration_refuse(
		    err, text, "the point needs digits around it");
	if (at[taken] != '\0')
		return manifest_duration_refuse(err, text, "unknown unit");
	(void)manifest_duration_refuse(err, text, "a unit is missing");
	if (strlen(text) <= SHOWN_MAX)
		w_suggest(err, "write '%ss' if seconds are meant", text);
	return WRIT_E_INVALID;
}

static writ_status
sum(const struct terms *large, const struct terms *small, const char *text,
    uint64_t *out_ms, writ_error *err)
{
	uint64_t ms = 0;
	uint64_t ns = 0;

	if (!w_decimal_sum(
		large->items, large->count, W_DURATION_MAX_MS, &ms) ||
	    !w_decimal_sum(small->items, small->count, NS_MAX, &ns) ||
	    ms + ns / 1000000 > W_DURATION_MAX_MS)
		return manifest_duration_refuse(
		    err, text, "it is more than 3650d");
	ms += ns / 1000000;
	/* Non-zero never rounds to zero. */
	*out_ms = ms == 0 && ns > 0 ? 1 : ms;
	return WRIT_OK;
}

writ_status
w_manifest_duration(const char *text, uint64_t *out_ms, writ_error *err)
{
	struct terms large = {.count = 0};
	struct terms small = {.count = 0};
	const char *at = text;

	if (strcmp(text, "0") == 0) {
		*out_ms = 0;
		return WRIT_OK;
	}
	do {
		struct w_decimal term;
		const size_t taken = w_decimal_scan(at, &term);
		const char *name = at + taken;
		const size_t len = strcspn(name, "0123456789. \t\r\n");
		const struct unit *unit =
		    taken > 0 ? manifest_duration_find_unit(name, len) : NULL;

		if (unit == NULL)
			return refuse_pair(err, text, at, taken);
		struct terms *into = unit->ms > 0 ? &large : &small;
		if (into->count == W_DECIMAL_TERMS_MAX)
			return manifest_duration_refuse(
			    err, text, "it has too many parts");
		term.scale = unit->ms > 0 ? unit->ms : unit->ns;
		into->items[into->count++] = term;
		at = name + len;
	} while (*at != '\0');
	return sum(&large, &small, text, out_ms, err);
}
