/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "manifest/session/event.h"

static void
the_names_are_those_of_the_protocol(void **state)
{
	const writ_apply_summary summary = {
	    .start_us = UINT64_C(1800000000000000),
	    .duration_ns = 1,
	    .total = 2,
	    .unique = 3,
	    .changed = 4,
	    .failed = 5,
	    .skipped = 6,
	    .stable = 7,
	    .refreshed = 8,
	    .unmet = 9,
	    .checked = 10,
	    .health = {11, 12, 13, 14},
	    .errors = 15,
	};
	struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 10000);
	w_event_summary_add_json(&buf, &summary);
	assert_string_equal(buf.data,
	    "{\"start_time\":\"2027-01-15T08:00:00.000000Z\","
	    "\"end_time\":null,\"total_duration\":1,\"total_resources\":2,"
	    "\"unique_resources\":3,\"changed_resources\":4,"
	    "\"failed_resources\":5,\"skipped_resources\":6,"
	    "\"stable_resources\":7,\"refreshed_count\":8,"
	    "\"requirements_unmet_count\":9,\"health_checked_count\":10,"
	    "\"health_check_ok_count\":11,\"health_check_warning_count\":12,"
	    "\"health_check_critical_count\":13,"
	    "\"health_check_unknown_count\":14,\"total_errors\":15}");
	w_buf_done(&buf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_names_are_those_of_the_protocol),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
