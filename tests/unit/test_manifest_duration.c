/* SPDX-License-Identifier: Apache-2.0 */

/* Durations of manifests. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "manifest/read/manifest_parser.h"

#define DAY UINT64_C(86400000)

static void
all_units_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t ms;
	} cases[] = {
	    {"0", 0},
	    {"0s", 0},
	    {"30s", 30000},
	    {"5m", 300000},
	    {"1h", 3600000},
	    {"1h30m", 5400000},
	    {"30m1h", 5400000},
	    {"1s1s", 2000},
	    {"250ms", 250},
	    {"1.5s", 1500},
	    {"0.5d", DAY / 2},
	    {"1d", DAY},
	    {"1D", DAY},
	    {"2w", 14 * DAY},
	    {"2W", 14 * DAY},
	    {"1M", 30 * DAY},
	    {"1y", 365 * DAY},
	    {"1Y1M", 395 * DAY},
	    {"2000us", 2},
	    {"2000\xc2\xb5s", 2},
	    {"2000\xce\xbcs", 2},
	    {"3000000ns", 3},
	    {"1s500us", 1000},
	    {"600us600us", 1},
	    /* Non-zero never rounds to zero. */
	    {"1ns", 1},
	    {"0.1ms", 1},
	    {"0ns", 0},
	    {"10y", 3650 * DAY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = 77;
		writ_error err = {.status = WRIT_OK};

		if (w_manifest_duration(cases[i].text, &ms, &err) != WRIT_OK)
			fail_msg("%s", err.message);
		if (ms != cases[i].ms)
			fail_msg("%s is %llu", cases[i].text,
			    (unsigned long long)ms);
	}
}

static void
everything_else_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
	    {"", "invalid duration '': it is empty"},
	    {"invalid", "invalid duration 'invalid': a number is missing"},
	    {"30", "invalid duration '30': a unit is missing"},
	    {"-1s", "invalid duration '-1s': it is negative"},
	    {"1x", "invalid duration '1x': unknown unit"},
	    {"1S", "invalid duration '1S': unknown unit"},
	    {"1 s", "invalid duration '1 s': blanks are not allowed"},
	    {" 1s", "invalid duration ' 1s': blanks are not allowed"},
	    {".5s", "invalid duration '.5s': a number is missing"},
	    {"1.s", "invalid duration '1.s': the point needs digits around it"},
	    {"1s2", "invalid duration '1s2': a unit is missing"},
	    {"11y", "invalid duration '11y': it is more than 3650d"},
	    {"10y1ms", "invalid duration '10y1ms': it is more than 3650d"},
	    {"99999999999999999999999y",
		"invalid duration '99999999999999999999999y': it is more than "
		"3650d"},
	    {"1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s",
		"invalid duration '1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s': it has "
		"too many parts"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = 77;
		writ_error err = {.status = WRIT_OK};

		assert_int_equal(w_manifest_duration(cases[i].text, &ms, &err),
		    WRIT_E_INVALID);
		assert_string_equal(err.message, cases[i].why);
		assert_int_equal(ms, 77);
	}
}

static void
seconds_are_suggested(void **state)
{
	uint64_t ms;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	(void)w_manifest_duration("30", &ms, &err);
	assert_string_equal(err.suggestion, "write '30s' if seconds are meant");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_units_are_read),
	    cmocka_unit_test(everything_else_is_refused),
	    cmocka_unit_test(seconds_are_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
