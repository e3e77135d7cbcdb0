/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_verify.h"
#include "tampering.h"

/* Logs with a key, and with the wrong one. */

static void
a_keyed_log_is_sound_under_its_key(void **state)
{
	(void)state;
	use_key("one key");
	make_log(5, 2);
	verify_log();
	expect_no_fault();
	assert_true(proof.is_keyed);
}

static void
another_key_is_told_once(void **state)
{
	(void)state;
	use_key("one key");
	make_log(5, 3);
	give_key("another key");
	verify_log();
	expect_one(W_LOG_FAULT_WRONG_KEY, 0);
	assert_false(proof.is_keyed);
	give_key(NULL);
	verify_log();
	expect_one(W_LOG_FAULT_NO_KEY, 0);
	expect_text("none was given");
}

static void
links_are_checked_without_the_key(void **state)
{
	(void)state;
	use_key("one key");
	make_log(6, 1);
	take_out(3, 1);
	give_key(NULL);
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_true(has_fault(W_LOG_FAULT_NO_KEY, 0));
	assert_true(has_fault(W_LOG_FAULT_GAP, 4));
}

static void
an_unkeyed_log_is_not_accepted_for_a_keyed_one(void **state)
{
	(void)state;
	make_log(5, 2);
	give_key("one key");
	verify_log();
	expect_one(W_LOG_FAULT_UNKEYED, 0);
	assert_false(proof.is_keyed);
}

static void
a_file_forged_without_the_key_is_told(void **state)
{
	(void)state;
	use_key("one key");
	make_log(5, 3);
	forge_file(2);
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_UNKEYED, 0));
	assert_true(proof.faults[W_LOG_FAULT_UNCHAINED] > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_keyed_log_is_sound_under_its_key),
	    TEST(another_key_is_told_once),
	    TEST(links_are_checked_without_the_key),
	    TEST(an_unkeyed_log_is_not_accepted_for_a_keyed_one),
	    TEST(a_file_forged_without_the_key_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
