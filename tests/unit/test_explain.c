/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "run/launch/explain.h"

static char name[] = "prog";
static char *const argv[] = {name, NULL};
static const struct w_launch launch = {.argv = argv};

static void
expect_start(bool is_step, enum w_step step, int error, writ_status status,
    const char *words)
{
	const struct w_attempt attempt = {error, is_step, step, 0};
	writ_error err = {0};

	assert_int_equal(w_explain_start(&launch, &attempt, &err), status);
	assert_int_equal(err.status, status);
	assert_non_null(strstr(err.message, words));
	assert_true(err.stage[0] != '\0');
}

static void
a_failed_exec_names_the_program_and_the_cause(void **state)
{
	(void)state;
	expect_start(true, W_STEP_EXEC, E2BIG, WRIT_E_INVALID, "too long");
	expect_start(true, W_STEP_EXEC, ENOENT, WRIT_E_NOTEXEC, "loader");
	expect_start(true, W_STEP_EXEC, ENOEXEC, WRIT_E_NOTEXEC, "'prog'");
	expect_start(true, W_STEP_EXEC, EACCES, WRIT_E_NOTEXEC, "'prog'");
	expect_start(true, W_STEP_EXEC, ENOMEM, WRIT_E_NOMEM, "'prog'");
	expect_start(true, W_STEP_EXEC, EIO, WRIT_E_SYSTEM, "'prog'");
	expect_start(true, W_STEP_PROGRAM, ESTALE, WRIT_E_NOTEXEC, "changed");
}

static void
a_failed_clone_is_a_failure_of_the_system(void **state)
{
	(void)state;
	expect_start(false, W_STEP_EXEC, EAGAIN, WRIT_E_SYSTEM, "process");
	expect_start(false, W_STEP_EXEC, ENOMEM, WRIT_E_NOMEM, "process");
	expect_start(false, W_STEP_EXEC, ENOSYS, WRIT_E_SYSTEM, "process");
}

static void
every_step_has_words_for_every_cause(void **state)
{
	static const int errors[] = {EPERM, ENOMEM, EINVAL, EMFILE, EIO, 4095};

	(void)state;
	for (int step = 0; step <= W_STEP_EXEC; step++) {
		for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
			const struct w_attempt attempt = {
			    errors[i], true, (enum w_step)step, 0};
			writ_error err = {0};

			assert_true(
			    w_explain_start(&launch, &attempt, &err) < 0);
			assert_true(err.message[0] != '\0');
			assert_true(err.stage[0] != '\0');
		}
	}
}

static void
what_only_root_may_do_says_so(void **state)
{
	const struct w_attempt nice = {EACCES, true, W_STEP_NICE, 0};
	const struct w_attempt limits = {EPERM, true, W_STEP_LIMITS, 0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_explain_start(&launch, &nice, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.suggestion, "root"));
	assert_int_equal(
	    w_explain_start(&launch, &limits, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.suggestion, "root"));
}

static void
a_hold_that_cannot_be_had_says_what_would_help(void **state)
{
	static const writ_hold holds[] = {WRIT_HOLD_CGROUP, WRIT_HOLD_PIDNS};
	static const int errors[] = {EPERM, ENOSPC, EUSERS, ENOENT};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 4; j++) {
			writ_error err = {0};

			assert_int_equal(
			    w_explain_hold(holds[i], errors[j], &err),
			    WRIT_E_SANDBOX);
			assert_true(err.suggestion[0] != '\0');
			assert_int_equal(err.sys_errno, errors[j]);
		}
	}
}

static bool
is_lacking(bool is_step, enum w_step step, int error)
{
	const struct w_attempt attempt = {error, is_step, step, 0};

	return w_explain_is_lacking(&attempt);
}

static void
a_path_in_the_way_is_no_missing_layer(void **state)
{
	static const int paths[] = {
	    ESTALE, ENOENT, ELOOP, ENOTDIR, ENAMETOOLONG, EBUSY, ENOSPC};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		assert_false(is_lacking(true, W_STEP_VIEW, paths[i]));
		assert_false(is_lacking(true, W_STEP_RULES, paths[i]));
	}
	assert_true(is_lacking(true, W_STEP_VIEW, EPERM));
	assert_true(is_lacking(true, W_STEP_RULES, ENOSYS));
	assert_true(is_lacking(true, W_STEP_SECCOMP, EINVAL));
	assert_true(is_lacking(false, W_STEP_EXEC, ENOSPC));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_failed_exec_names_the_program_and_the_cause),
	    cmocka_unit_test(a_failed_clone_is_a_failure_of_the_system),
	    cmocka_unit_test(every_step_has_words_for_every_cause),
	    cmocka_unit_test(what_only_root_may_do_says_so),
	    cmocka_unit_test(a_path_in_the_way_is_no_missing_layer),
	    cmocka_unit_test(a_hold_that_cannot_be_had_says_what_would_help),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
