/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_verify.h"
#include "tampering.h"

/* The end of a log, compared with its head. */

static void
the_last_line_written_anew_is_known_by_the_head(void **state)
{
	(void)state;
	make_log(6, 1);
	write_anew(5, "\"kind\":\"note\",\"text\":\"never was\"");
	verify_log();
	expect_one(W_LOG_FAULT_HEAD_DIFFERS, 6);
}

static void
everything_written_anew_is_known_by_the_head(void **state)
{
	(void)state;
	make_log(6, 1);
	struct w_log_head head = made.head;
	make_log_saying("forged", 6, 1);
	made.head = head;
	verify_log();
	expect_one(W_LOG_FAULT_HEAD_DIFFERS, 6);
}

static void
a_line_added_at_the_end_is_not_known_by_the_head(void **state)
{
	(void)state;
	make_log(6, 1);
	struct w_log_head head = made.head;
	add_line("\"kind\":\"note\",\"text\":\"added\"", 1);
	made.head = head;
	verify_log();
	expect_one(W_LOG_FAULT_UNWITNESSED, 7);
}

static void
an_unsound_line_added_at_the_end_is_told(void **state)
{
	(void)state;
	make_log(6, 1);
	struct w_log_head head = made.head;
	add_line("\"kind\":\"note\",\"text\":\"added\"", 1);
	made.head = head;
	*strstr(made.line[6].bytes, "note") = 'm';
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_CHANGED, 7));
	assert_true(has_fault(W_LOG_FAULT_UNWITNESSED, 7));
	assert_int_equal(fault_count, 2);
}

static void
the_last_file_is_missed_by_the_head(void **state)
{
	(void)state;
	make_log(5, 3);
	made.count = 10;
	verify_log();
	expect_one(W_LOG_FAULT_TAIL_CUT, 11);
	expect_text("trail-000003.jsonl is not there");
	expect_text("records 11 to 15");
}

static void
all_files_gone_is_told_by_the_head(void **state)
{
	(void)state;
	make_log(5, 2);
	made.count = 0;
	verify_log();
	expect_one(W_LOG_FAULT_TAIL_CUT, 1);
}

/* A writer that is killed at this point has lost nothing. */
static void
a_head_alone_is_that_of_a_log_before_its_first_line(void **state)
{
	(void)state;
	make_log(5, 1);
	made.count = 0;
	made.head.seq = 0;
	made.head.synced = 0;
	made.head.segment = 1;
	memset(made.head.hash, '0', W_SHA256_HEX);
	verify_log();
	assert_int_equal(fault_count, 0);
	temp_file(&temp, "trail-000001.jsonl", 0600, "");
	verify_again();
	assert_int_equal(fault_count, 0);
}

static void
the_end_cut_at_a_line_is_told_by_the_head(void **state)
{
	(void)state;
	for (size_t left = 1; left < 6; left++) {
		make_log(6, 1);
		made.count = left;
		verify_log();
		expect_one(W_LOG_FAULT_TAIL_CUT, left + 1);
		assert_int_equal(faults[0].place.offset, offset_of(left));
	}
}

static void
the_end_cut_at_any_byte_is_told(void **state)
{
	(void)state;
	for (size_t i = 3; i < 6; i++) {
		make_log(6, 1);
		made.count = i + 1;
		for (size_t left = made.line[i].len - 1; left > 0; left--) {
			made.line[i].len = left;
			verify_log();
			assert_int_equal(fault_count, 1);
			assert_int_equal(faults[0].seq, i + 1);
			assert_int_equal(
			    w_log_fault_severity(faults[0].kind), W_LOG_BAD);
		}
	}
}

static void
what_was_never_synced_is_lost_rather_than_cut(void **state)
{
	(void)state;
	make_log(6, 1);
	made.head.synced = 4;
	made.count = 4;
	verify_log();
	expect_one(W_LOG_FAULT_TAIL_LOST, 5);
	made.count = 3;
	verify_log();
	expect_one(W_LOG_FAULT_TAIL_CUT, 4);
}

static void
half_a_line_that_the_head_does_not_know_is_torn(void **state)
{
	(void)state;
	make_log(6, 1);
	struct w_log_head head = made.head;
	add_line("\"kind\":\"note\",\"text\":\"added\"", 1);
	made.head = head;
	for (size_t left = made.line[6].len - 1; left > 0; left--) {
		made.line[6].len = left;
		verify_log();
		expect_one(W_LOG_FAULT_TORN, 0);
		assert_int_equal(faults[0].place.offset, offset_of(6));
	}
}

static void
a_deleted_head_is_told(void **state)
{
	(void)state;
	make_log(6, 1);
	made.has_head = false;
	verify_log();
	expect_one(W_LOG_FAULT_HEAD_MISSING, 0);
}

static void
a_sealed_end_without_a_head_has_lost_a_file(void **state)
{
	(void)state;
	make_log(5, 2);
	made.count = 5;
	made.has_head = false;
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_HEAD_MISSING, 0));
	assert_true(has_fault(W_LOG_FAULT_FILE_MISSING, 0));
}

static void
every_changed_bit_of_the_head_is_found(void **state)
{
	char text[W_LOG_HEAD_LEN + 1];
	struct w_log_head changed;

	(void)state;
	make_log(6, 1);
	w_log_head_format(&made.head, text);
	for (size_t bit = 0; bit < (size_t)W_LOG_HEAD_LEN * 8; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		/* Nobody knows better what is on disk. */
		bool is_lower =
		    w_log_head_parse(text, W_LOG_HEAD_LEN, &changed) &&
		    changed.seq == 6 && changed.segment == 1 &&
		    changed.synced < 6;
		memcpy(made.head_text, text, sizeof(text));
		verify_log();
		if (fault_count != 1 && !is_lower)
			fail_msg("bit %zu: %zu faults", bit, fault_count);
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
	made.head_text[0] = '\0';
}

static void
zeros_of_a_power_cut_are_torn(void **state)
{
	struct made_line zeros = {.file = 1, .len = 400};

	(void)state;
	make_log(3, 1);
	put_in(3, &zeros);
	verify_log();
	expect_one(W_LOG_FAULT_TORN, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_last_line_written_anew_is_known_by_the_head),
	    TEST(everything_written_anew_is_known_by_the_head),
	    TEST(a_line_added_at_the_end_is_not_known_by_the_head),
	    TEST(an_unsound_line_added_at_the_end_is_told),
	    TEST(the_last_file_is_missed_by_the_head),
	    TEST(all_files_gone_is_told_by_the_head),
	    TEST(a_head_alone_is_that_of_a_log_before_its_first_line),
	    TEST(the_end_cut_at_a_line_is_told_by_the_head),
	    TEST(the_end_cut_at_any_byte_is_told),
	    TEST(what_was_never_synced_is_lost_rather_than_cut),
	    TEST(half_a_line_that_the_head_does_not_know_is_torn),
	    TEST(a_deleted_head_is_told),
	    TEST(a_sealed_end_without_a_head_has_lost_a_file),
	    TEST(every_changed_bit_of_the_head_is_found),
	    TEST(zeros_of_a_power_cut_are_torn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
