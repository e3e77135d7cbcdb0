/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "inject.h"
#include "sandbox/mounts/mount_plan.h"

/*
 * Every allocation of a mount plan fails once: then there is no plan, never
 * one with a wall missing.
 */

static char paths[4][32] = {"/srv/w", "/tmp/a/b", "/srv/w/x/y", "/srv/w/z"};

static struct w_real_path grants[] = {
    {.path = paths[0], .may = W_MAY_READ | W_MAY_WRITE, .is_dir = true},
    {.path = paths[1], .may = W_MAY_READ | W_MAY_WRITE, .is_dir = true},
};
static struct w_real_path guarded[] = {
    {.path = paths[2], .may = W_MAY_READ, .is_dir = true}};
static struct w_real_path hidden[] = {{.path = paths[3]}};

static const struct w_resolved_profile resolved = {
    .walls = W_WALLS_WORKSPACE,
    .network = W_NETWORK_HOST,
    .grants = {.items = grants, .count = 2},
    .guarded = {.items = guarded, .count = 1},
    .hidden = {.items = hidden, .count = 1},
};

/* The number of steps; 0: refused, as it should be. */
static size_t
build(enum w_walls walls)
{
	struct w_resolved_profile other = resolved;
	struct w_mount_plan plan = {.count = 7};
	struct w_string_table strings;
	writ_error err = {0};

	other.walls = walls;
	w_string_table_init(&strings);
	const writ_status status =
	    w_mount_plan_build(&other, NULL, NULL, &strings, &plan, &err);
	w_string_table_done(&strings);
	if (status != WRIT_OK) {
		assert_int_equal(plan.count, 7);
		assert_true(err.message[0] != '\0');
		return 0;
	}
	const size_t count = plan.count;
	w_mount_plan_done(&plan);
	return count;
}

static void
fail_each(enum w_walls walls)
{
	const size_t whole = build(walls);
	bool was_refused = true;

	assert_true(whole > 0);
	for (unsigned i = 1; was_refused; i++) {
		inject_arm("allocation", i, 1, ENOMEM);
		const size_t count = build(walls);
		was_refused = inject_disarm();
		if (was_refused)
			assert_int_equal(count, 0);
		else
			assert_int_equal(count, whole);
		assert_true(i < 10000);
	}
}

static void
a_plan_is_whole_or_there_is_none(void **state)
{
	(void)state;
	for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT; walls++) {
		fail_each((enum w_walls)walls);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_plan_is_whole_or_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
