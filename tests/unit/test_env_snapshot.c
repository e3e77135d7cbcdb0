/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "engine/recorder/env_snapshot.h"

static void
a_change_is_seen_once(void **state)
{
	struct w_env_snapshot around = {0};

	(void)state;
	assert_false(w_env_snapshot_same(&around));
	assert_true(w_env_snapshot_same(&around));
	assert_int_equal(setenv("A_NEW_ONE", "1", 1), 0);
	assert_false(w_env_snapshot_same(&around));
	assert_true(w_env_snapshot_same(&around));
	assert_int_equal(setenv("A_NEW_ONE", "a longer value", 1), 0);
	assert_false(w_env_snapshot_same(&around));
	assert_true(w_env_snapshot_same(&around));
	assert_int_equal(unsetenv("A_NEW_ONE"), 0);
	assert_false(w_env_snapshot_same(&around));
	assert_true(w_env_snapshot_same(&around));
	w_env_snapshot_forget(&around);
	assert_false(w_env_snapshot_same(&around));
	w_env_snapshot_done(&around);
}

static void
no_environment_is_one_too(void **state)
{
	char **before = environ;
	char *none[] = {NULL};
	struct w_env_snapshot around = {0};

	(void)state;
	environ = NULL;
	assert_false(w_env_snapshot_same(&around));
	assert_true(w_env_snapshot_same(&around));
	environ = none;
	assert_true(w_env_snapshot_same(&around));
	environ = before;
	assert_false(w_env_snapshot_same(&around));
	w_env_snapshot_done(&around);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_change_is_seen_once),
	    cmocka_unit_test(no_environment_is_one_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
