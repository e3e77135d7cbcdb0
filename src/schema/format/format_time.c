/* SPDX-License-Identifier: Apache-2.0 */

/* Dates, times and durations (RFC 3339). */

#include <string.h>

#include "schema/format/format_parts.h"

/* Reads exactly count digits; -1: failed. */
static int
take_digits(const char **at, const char *end, int count)
{
	int number = 0;

	if (end - *at < count)
		return -1;
	for (int i = 0; i < count; i++) {
		char c = (*at)[i];

		if (!w_is_digit(c))
			return -1;
		number = number * 10 + (c - '0');
	}
	*at += count;
	return number;
}

static bool
format_time_take_char(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	++*at;
	return true;
}

static int
days_in(int year, int month)
{
	static const int days[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 && is_leap ? 29 : days[month - 1];
}

static bool
take_date(const char **at, const char *end)
{
	const int year = take_digits(at, end, 4);

	if (year < 0 || !format_time_take_char(at, end, '-'))
		return false;

	const int month = take_digits(at, end, 2);

	if (month < 1 || month > 12 || !format_time_take_char(at, end, '-'))
		return false;

	const int day = take_digits(at, end, 2);

	return day >= 1 && day <= days_in(year, month);
}

/* Reads a time zone offset, in minutes east of UTC. */
static bool
take_offset(const char **at, const char *end, int *out_minutes)
{
	if (format_time_take_char(at, end, 'Z') ||
	    format_time_take_char(at, end, 'z')) {
		*out_minutes = 0;
		return true;
	}

	const bool is_west = format_time_take_char(at, end, '-');

	if (!is_west && !format_time_take_char(at, end, '+'))
		return false;

	const int hours = take_digits(at, end, 2);

	if (hours < 0 || hours > 23 || !format_time_take_char(at, end, ':'))
		return false;

	const int minutes = take_digits(at, end, 2);

	if (minutes < 0 || minutes > 59)
		return false;
	*out_minutes = (hours * 60 + minutes) * (is_west ? -1 : 1);
	return true;
}

static bool
take_fraction(const char **at, const char *end)
{
	if (!format_time_take_char(at, end, '.'))
		return true;

	const char *from = *at;

	while (*at < end && w_is_digit(**at))
		++*at;
	return *at > from;
}

static bool
format_time_take_time(const char **at, const char *end)
{
	const int hour = take_digits(at, end, 2);

	if (hour < 0 || hour > 23 || !format_time_take_char(at, end, ':'))
		return false;

	const int minute = take_digits(at, end, 2);

	if (minute < 0 || minute > 59 || !format_time_take_char(at, end, ':'))
		return false;

	const int second = take_digits(at, end, 2);
	int offset;

	if (second < 0 || second > 60 || !take_fraction(at, end) ||
	    !take_offset(at, end, &offset))
		return false;
	if (second < 60)
		return true;

	/* A leap second is the last second of a day in UTC. */
	const int day = 24 * 60;

	return (hour * 60 + minute - offset + day) % day == day - 1;
}

bool
w_format_date(const char *text, size_t len)
{
	const char *at = text;
	const char *end = text + len;

	return take_date(&at, end) && at == end;
}

bool
w_format_time(const char *text, size_t len)
{
	const char *at = text;
	const char *end = text + len;

	return format_time_take_time(&at, end) && at == end;
}

bool
w_format_date_time(const char *text, size_t len)
{
	const char *at = text;
	const char *end = text + len;

	return take_date(&at, end) &&
	       (format_time_take_char(&at, end, 'T') ||
		   format_time_take_char(&at, end, 't')) &&
	       format_time_take_time(&at, end) && at == end;
}

/* Reads numbers with these units, in order and without gaps. Returns how many;
 * -1: invalid. */
static int
take_units(const char **at, const char *end, const char *units)
{
	int count = 0;

	while (*at < end && w_is_digit(**at)) {
		while (*at < end && w_is_digit(**at))
			++*at;

		const char *unit = *at < end ? strchr(units, **at) : NULL;

		if (unit == NULL || **at == '\0' ||
		    (count > 0 && unit != units))
			return -1;
		++*at;
		units = unit + 1;
		count++;
	}
	return count;
}

bool
w_format_duration(const char *text, size_t len)
{
	const char *at = text;
	const char *end = text + len;

	if (!format_time_take_char(&at, end, 'P'))
		return false;
	if (end - at > 1 && end[-1] == 'W')
		return take_units(&at, end, "W") == 1 && at == end;

	const int dates = take_units(&at, end, "YMD");

	if (dates < 0)
		return false;
	if (!format_time_take_char(&at, end, 'T'))
		return dates > 0 && at == end;
	return take_units(&at, end, "HMS") > 0 && at == end;
}
