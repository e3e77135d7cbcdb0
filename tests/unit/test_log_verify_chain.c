/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_verify.h"
#include "tampering.h"

/* Lines that were changed, removed, moved, duplicated or inserted. */

static void
the_first_bad_byte_is_named(void **state)
{
	(void)state;
	make_log(6, 1);
	uint64_t start = offset_of(2);
	char *text = strstr(made.line[2].bytes, "\"prev\":\"");
	size_t at = (size_t)(text - made.line[2].bytes) + 20;

	made.line[2].bytes[at] ^= 1;
	verify_log();
	expect_one(W_LOG_FAULT_CHANGED, 3);
	assert_int_equal(faults[0].place.offset, start + at);
	assert_int_equal(faults[0].place.line, 3);
	made.line[2].bytes[at] ^= 1;
	/* A quote that was overwritten. */
	text = strstr(made.line[2].bytes, "\"text\"");
	at = (size_t)(text - made.line[2].bytes);
	made.line[2].bytes[at] = 'x';
	verify_log();
	expect_one(W_LOG_FAULT_CHANGED, 3);
	assert_int_equal(faults[0].place.offset, start + at);
}

static void
a_changed_hash_is_told_from_changed_content(void **state)
{
	(void)state;
	make_log(6, 1);
	size_t at = made.line[3].len - 10;
	char was = made.line[3].bytes[at];

	made.line[3].bytes[at] = was == '0' ? '1' : '0';
	verify_log();
	expect_one(W_LOG_FAULT_CHANGED, 4);
	assert_int_equal(faults[0].place.offset, offset_of(3) + at);
	expect_text("only the hash that it carries was changed");
	made.line[3].bytes[at] = was;
	*strstr(made.line[3].bytes, "note") = 'm';
	verify_log();
	expect_one(W_LOG_FAULT_CHANGED, 4);
	expect_text("the content was changed afterwards");
}

static void
a_line_that_is_taken_out_is_a_gap(void **state)
{
	(void)state;
	for (size_t i = 0; i + 1 < 6; i++) {
		make_log(6, 1);
		take_out(i, 1);
		verify_log();
		expect_one(W_LOG_FAULT_GAP, i + 1);
		expect_text("missing: record");
	}
}

static void
several_lines_that_are_taken_out_are_one_gap(void **state)
{
	(void)state;
	make_log(12, 1);
	take_out(3, 5);
	verify_log();
	expect_one(W_LOG_FAULT_GAP, 4);
	expect_text("records 4 to 8 (5 of them)");
	assert_int_equal(faults[0].place.line, 4);
}

static void
two_lines_that_changed_places_are_told_as_that(void **state)
{
	(void)state;
	for (size_t i = 1; i + 2 < 6; i++) {
		make_log(6, 1);
		swap_lines(i, i + 1);
		verify_log();
		expect_one(W_LOG_FAULT_REORDERED, i + 1);
		assert_int_equal(faults[0].place.line, i + 1);
	}
}

static void
the_last_two_lines_swapped_are_told_as_that(void **state)
{
	(void)state;
	make_log(6, 1);
	swap_lines(4, 5);
	verify_log();
	expect_one(W_LOG_FAULT_REORDERED, 5);
}

static void
two_lines_far_apart_that_changed_places(void **state)
{
	(void)state;
	make_log(12, 1);
	swap_lines(2, 8);
	verify_log();
	/* Records 9 and 3 were swapped. */
	assert_true(fault_count >= 1 && fault_count <= 3);
	for (size_t i = 0; i < fault_count; i++)
		assert_int_equal(faults[i].kind, W_LOG_FAULT_REORDERED);
}

static void
a_line_moved_to_the_front_is_one_fault(void **state)
{
	(void)state;
	make_log(12, 1);
	struct made_line moved = made.line[9];
	take_out(9, 1);
	put_in(2, &moved);
	verify_log();
	expect_one(W_LOG_FAULT_REORDERED, 3);
	expect_text("records 3 to 9 (7 of them)");
}

static void
a_line_that_stands_there_twice_is_a_duplicate(void **state)
{
	(void)state;
	for (size_t i = 1; i < 6; i++) {
		make_log(6, 1);
		struct made_line again = made.line[i];
		put_in(i + 1, &again);
		verify_log();
		expect_one(W_LOG_FAULT_DUPLICATE, i + 1);
		expect_text("the same bytes a second time");
		assert_int_equal(faults[0].place.line, i + 2);
	}
}

static void
a_block_that_stands_there_twice_is_one_fault(void **state)
{
	(void)state;
	make_log(12, 1);
	for (size_t i = 2; i < 7; i++) {
		struct made_line again = made.line[i];

		put_in(made.count, &again);
	}
	verify_log();
	expect_one(W_LOG_FAULT_DUPLICATE, 3);
	expect_text("records 3 to 7");
}

/* Rewritten with a correct hash of its own: only the next line shows it. */
static void
a_line_that_was_written_anew_breaks_the_chain_behind_it(void **state)
{
	(void)state;
	for (size_t i = 1; i + 1 < 6; i++) {
		make_log(6, 1);
		write_anew(i, "\"kind\":\"note\",\"text\":\"never was\"");
		verify_log();
		expect_one(W_LOG_FAULT_UNCHAINED, i + 2);
		assert_int_equal(faults[0].place.line, i + 2);
	}
}

