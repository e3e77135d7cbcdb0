/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_verify.h"
#include "sampling.h"
#include "tampering.h"

/*
 * Each way of tampering, by hand, on logs made by hand: exactly that fault must
 * be found, at its position. Here: every position at which one thing can be
 * changed. The tests of the parts have the ways one by one.
 */

static void
a_sound_log_has_no_fault(void **state)
{
	(void)state;
	make_log(6, 1);
	verify_log();
	expect_no_fault();
	assert_int_equal(proof.records, 6);
	assert_int_equal(proof.first_seq, 1);
	assert_int_equal(proof.last_seq, 6);
	assert_int_equal(proof.files, 1);
	assert_string_equal(proof.last_hash, made.head.hash);
	assert_false(proof.is_keyed);
	assert_int_equal(lines_heard, 6);
}

static void
a_log_of_several_files_is_sound(void **state)
{
	(void)state;
	make_log(5, 4);
	verify_log();
	expect_no_fault();
	assert_int_equal(proof.files, 4);
	assert_int_equal(proof.records, 20);
}

static void
a_log_that_does_not_exist_is_sound(void **state)
{
	(void)state;
	verify_log();
	expect_no_fault();
	assert_int_equal(proof.records, 0);
}

/* Every bit of every byte of the file. */
static void
flip_every_bit(void)
{
	verify_log();
	for (size_t i = 0; i < made.count; i++)
		for (size_t bit = sample_begin(); bit < made.line[i].len * 8;
		     bit += sample_step()) {
			flip_bit(i, bit);
			if (fault_count != 1)
				print_message("bit %zu:\n", bit);
			expect_one(W_LOG_FAULT_CHANGED, i + 1);
		}
}

static void
every_changed_bit_is_found_and_its_record_named(void **state)
{
	(void)state;
	make_log(6, 1);
	flip_every_bit();
}

static void
every_changed_bit_is_found_under_a_key(void **state)
{
	(void)state;
	use_key("0123456789abcdef0123456789abcdef");
	make_log(4, 1);
	flip_every_bit();
}

/* Without a head nothing shows that something is missing at the end, but what
 * is there must still be valid. */
static void
every_changed_bit_is_found_without_a_head(void **state)
{
	(void)state;
	make_log(3, 1);
	made.has_head = false;
	verify_log();
	for (size_t i = 0; i < made.count; i++)
		for (size_t bit = sample_begin(); bit < made.line[i].len * 8;
		     bit += sample_step()) {
			flip_bit(i, bit);
			assert_true(fault_count >= 2);
		}
}

static void
every_byte_that_is_taken_out_is_found(void **state)
{
	(void)state;
	make_log(6, 1);
	for (size_t i = 0; i < made.count; i++)
		for (size_t at = sample_begin(); at < made.line[i].len;
		     at += sample_step()) {
			struct made_line kept = made.line[i];

			memmove(made.line[i].bytes + at,
			    made.line[i].bytes + at + 1, kept.len - at - 1);
			made.line[i].len--;
			verify_log();
			made.line[i] = kept;
			expect_one(W_LOG_FAULT_CHANGED, i + 1);
		}
}

static void
more_faults_than_are_kept_are_counted(void **state)
{
	(void)state;
	assert_int_equal(verify_flood(W_LOG_FAULTS_LIMIT + 500), WRIT_OK);
	assert_int_equal(
	    proof.faults[W_LOG_FAULT_CLOCK_BACK], W_LOG_FAULTS_LIMIT + 500);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_sound_log_has_no_fault),
	    TEST(a_log_of_several_files_is_sound),
	    TEST(a_log_that_does_not_exist_is_sound),
	    TEST(every_changed_bit_is_found_and_its_record_named),
	    TEST(every_changed_bit_is_found_under_a_key),
	    TEST(every_changed_bit_is_found_without_a_head),
	    TEST(every_byte_that_is_taken_out_is_found),
	    TEST(more_faults_than_are_kept_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
