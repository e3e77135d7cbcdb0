/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/temp.h"
#include "inject.h"
#include "sandbox/landlock/landlock_plan.h"
#include "sandbox/path/real_path.h"

/* A plan is whole or there is none: with a rule too few a command would fail
 * for no reason, with one too many it would see a secret. */

static struct temp temp;
static struct w_resolved_profile resolved;

static void
add(struct w_real_paths *places, const char *path, unsigned may)
{
	struct w_real_path place = {
	    .path = strdup(path), .is_dir = true, .may = may};

	assert_true(w_real_paths_add(places, &place));
}

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "a");
	temp_dir(&temp, "a/b");
	temp_dir(&temp, "a/b/secret");
	temp_dir(&temp, "a/c");
	resolved = (struct w_resolved_profile){.walls = W_WALLS_READONLY};
	add(&resolved.grants, temp.path, W_MAY_READ);
	add(&resolved.hidden, temp_path(&temp, "a/b/secret"), 0);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_real_paths_done(&resolved.grants);
	w_real_paths_done(&resolved.hidden);
	temp_close(&temp);
	return 0;
}

static writ_status
build(size_t *out_count)
{
	struct w_landlock_plan plan = {0};
	struct w_string_table strings;

	w_string_table_init(&strings);
	writ_status status = w_landlock_plan_build(
	    &resolved, 7, temp.path, &strings, &plan, NULL);
	*out_count = plan.count;
	w_landlock_plan_done(&plan);
	w_string_table_done(&strings);
	return status;
}

static void
check_all(const char *function, int error, writ_status wanted)
{
	size_t whole, count;
	unsigned failures = 0;

	assert_int_equal(build(&whole), WRIT_OK);
	for (unsigned i = 1;; i++) {
		inject_arm(function, i, 1, error);
		writ_status status = build(&count);
		if (!inject_disarm())
			break;
		failures++;
		assert_int_equal(status, wanted);
		assert_int_equal(count, 0);
	}
	assert_true(failures > 0);
	assert_int_equal(build(&count), WRIT_OK);
	assert_int_equal(count, whole);
}

static void
every_allocation_fails_once(void **state)
{
	(void)state;
	check_all("allocation", ENOMEM, WRIT_E_NOMEM);
}

static void
every_listing_fails_once(void **state)
{
	(void)state;
	check_all("open", EMFILE, WRIT_E_SYSTEM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		every_allocation_fails_once, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		every_listing_fails_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
