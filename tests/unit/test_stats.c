/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trail_maker.h"

static struct temp temp;
static struct maker maker;
static writ_audit *audit;
static char heard[1024];

static int
set_up(void **state)
{
	const struct made_run made = {.run = "C3",
	    .agent = "reviewer",
	    .argv = "[\"ls\"]",
	    .program = "/usr/bin/ls"};

	(void)state;
	temp_open(&temp);
	maker_start(&maker, &temp);
	maker_ran(&maker, "A1", 0);
	maker_ran(&maker, "B2", 3);
	maker.time_us = MAKER_START + 24 * 3600 * MAKER_STEP;
	maker_begin(&maker, &made);
	maker_refused(&maker, "D4");
	audit = maker_open(&temp, false);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_audit_free(audit);
	temp_close(&temp);
	return 0;
}

static bool
hear(void *ctx, const writ_audit_count *row)
{
	size_t len = strlen(heard);

	(void)ctx;
	(void)snprintf(heard + len, sizeof(heard) - len,
	    "%s:%" PRIu64 "/%" PRIu64 "/%" PRIu64 " ", row->name, row->runs,
	    row->failed, row->refused);
	return true;
}

static const char *
count_by(const char *by)
{
	writ_error err = {0};

	heard[0] = '\0';
	if (writ_audit_stats(audit, NULL, by, hear, NULL, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return heard;
}

static void
runs_are_counted_by_what_they_have_in_common(void **state)
{
	(void)state;
	assert_string_equal(count_by("all"), "all:4/1/1 ");
	assert_string_equal(
	    count_by("program"), "git:2/1/0 ls:1/0/0 nowhere:1/0/1 ");
	assert_string_equal(count_by("agent"), "none:3/1/1 reviewer:1/0/0 ");
	assert_string_equal(
	    count_by("outcome"), "exited:2/1/0 lost:1/0/0 not_found:1/0/1 ");
	assert_string_equal(count_by("sandbox"), "none:4/1/1 ");
	assert_string_equal(
	    count_by("day"), "2026-11-16:2/1/0 2026-11-17:2/0/1 ");
}

static bool
check_sums(void *ctx, const writ_audit_count *row)
{
	(void)ctx;
	assert_int_equal(row->duration_ms, 80);
	assert_int_equal(row->longest_ms, 40);
	assert_int_equal(row->cpu_ms, 14);
	assert_int_equal(row->out_bytes, 34);
	return false;
}

static void
sums_are_those_of_the_records(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	filter.program = "git";
	assert_int_equal(
	    writ_audit_stats(audit, &filter, "program", check_sums, NULL, NULL),
	    WRIT_OK);
}

static void
an_unknown_way_to_count_is_refused(void **state)
{
	writ_error err;

	(void)state;
	assert_int_equal(
	    writ_audit_stats(audit, NULL, "programm", hear, NULL, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.suggestion, "did you mean 'program'?");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(runs_are_counted_by_what_they_have_in_common),
	    CASE(sums_are_those_of_the_records),
	    CASE(an_unknown_way_to_count_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
