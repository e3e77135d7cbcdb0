/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/manifest/summary_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const writ_apply_summary sample = {
    .duration_ns = 12000000,
    .total = 7,
    .unique = 6,
    .changed = 2,
    .failed = 1,
    .skipped = 1,
    .stable = 3,
    .refreshed = 1,
    .unmet = 1,
    .errors = 1,
};

static void
an_apply_has_the_words_of_the_original(void **state)
{
	writ_apply_summary summary = sample;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_cli_summary_add_apply(&buf, &summary);
	assert_string_equal(buf.data, "\nManifest Run Summary\n\n"
				      "             Run Time: 12ms\n"
				      "      Total Resources: 7\n"
				      "     Stable Resources: 3\n"
				      "    Changed Resources: 2\n"
				      "     Failed Resources: 1\n"
				      "    Skipped Resources: 1\n"
				      "  Refreshed Resources: 1\n"
				      "   Unmet Requirements: 1\n"
				      "    Checked Resources: 0\n"
				      "         Total Errors: 1\n");
}

static void
checks_are_counted_by_what_they_said(void **state)
{
	writ_apply_summary summary = sample;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	summary.checked = 10;
	summary.health[WRIT_HEALTH_OK] = 1;
	summary.health[WRIT_HEALTH_CRITICAL] = 2;
	summary.health[WRIT_HEALTH_WARNING] = 3;
	summary.health[WRIT_HEALTH_UNKNOWN] = 4;
	w_cli_summary_add_apply(&buf, &summary);
	assert_non_null(strstr(buf.data,
	    "    Checked Resources: 10 (ok: 1, critical: 2, warning: 3, "
	    "unknown: 4)\n"));
}

static void
a_session_counts_unique_resources(void **state)
{
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_cli_summary_add_session(&buf, &sample);
	assert_string_equal(buf.data, "Session Summary\n\n"
				      "             Run Time: 12ms\n"
				      "      Total Resources: 7\n"
				      "     Unique Resources: 6\n"
				      "     Stable Resources: 3\n"
				      "    Changed Resources: 2\n"
				      "     Failed Resources: 1\n"
				      "    Skipped Resources: 1\n"
				      "  Refreshed Resources: 1\n"
				      "         Total Errors: 1\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_apply_has_the_words_of_the_original),
	    cmocka_unit_test(checks_are_counted_by_what_they_said),
	    cmocka_unit_test(a_session_counts_unique_resources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
