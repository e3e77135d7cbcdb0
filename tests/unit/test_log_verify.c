/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/log_verify.h"
#include "tampering.h"

/*
 * Each way of tampering, by hand, on logs made by hand: what is found must be
 * that, at its place, and nothing else. test_log_verify_live.c has logs that
 * the writer makes.
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

/* Every bit of every byte, of the whole file. */
static void
flip_every_bit(void)
{
	for (size_t i = 0; i < made.count; i++) {
		struct made_line *line = &made.line[i];

		for (size_t bit = 0; bit < line->len * 8; bit++) {
			line->bytes[bit / 8] ^= (char)(1 << bit % 8);
			verify_log();
			if (fault_count != 1)
				print_message("bit %zu:\n", bit);
			expect_one(W_LOG_FAULT_CHANGED, i + 1);
			line->bytes[bit / 8] ^= (char)(1 << bit % 8);
		}
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

/* Without a head nothing tells that something is missing at the end, but what
 * is there must still be sound. */
static void
every_changed_bit_is_found_without_a_head(void **state)
{
	(void)state;
	make_log(3, 1);
	made.has_head = false;
	for (size_t i = 0; i < made.count; i++) {
		struct made_line *line = &made.line[i];

		for (size_t bit = 0; bit < line->len * 8; bit++) {
			line->bytes[bit / 8] ^= (char)(1 << bit % 8);
			verify_log();
			assert_true(fault_count >= 2);
			line->bytes[bit / 8] ^= (char)(1 << bit % 8);
		}
	}
}

static void
every_byte_that_is_taken_out_is_found(void **state)
{
	(void)state;
	make_log(6, 1);
	for (size_t i = 0; i < made.count; i++)
		for (size_t at = 0; at < made.line[i].len; at++) {
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
	/* A quote that is none any more. */
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
	/* 9 stands where 3 was, and 3 where 9 was. */
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

/* Made anew with its own hash right: only the next one can tell. */
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
	assert_true(fault_count >= 2);
	assert_int_equal(proof.faults[W_LOG_FAULT_FILE_SWAPPED], 2);
	assert_int_equal(proof.faults[W_LOG_FAULT_GAP], 0);
	assert_int_equal(proof.faults[W_LOG_FAULT_REORDERED], 0);
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
a_copied_file_is_two_faults(void **state)
{
	(void)state;
	make_log(5, 3);
	for (size_t i = 0; i < 5; i++) {
		struct made_line copy = made.line[5 + i];

		copy.file = 4;
		put_in(made.count, &copy);
	}
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_FILE_SWAPPED, 0));
	assert_true(fault_count <= 3);
	assert_int_equal(proof.faults[W_LOG_FAULT_GAP], 0);
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
		/* What is on the disk is not known better by anybody. */
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

static const char recovery_torn[] =
    "\"kind\":\"recovery\",\"found\":\"torn\",\"file\":\"trail-000001.jsonl\","
    "\"offset\":10,\"bytes\":4,\"saved\":\"trail-000001.torn-10\",\"sha256\":"
    "\"88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589\"";

static void
what_was_set_aside_is_a_note_while_it_is_the_same(void **state)
{
	(void)state;
	make_log(3, 1);
	add_line(recovery_torn, 1);
	extra_name = "trail-000001.torn-10";
	extra_text = "abcd";
	verify_log();
	expect_one(W_LOG_FAULT_RECOVERED, 4);
	extra_text = "abce";
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_TORN_CHANGED, 4));
	assert_int_equal(fault_count, 2);
	extra_name = NULL;
	verify_log();
	assert_true(has_fault(W_LOG_FAULT_TORN_MISSING, 4));
	assert_int_equal(fault_count, 2);
}

static void
what_was_set_aside_and_never_mentioned_is_told(void **state)
{
	(void)state;
	make_log(3, 1);
	extra_name = "trail-000001.torn-99";
	extra_text = "abcd";
	verify_log();
	expect_one(W_LOG_FAULT_TORN, 0);
	expect_text("trail-000001.torn-99");
}

static void
a_cut_that_a_writer_noticed_stays_a_cut(void **state)
{
	(void)state;
	make_log(3, 1);
	add_line("\"kind\":\"recovery\",\"found\":\"cut\",\"head_seq\":9,"
		 "\"head_hash\":\"00\",\"head_synced\":9,\"last_seq\":3,"
		 "\"last_hash\":\"00\"",
	    1);
	verify_log();
	expect_one(W_LOG_FAULT_TAIL_CUT, 4);
	expect_text("6 records are gone");
}

static void
a_file_that_was_left_unreadable_is_explained(void **state)
{
	struct made_line rest = {.file = 1};

	(void)state;
	make_log(3, 1);
	rest.len = (size_t)sprintf(rest.bytes, "{\"half");
	put_in(3, &rest);
	add_line(trail_segment(&trail, 2), 2);
	add_line("\"kind\":\"recovery\",\"found\":\"unreadable\",\"file\":"
		 "\"trail-000001.jsonl\",\"bytes\":1000",
	    2);
	made.head.segment = 2;
	verify_log();
	expect_one(W_LOG_FAULT_RECOVERED, 0);
	expect_text("was left so");
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

/* A gap, a changed line, a line put in: each is told, at its own place. */
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

static void
more_faults_than_are_kept_are_counted(void **state)
{
	(void)state;
	assert_int_equal(verify_flood(W_LOG_FAULTS_LIMIT + 500), WRIT_OK);
	assert_int_equal(
	    proof.faults[W_LOG_FAULT_CLOCK_BACK], W_LOG_FAULTS_LIMIT + 500);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
	    TEST(the_last_line_written_anew_is_known_by_the_head),
	    TEST(everything_written_anew_is_known_by_the_head),
	    TEST(everything_written_anew_with_its_head_is_known_by_an_anchor),
	    TEST(a_line_that_no_writer_made_is_told),
	    TEST(a_forged_line_without_the_right_hash_is_told),
	    TEST(a_forged_line_with_the_right_hash_is_told),
	    TEST(a_line_added_at_the_end_is_not_known_by_the_head),
	    TEST(an_unsound_line_added_at_the_end_is_told),
	    TEST(a_missing_file_is_named_with_its_records),
	    TEST(two_missing_files_are_one_fault),
	    TEST(the_last_file_is_missed_by_the_head),
	    TEST(all_files_gone_is_told_by_the_head),
	    TEST(pruned_files_are_a_note),
	    TEST(lines_taken_from_the_beginning_are_not_taken_for_pruning),
	    TEST(files_with_exchanged_names_are_told_as_that),
	    TEST(the_last_two_files_exchanged_are_told_as_that),
	    TEST(a_file_of_another_log_is_told_as_that),
	    TEST(a_copied_file_is_two_faults),
	    TEST(lines_moved_across_files_are_told),
	    TEST(the_end_cut_at_a_line_is_told_by_the_head),
	    TEST(the_end_cut_at_any_byte_is_told),
	    TEST(what_was_never_synced_is_lost_rather_than_cut),
	    TEST(half_a_line_that_the_head_does_not_know_is_torn),
	    TEST(a_deleted_head_is_told),
	    TEST(a_sealed_end_without_a_head_has_lost_a_file),
	    TEST(every_changed_bit_of_the_head_is_found),
	    TEST(a_keyed_log_is_sound_under_its_key),
	    TEST(another_key_is_told_once),
	    TEST(links_are_checked_without_the_key),
	    TEST(an_unkeyed_log_is_not_accepted_for_a_keyed_one),
	    TEST(a_file_forged_without_the_key_is_told),
	    TEST(a_clock_that_was_set_back_is_a_note),
	    TEST(files_that_others_can_write_are_told_and_read),
	    TEST(what_is_no_plain_file_is_told_and_passed_over),
	    TEST(a_directory_in_the_place_of_the_next_file_does_not_hang),
	    TEST(what_was_set_aside_is_a_note_while_it_is_the_same),
	    TEST(what_was_set_aside_and_never_mentioned_is_told),
	    TEST(a_cut_that_a_writer_noticed_stays_a_cut),
	    TEST(a_file_that_was_left_unreadable_is_explained),
	    TEST(zeros_of_a_power_cut_are_torn),
	    TEST(several_changes_are_told_one_by_one),
	    TEST(a_changed_line_behind_a_gap_has_its_own_number),
	    TEST(more_faults_than_are_kept_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
