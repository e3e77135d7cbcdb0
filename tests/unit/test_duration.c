/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/duration.h"

#define DAY_MS UINT64_C(86400000)

struct good {
	const char *text;
	uint64_t ms;
};

static void
durations_are_read_exactly(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"0", 0},
	    {"0s", 0},
	    {"0ms", 0},
	    {"0.0s", 0},
	    {"0d0h0m0s0ms", 0},
	    {"1ms", 1},
	    {"250ms", 250},
	    {"1s", 1000},
	    {"30s", 30000},
	    {"030s", 30000},
	    {"1.5s", 1500},
	    {"1m", 60000},
	    {"90m", 5400000},
	    {"1h30m", 5400000},
	    {"1.5h", 5400000},
	    {"1d", DAY_MS},
	    {"1d2h3m4s5ms", DAY_MS + 7200000 + 180000 + 4000 + 5},
	    {"1d5ms", DAY_MS + 5},
	    {"1m90s", 150000},
	    {"0.001s", 1},
	    {"1.5m0.25s", 90250},
	    {"3650d", W_DURATION_MAX_MS},
	    {"3649d23h59m59s999ms", W_DURATION_MAX_MS - 1},
	    {"315360000000ms", W_DURATION_MAX_MS},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = 77;
		assert_int_equal(
		    w_duration_parse(cases[i].text, &ms, NULL), WRIT_OK);
		assert_int_equal(ms, cases[i].ms);
	}
}

static void
fractions_round_down_but_never_to_zero(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"1.9ms", 1},
	    {"0.1ms", 1},
	    {"0.000000000000000000000000000001s", 1},
	    {"0.0009s", 1},
	    {"1.9999s", 1999},
	    {"0.3333333333333333s", 333},
	    {"0.30000000000000004s", 300},
	    {"0.29999999999999999s", 299},
	    {"0.1d", DAY_MS / 10},
	    {"0.00000001157407407407407d", 1},
	    /* Rounded after the sum, not before. */
	    {"0.0005s0.5ms", 1},
	    {"1.0005s0.4999999999999999999999ms", 1000},
	    {"1.0005s0.5000000000000000000000ms", 1001},
	    {"0.99999999999999999999m0.00000000000000000059999999s", 59999},
	    {"0.99999999999999999999m0.0000000000000000006s", 60000},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = 77;
		assert_int_equal(
		    w_duration_parse(cases[i].text, &ms, NULL), WRIT_OK);
		assert_int_equal(ms, cases[i].ms);
	}
}

static void
bad_durations_are_refused_with_the_reason(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
	    {"", "it is empty"},
	    {"10", "a unit is missing"},
	    {"00", "a unit is missing"},
	    {"0.0", "a unit is missing"},
	    {"1.5", "a unit is missing"},
	    {"1h30", "a unit is missing"},
	    {"s", "a number is missing"},
	    {"ms5", "a number is missing"},
	    {"-5s", "it is negative"},
	    {"+5s", "a number is missing"},
	    {" 5s", "blanks are not allowed"},
	    {"5 s", "blanks are not allowed"},
	    {"5s ", "blanks are not allowed"},
	    {"5s\n", "blanks are not allowed"},
	    {"1h 30m", "blanks are not allowed"},
	    {".5s", "the point needs digits around it"},
	    {"5.s", "the point needs digits around it"},
	    {"1h.5s", "the point needs digits around it"},
	    {"1.2.3s", "the point needs digits around it"},
	    {"5sec", "unknown unit"},
	    {"5S", "unknown unit"},
	    {"5us", "unknown unit"},
	    {"1w", "unknown unit"},
	    {"0x10s", "unknown unit"},
	    {"1,5s", "unknown unit"},
	    {"1e3s", "unknown unit"},
	    {"5\xc2\xb5s", "unknown unit"},
	    {"1s1m", "larger units must come first"},
	    {"1ms1d", "larger units must come first"},
	    {"1s1s", "a unit comes twice"},
	    {"1ms2ms", "a unit comes twice"},
	    {"1d1h1m1s1ms1ms", "a unit comes twice"},
	    {"1d1h1m1s1ms1s", "larger units must come first"},
	    {"3651d", "it is more than 3650d"},
	    {"3650d1ms", "it is more than 3650d"},
	    {"3650d0.1ms", "it is more than 3650d"},
	    {"3649.9999999999999d24h", "it is more than 3650d"},
	    {"18446744073709551615ms", "it is more than 3650d"},
	    {"18446744073709551616ms", "it is more than 3650d"},
	    {"18446744073709551615d", "it is more than 3650d"},
	    {"99999999999999999999999999999999s", "it is more than 3650d"},
	    {"213503982334d18446744073709551615ms", "it is more than 3650d"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = 77;
		writ_error err;
		assert_int_equal(
		    w_duration_parse(cases[i].text, &ms, &err), WRIT_E_INVALID);
		assert_int_equal(ms, 77);
		assert_string_equal(err.stage, "duration");
		assert_string_equal(
		    strrchr(err.message, ':') + 2, cases[i].why);
		assert_true(err.suggestion[0] != '\0');
	}
}

