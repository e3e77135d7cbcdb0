/* SPDX-License-Identifier: Apache-2.0 */

/* The list of faults of a manifest. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "manifest/read/manifest_faults.h"

static void
add(struct w_faults *faults, unsigned line, unsigned column, const char *why)
{
	writ_error err = {.status = WRIT_OK};

	(void)w_fail(&err, WRIT_E_INVALID, "test", 0, "%s", why);
	w_locate(&err, line, column);
	w_faults_add(faults, &err);
}

static void
faults_are_sorted_by_their_places(void **state)
{
	struct w_faults faults = {.items = NULL};

	(void)state;
	add(&faults, 3, 1, "d");
	add(&faults, 1, 9, "b");
	add(&faults, 1, 2, "a");
	add(&faults, 1, 9, "c");
	w_faults_suggest(&faults, "do this");
	w_faults_blame(&faults, "exec#x");
	w_faults_sort(&faults);
	for (size_t i = 0; i < faults.count; i++)
		assert_int_equal(faults.items[i].message[0], 'a' + (int)i);
	assert_string_equal(faults.items[2].suggestion, "do this");
	assert_string_equal(faults.items[2].resource, "exec#x");
	assert_null(faults.items[1].suggestion);
	assert_false(faults.has_failed);
	w_faults_done(&faults);
}

static void
more_than_the_most_are_counted(void **state)
{
	struct w_faults faults = {.items = NULL};

	(void)state;
	w_faults_suggest(&faults, "nothing to say it of");
	for (unsigned i = 0; i < W_FAULTS_MAX + 3; i++)
		add(&faults, i, 1, "x");
	/* Must not change the last one that was kept. */
	w_faults_suggest(&faults, "too late");
	assert_int_equal(faults.count, W_FAULTS_MAX);
	assert_int_equal(faults.more, 3);
	assert_null(faults.items[W_FAULTS_MAX - 1].suggestion);
	w_faults_done(&faults);
	assert_int_equal(faults.count, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(faults_are_sorted_by_their_places),
	    cmocka_unit_test(more_than_the_most_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