static void
everything_written_anew_with_its_head_is_known_by_an_anchor(void **state)
{
	(void)state;
	make_log(6, 1);
	struct w_log_head head = made.head;
	char hash[W_SHA256_HEX + 1];
	memcpy(hash, made.line[2].bytes + made.line[2].len - 67, W_SHA256_HEX);
	hash[W_SHA256_HEX] = '\0';
	ask.anchor_seq = 3;
	ask.anchor_hash = hash;
	verify_log();
	expect_no_fault();
	make_log_saying("forged", 6, 1);
	verify_log();
	expect_one(W_LOG_FAULT_CHANGED, 3);
	expect_text("is not the one that is known");
	make_log(2, 1);
	verify_log();
	expect_one(W_LOG_FAULT_TAIL_CUT, 3);
	(void)head;
}

static void
a_line_that_no_writer_made_is_told(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 6; i++) {
		struct made_line alien = {.file = 1};

		make_log(6, 1);
		alien.len = (size_t)sprintf(alien.bytes, "hello\n");
		put_in(i, &alien);
		verify_log();
		expect_one(W_LOG_FAULT_NO_RECORD, 0);
		assert_int_equal(faults[0].place.line, i + 1);
		assert_int_equal(faults[0].place.offset, offset_of(i));
	}
}

static void
a_forged_line_without_the_right_hash_is_told(void **state)
{
	(void)state;
	for (size_t i = 1; i < 6; i++) {
		make_log(6, 1);
		struct made_line forged = made.line[i];
		*strstr(forged.bytes, "note") = 'm';
		put_in(i, &forged);
		verify_log();
		expect_one(W_LOG_FAULT_NO_RECORD, i + 1);
	}
}

static void
a_forged_line_with_the_right_hash_is_told(void **state)
{
	(void)state;
	for (size_t i = 1; i + 1 < 6; i++) {
		make_log(6, 1);
		struct made_line real = made.line[i];
		write_anew(i, "\"kind\":\"note\",\"text\":\"never was\"");
		put_in(i + 1, &real);
		verify_log();
		expect_one(W_LOG_FAULT_DUPLICATE, i + 1);
		expect_text("put in");
	}
}

static void
a_clock_that_was_set_back_is_a_note(void **state)
{
	(void)state;
	make_log(3, 1);
	trail.time_us -= 5000000;
	add_line("\"kind\":\"note\"", 1);
	verify_log();
	expect_one(W_LOG_FAULT_CLOCK_BACK, 4);
	assert_int_equal(
	    w_log_fault_severity(W_LOG_FAULT_CLOCK_BACK), W_LOG_NOTE);
}

/* A gap, a changed line, an inserted line: each is reported at its position. */
static void
several_changes_are_told_one_by_one(void **state)
{
	struct made_line alien = {.file = 1};

	(void)state;
	make_log(20, 1);
	alien.len = (size_t)sprintf(alien.bytes, "{}\n");
	*strstr(made.line[12].bytes, "note") = 'm';
	put_in(16, &alien);
	take_out(4, 2);
	verify_log();
	assert_int_equal(fault_count, 3);
	assert_int_equal(faults[0].kind, W_LOG_FAULT_GAP);
	assert_int_equal(faults[0].seq, 5);
	assert_int_equal(faults[1].kind, W_LOG_FAULT_CHANGED);
	assert_int_equal(faults[1].seq, 13);
	assert_int_equal(faults[2].kind, W_LOG_FAULT_NO_RECORD);
}

static void
a_changed_line_behind_a_gap_has_its_own_number(void **state)
{
	(void)state;
	make_log(9, 1);
	*strstr(made.line[5].bytes, "note") = 'm';
	take_out(4, 1);
	verify_log();
	assert_int_equal(fault_count, 2);
	assert_true(has_fault(W_LOG_FAULT_GAP, 5));
	assert_true(has_fault(W_LOG_FAULT_CHANGED, 6));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_first_bad_byte_is_named),
	    TEST(a_changed_hash_is_told_from_changed_content),
	    TEST(a_line_that_is_taken_out_is_a_gap),
	    TEST(several_lines_that_are_taken_out_are_one_gap),
	    TEST(two_lines_that_changed_places_are_told_as_that),
	    TEST(the_last_two_lines_swapped_are_told_as_that),
	    TEST(two_lines_far_apart_that_changed_places),
	    TEST(a_line_moved_to_the_front_is_one_fault),
	    TEST(a_line_that_stands_there_twice_is_a_duplicate),
	    TEST(a_block_that_stands_there_twice_is_one_fault),
	    TEST(a_line_that_was_written_anew_breaks_the_chain_behind_it),
	    TEST(everything_written_anew_with_its_head_is_known_by_an_anchor),
	    TEST(a_line_that_no_writer_made_is_told),
	    TEST(a_forged_line_without_the_right_hash_is_told),
	    TEST(a_forged_line_with_the_right_hash_is_told),
	    TEST(a_clock_that_was_set_back_is_a_note),
	    TEST(several_changes_are_told_one_by_one),
	    TEST(a_changed_line_behind_a_gap_has_its_own_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
