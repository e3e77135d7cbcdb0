/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses and formats times. The C library does the calendar; the text is
 * parsed here, because strptime() skips blanks and accepts 31 February.
 */

#include "cli/options/datetime.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "base/error.h"

#define US_PER_S  UINT64_C(1000000)
#define US_PER_MS UINT64_C(1000)

struct parsed_time {
	struct tm day; /* date and time of day */
	uint64_t us;   /* within the second */
	bool has_time;
	bool has_zone;
	long east_s; /* UTC offset */
};

/* Reads exactly count digits. */
static bool
datetime_take_number(const char **at, size_t count, int *out)
{
	int value = 0;

	for (size_t i = 0; i < count; i++) {
		const char c = (*at)[i];

		if (c < '0' || c > '9')
			return false;
		value = value * 10 + (c - '0');
	}
	*at += count;
	*out = value;
	return true;
}

static bool
datetime_take_char(const char **at, const char *any)
{
	if (**at == '\0' || strchr(any, **at) == NULL)
		return false;
	(*at)++;
	return true;
}

static bool
take_day(const char **at, struct tm *day)
{
	if (!datetime_take_number(at, 4, &day->tm_year) ||
	    !datetime_take_char(at, "-") ||
	    !datetime_take_number(at, 2, &day->tm_mon) ||
	    !datetime_take_char(at, "-") ||
	    !datetime_take_number(at, 2, &day->tm_mday))
		return false;
	day->tm_year -= 1900;
	day->tm_mon -= 1;
	return true;
}

static bool
datetime_take_time(const char **at, struct parsed_time *parsed)
{
	struct tm *day = &parsed->day;

	if (!datetime_take_number(at, 2, &day->tm_hour) ||
	    !datetime_take_char(at, ":") ||
	    !datetime_take_number(at, 2, &day->tm_min))
		return false;
	if (datetime_take_char(at, ":") &&
	    !datetime_take_number(at, 2, &day->tm_sec))
		return false;
	if (datetime_take_char(at, ".")) {
		uint64_t unit_us = US_PER_S / 10;

		for (; **at >= '0' && **at <= '9'; (*at)++) {
			parsed->us += (uint64_t)(**at - '0') * unit_us;
			unit_us /= 10;
		}
	}
	parsed->has_time = true;
	return day->tm_hour < 24 && day->tm_min < 60 && day->tm_sec < 60;
}

static bool
take_zone(const char **at, struct parsed_time *parsed)
{
	const char sign = **at;
	int hours;
	int minutes;

	parsed->has_zone = datetime_take_char(at, "Zz+-");
	if (!parsed->has_zone || sign == 'Z' || sign == 'z')
		return true;
	if (!datetime_take_number(at, 2, &hours))
		return false;
	(void)datetime_take_char(at, ":");
	if (!datetime_take_number(at, 2, &minutes) || hours > 23 ||
	    minutes > 59)
		return false;
	parsed->east_s = (sign == '-' ? -60L : 60L) * (hours * 60 + minutes);
	return true;
}

static bool
take_datetime(const char *text, struct parsed_time *parsed)
{
	if (!take_day(&text, &parsed->day))
		return false;
	if (datetime_take_char(&text, "Tt ") &&
	    (!datetime_take_time(&text, parsed) || !take_zone(&text, parsed)))
		return false;
	return *text == '\0';
}

/* false: no such day, or it is before 1970. */
static bool
to_us(const struct parsed_time *parsed, uint64_t *out_us)
{
	struct tm tm = parsed->day;

	tm.tm_isdst = -1;
	time_t s = parsed->has_zone ? timegm(&tm) : mktime(&tm);
	if (tm.tm_mday != parsed->day.tm_mday ||
	    tm.tm_mon != parsed->day.tm_mon || s < parsed->east_s)
		return false;
	*out_us = (uint64_t)(s - parsed->east_s) * US_PER_S + parsed->us;
	return true;
}

/* Midnight of today plus so many days, in local time. */
static struct parsed_time
day_near(uint64_t now_us, int days)
{
	struct parsed_time parsed = {.us = 0};
	const time_t now_s = (time_t)(now_us / US_PER_S);

	(void)localtime_r(&now_s, &parsed.day);
	parsed.day.tm_hour = 12;
	parsed.day.tm_min = 0;
	parsed.day.tm_sec = 0;
	parsed.day.tm_mday += days;
	/* mktime() normalizes the day. Noon: no DST change skips it. */
	(void)mktime(&parsed.day);
	parsed.day.tm_hour = 0;
	return parsed;
}

static bool
parse_absolute(const char *text, uint64_t now_us, bool is_end, uint64_t *out_us)
{
	struct parsed_time parsed = {.us = 0};

	if (strcmp(text, "today") == 0)
		parsed = day_near(now_us, 0);
	else if (strcmp(text, "yesterday") == 0)
		parsed = day_near(now_us, -1);
	else if (!take_datetime(text, &parsed))
		return false;
	if (!is_end || parsed.has_time)
		return to_us(&parsed, out_us);

	parsed.day.tm_hour = 23;
	parsed.day.tm_min = 59;
	parsed.day.tm_sec = 59;
	parsed.us = US_PER_S - 1;
	return to_us(&parsed, out_us);
}

writ_status
w_datetime_parse(const char *text, uint64_t now_us, bool is_end,
    uint64_t *out_us, writ_error *err)
{
	uint64_t ms;

	if (parse_absolute(text, now_us, is_end, out_us))
		return WRIT_OK;
	if (w_duration_parse(text, &ms, NULL) == WRIT_OK) {
		*out_us = now_us > ms * US_PER_MS ? now_us - ms * US_PER_MS : 0;
		return WRIT_OK;
	}
	return w_fail(err, WRIT_E_INVALID, "usage", 0,
	    "expected a time like 2h, 3d, 2026-11-16 or 2026-11-16T04:20, "
	    "got '%s'",
	    text);
}

uint64_t
w_datetime_now(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * US_PER_S + (uint64_t)now.tv_nsec / 1000;
}

static struct tm
local_of(uint64_t us)
{
	const time_t s = (time_t)(us / US_PER_S);
	struct tm tm = {.tm_year = 70};

	(void)localtime_r(&s, &tm);
	return tm;
}

void
w_datetime_format_short(uint64_t us, uint64_t now_us, char out[W_DATETIME_MAX])
{
	const struct tm tm = local_of(us);
	const struct tm now = local_of(now_us);
	const bool is_today =
	    tm.tm_year == now.tm_year && tm.tm_yday == now.tm_yday;

	out[0] = '\0';
	(void)strftime(
	    out, W_DATETIME_MAX, is_today ? "%H:%M:%S" : "%Y-%m-%d %H:%M", &tm);
}

void
w_datetime_format(uint64_t us, char out[W_DATETIME_MAX])
{
	const struct tm tm = local_of(us);
	const long east = tm.tm_gmtoff / 60;
	char day[32] = "";

	(void)strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	int len = snprintf(out, W_DATETIME_MAX, "%s.%03u", day,
	    (unsigned)(us % US_PER_S / US_PER_MS));
	if (east == 0)
		(void)snprintf(out + len, W_DATETIME_MAX - (size_t)len, "Z");
	else
		(void)snprintf(out + len, W_DATETIME_MAX - (size_t)len,
		    "%c%02ld:%02ld", east < 0 ? '-' : '+',
		    (east < 0 ? -east : east) / 60,
		    (east < 0 ? -east : east) % 60);
}
