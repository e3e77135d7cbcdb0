/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_verify.h"
#include "tampering.h"

/* Files that are missing, exchanged or wrong. */

static void
a_missing_file_is_named_with_its_records(void **state)
{
	(void)state;
	make_log(5, 4);
	take_out(5, 5);
	verify_log();
	expect_one(W_LOG_FAULT_FILE_MISSING, 6);
	expect_text("records 6 to 10 (5 of them)");
	expect_text("trail-000002.jsonl is not there");
}

static void
two_missing_files_are_one_fault(void **state)
{
	(void)state;
	make_log(5, 5);
	take_out(5, 10);
	verify_log();
	expect_one(W_LOG_FAULT_FILE_MISSING, 6);
	expect_text("trail-000002.jsonl to trail-000003.jsonl are not there");
}

static void
pruned_files_are_a_note(void **state)
{
	(void)state;
	make_log(5, 4);
	take_out(0, 10);
	verify_log();
	expect_one(W_LOG_FAULT_PRUNED, 11);
	expect_text("10 earlier records");
	assert_int_equal(proof.first_seq, 11);
}

static void
lines_taken_from_the_beginning_are_not_taken_for_pruning(void **state)
{
	(void)state;
	make_log(5, 1);
	take_out(0, 2);
	verify_log();
	expect_one(W_LOG_FAULT_GAP, 1);
	make_log(5, 4);
	take_out(0, 7);
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_PRUNED, 8));
	assert_true(has_fault(W_LOG_FAULT_GAP, 8));
	assert_int_equal(fault_count, 2);
}

static void
files_with_exchanged_names_are_told_as_that(void **state)
{
	(void)state;
	make_log(5, 4);
	for (size_t i = 5; i < 15; i++)
		made.line[i].file = i < 10 ? 3 : 2;
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_int_equal(faults[0].kind, W_LOG_FAULT_FILE_SWAPPED);
	assert_int_equal(faults[0].place.segment, 3);
	assert_int_equal(faults[1].kind, W_LOG_FAULT_FILE_SWAPPED);
	assert_int_equal(faults[1].place.segment, 2);
	expect_text("is trail-000002.jsonl by its first line");
}

static void
the_last_two_files_exchanged_are_told_as_that(void **state)
{
	(void)state;
	make_log(5, 3);
	for (size_t i = 5; i < 15; i++)
		made.line[i].file = i < 10 ? 3 : 2;
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_int_equal(proof.faults[W_LOG_FAULT_FILE_SWAPPED], 2);
}

static void
a_file_of_another_log_is_told_as_that(void **state)
{
	static struct made_log other;

	(void)state;
	make_log_saying("other", 9, 3);
	other = made;
	make_log(5, 3);
	take_out(5, 5);
	for (size_t i = 0; i < 9; i++)
		put_in(5 + i, &other.line[9 + i]);
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_true(has_fault(W_LOG_FAULT_FILE_SWAPPED, 0));
	assert_true(has_fault(W_LOG_FAULT_GAP, 6));
}

static void
a_last_file_of_another_log_is_told_as_that(void **state)
{
	static struct made_log other;

	(void)state;
	make_log_saying("other", 2, 3);
	other = made;
	make_log(5, 3);
	made.count = 10;
	for (size_t i = 0; i < 2; i++)
		put_in(10 + i, &other.line[4 + i]);
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_true(has_fault(W_LOG_FAULT_FILE_SWAPPED, 0));
	assert_true(has_fault(W_LOG_FAULT_TAIL_CUT, 11));
}

/* A writer creates the next file before it seals the current one. */
static void
an_empty_file_says_nothing(void **state)
{
	(void)state;
	make_log(5, 2);
	extra_name = "trail-000003.jsonl";
	extra_text = "";
	verify_log();
	expect_no_fault();
	make_log(5, 3);
	take_out(5, 5);
	extra_name = "trail-000002.jsonl";
	verify_log();
	expect_one(W_LOG_FAULT_GAP, 6);
}

static void
a_copied_file_is_told_as_that(void **state)
{
	(void)state;
	make_log(5, 3);
	for (size_t i = 0; i < 5; i++) {
		struct made_line copy = made.line[5 + i];

		copy.file = 4;
		put_in(made.count, &copy);
	}
	verify_log();
	expect_one(W_LOG_FAULT_FILE_SWAPPED, 0);
	expect_text("is trail-000002.jsonl by its first line");
	expect_text("a copy");
}

static void
lines_moved_across_files_are_told(void **state)
{
	(void)state;
	make_log(5, 2);
	made.line[4].file = 2;
	verify_log();
	assert_true(fault_count >= 1);
	assert_int_equal(faults[0].kind, W_LOG_FAULT_REORDERED);
	assert_int_equal(faults[0].seq, 5);
	make_log(5, 2);
	for (size_t i = 5; i < 10; i++)
		made.line[i].file = 1;
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_FILE_SWAPPED, 6));
}

static void
files_that_others_can_write_are_told_and_read(void **state)
{
	(void)state;
	make_log(3, 2);
	file_mode = 0622;
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_int_equal(faults[0].kind, W_LOG_FAULT_FILE_ALIEN);
	expect_text("mode 0622");
	assert_int_equal(proof.records, 6);
}

static void
what_is_no_plain_file_is_told_and_passed_over(void **state)
{
	(void)state;
	make_log(3, 3);
	take_out(3, 3);
	extra_link = "trail-000002.jsonl";
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_FILE_ALIEN, 0));
	assert_true(has_fault(W_LOG_FAULT_GAP, 4));
	assert_int_equal(fault_count, 2);
}

static void
a_directory_in_the_place_of_the_next_file_does_not_hang(void **state)
{
	(void)state;
	make_log(3, 1);
	extra_dir = "trail-000002.jsonl";
	verify_log();
	expect_one(W_LOG_FAULT_FILE_ALIEN, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_missing_file_is_named_with_its_records),
	    TEST(two_missing_files_are_one_fault),
	    TEST(pruned_files_are_a_note),
	    TEST(lines_taken_from_the_beginning_are_not_taken_for_pruning),
	    TEST(files_with_exchanged_names_are_told_as_that),
	    TEST(the_last_two_files_exchanged_are_told_as_that),
	    TEST(a_file_of_another_log_is_told_as_that),
	    TEST(a_last_file_of_another_log_is_told_as_that),
	    TEST(an_empty_file_says_nothing),
	    TEST(a_copied_file_is_told_as_that),
	    TEST(lines_moved_across_files_are_told),
	    TEST(files_that_others_can_write_are_told_and_read),
	    TEST(what_is_no_plain_file_is_told_and_passed_over),
	    TEST(a_directory_in_the_place_of_the_next_file_does_not_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