static void
missing_unit_suggests_one(void **state)
{
	(void)state;
	uint64_t ms;
	writ_error err;
	assert_int_equal(w_duration_parse("10", &ms, &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "bad duration '10': a unit is missing");
	assert_string_equal(err.suggestion, "write '10s' if seconds are meant");
	assert_int_equal(w_duration_parse("10", &ms, NULL), WRIT_E_INVALID);
}

static void
endless_text_keeps_the_reason_in_the_message(void **state)
{
	(void)state;
	char text[5000];
	memset(text, '9', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	uint64_t ms;
	writ_error err;
	assert_int_equal(w_duration_parse(text, &ms, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "9...': a unit is missing"));

	text[1] = '.';
	text[sizeof(text) - 2] = 's';
	assert_int_equal(w_duration_parse(text, &ms, &err), WRIT_OK);
	assert_int_equal(ms, 9999);
}

static void
durations_are_written_in_their_short_form(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"0s", 0},
	    {"1ms", 1},
	    {"250ms", 250},
	    {"999ms", 999},
	    {"1s", 1000},
	    {"1.001s", 1001},
	    {"1.05s", 1050},
	    {"1.5s", 1500},
	    {"59.999s", 59999},
	    {"1m", 60000},
	    {"1m1ms", 60001},
	    {"1m30s", 90000},
	    {"1h30m", 5400000},
	    {"1h500ms", 3600500},
	    {"1d", DAY_MS},
	    {"1d1.5s", DAY_MS + 1500},
	    {"3650d", W_DURATION_MAX_MS},
	    {"213503982334d14h25m51.615s", UINT64_MAX},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[W_DURATION_TEXT_MAX];
		w_duration_format(cases[i].ms, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void
what_is_written_reads_back(void **state)
{
	(void)state;
	uint64_t ms = 0;
	while (ms <= W_DURATION_MAX_MS) {
		char text[W_DURATION_TEXT_MAX];
		uint64_t back = 77;
		w_duration_format(ms, text);
		assert_int_equal(w_duration_parse(text, &back, NULL), WRIT_OK);
		assert_int_equal(back, ms);
		ms += 1 + ms / 97;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(durations_are_read_exactly),
	    cmocka_unit_test(fractions_round_down_but_never_to_zero),
	    cmocka_unit_test(bad_durations_are_refused_with_the_reason),
	    cmocka_unit_test(missing_unit_suggests_one),
	    cmocka_unit_test(endless_text_keeps_the_reason_in_the_message),
	    cmocka_unit_test(durations_are_written_in_their_short_form),
	    cmocka_unit_test(what_is_written_reads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
