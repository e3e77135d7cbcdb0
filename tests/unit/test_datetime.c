/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/options/datetime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "log/log_format.h"

#define S UINT64_C(1000000)

/* 2026-11-16T04:20:05.123456Z */
#define NOW (UINT64_C(1794802805) * S + 123456)

static void
in_zone(const char *zone)
{
	assert_int_equal(setenv("TZ", zone, 1), 0);
	tzset();
}

static void
expect(const char *text, bool is_end, const char *utc)
{
	char out[W_LOG_TIME_LEN + 1];
	uint64_t us = 0;
	writ_error err;

	assert_int_equal(
	    w_datetime_parse(text, NOW, is_end, &us, &err), WRIT_OK);
	w_log_time_format(us, out);
	assert_string_equal(out, utc);
}

static void
refuse(const char *text)
{
	uint64_t us = 7;
	writ_error err;

	assert_int_equal(
	    w_datetime_parse(text, NOW, false, &us, &err), WRIT_E_INVALID);
	assert_int_equal(us, 7);
	assert_non_null(strstr(err.message, "expected a time like"));
}

static void
a_duration_is_that_long_ago(void **state)
{
	(void)state;
	expect("2h", false, "2026-11-16T02:20:05.123456Z");
	expect("3d", true, "2026-11-13T04:20:05.123456Z");
	expect("1h30m", false, "2026-11-16T02:50:05.123456Z");
	expect("0", false, "2026-11-16T04:20:05.123456Z");
	/* Ten years. */
	expect("3650d", false, "2016-11-18T04:20:05.123456Z");
}

static void
a_day_begins_and_ends_in_local_time(void **state)
{
	(void)state;
	in_zone("UTC");
	expect("2026-11-16", false, "2026-11-16T00:00:00.000000Z");
	expect("2026-11-16", true, "2026-11-16T23:59:59.999999Z");
	in_zone("IST-5:30");
	expect("2026-11-16", false, "2026-11-15T18:30:00.000000Z");
	expect("today", false, "2026-11-15T18:30:00.000000Z");
	in_zone("PST8PDT,M3.2.0,M11.1.0");
	expect("today", false, "2026-11-15T08:00:00.000000Z");
	expect("yesterday", false, "2026-11-14T08:00:00.000000Z");
	expect("yesterday", true, "2026-11-15T07:59:59.999999Z");
}

static void
a_time_is_local_unless_it_has_a_zone(void **state)
{
	(void)state;
	in_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	expect("2026-11-16T04:20", false, "2026-11-16T03:20:00.000000Z");
	expect("2026-11-16 04:20", true, "2026-11-16T03:20:00.000000Z");
	expect("2026-07-01T04:20:05.5", false, "2026-07-01T02:20:05.500000Z");
	expect("2026-11-16T04:20:00Z", false, "2026-11-16T04:20:00.000000Z");
	expect("2026-11-16T04:20:00.123456789z", false,
	    "2026-11-16T04:20:00.123456Z");
	expect(
	    "2026-11-16T04:20:00+05:30", false, "2026-11-15T22:50:00.000000Z");
	expect("2026-11-16T04:20-0100", false, "2026-11-16T05:20:00.000000Z");
}

static void
what_is_no_time_is_refused(void **state)
{
	static const char *const texts[] = {"", "5", "2026", "2026-11",
	    "2026-13-01", "2026-02-30", "2026-11-16T", "2026-11-16T4:20",
	    "2026-11-16T24:00", "2026-11-16T04:60", "2026-11-16T04:20:60",
	    "2026-11-16T04:20+1", "2026-11-16T04:20+25:00",
	    "2026-11-16T04:20Z ", "2026-11-16x", "1969-12-31T00:00Z",
	    "1970-01-01T00:00+01:00", "tomorrow", "-2h", "2 h",
	    "\033[2J2026-11-16"};

	(void)state;
	in_zone("UTC");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refuse(texts[i]);
}

static void
today_is_shown_as_a_time_and_other_days_as_days(void **state)
{
	char out[W_DATETIME_MAX];

	(void)state;
	in_zone("IST-5:30");
	w_datetime_format_short(NOW, NOW, out);
	assert_string_equal(out, "09:50:05");
	w_datetime_format_short(NOW - 10 * 3600 * S, NOW, out);
	assert_string_equal(out, "2026-11-15 23:50");
	/* The same day of another year. */
	w_datetime_format_short(NOW - UINT64_C(365) * 86400 * S, NOW, out);
	assert_string_equal(out, "2025-11-16 09:50");
}

static void
a_whole_time_can_be_read_back(void **state)
{
	char out[W_DATETIME_MAX];

	(void)state;
	in_zone("UTC");
	w_datetime_format(NOW, out);
	assert_string_equal(out, "2026-11-16T04:20:05.123Z");
	in_zone("IST-5:30");
	w_datetime_format(NOW, out);
	assert_string_equal(out, "2026-11-16T09:50:05.123+05:30");
	in_zone("NST3:30");
	w_datetime_format(NOW, out);
	assert_string_equal(out, "2026-11-16T00:50:05.123-03:30");
	expect(out, false, "2026-11-16T04:20:05.123000Z");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_duration_is_that_long_ago),
	    cmocka_unit_test(a_day_begins_and_ends_in_local_time),
	    cmocka_unit_test(a_time_is_local_unless_it_has_a_zone),
	    cmocka_unit_test(what_is_no_time_is_refused),
	    cmocka_unit_test(today_is_shown_as_a_time_and_other_days_as_days),
	    cmocka_unit_test(a_whole_time_can_be_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
