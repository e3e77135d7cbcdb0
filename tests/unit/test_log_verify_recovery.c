/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_verify.h"
#include "tampering.h"

/* What writers found, recorded and saved. */

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
a_second_copy_of_what_was_set_aside_is_a_note(void **state)
{
	static const char second[] =
	    "\"kind\":\"recovery\",\"found\":\"torn\",\"file\":"
	    "\"trail-000001.jsonl\",\"offset\":10,\"bytes\":0,\"saved\":"
	    "\"trail-000001.torn-10.2\",\"sha256\":\"00\"";

	(void)state;
	make_log(3, 1);
	add_line(second, 1);
	extra_name = "trail-000001.torn-10";
	extra_text = "ab";
	verify_log();
	assert_int_equal(proof.faults[W_LOG_FAULT_TORN], 0);
	assert_int_equal(proof.faults[W_LOG_FAULT_RECOVERED], 2);
}

static void
what_was_set_aside_for_a_pruned_file_is_not_missed(void **state)
{
	(void)state;
	make_log(5, 3);
	take_out(0, 5);
	extra_name = "trail-000001.torn-99";
	extra_text = "abcd";
	verify_log();
	expect_one(W_LOG_FAULT_PRUNED, 6);
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
	expect_text("6 of them are gone");
}

/* Nothing was synced: only a power failure is ruled out, or not. */
static void
a_cut_of_this_boot_is_no_power_cut(void **state)
{
	static const struct {
		const char *line;
		enum w_log_fault_kind kind;
	} cases[] = {
	    {"\"kind\":\"recovery\",\"found\":\"cut\",\"head_seq\":9,"
	     "\"head_hash\":\"00\",\"head_synced\":0,\"last_seq\":3,"
	     "\"last_hash\":\"00\",\"this_boot\":true",
		W_LOG_FAULT_TAIL_CUT},
	    {"\"kind\":\"recovery\",\"found\":\"cut\",\"head_seq\":9,"
	     "\"head_hash\":\"00\",\"head_synced\":0,\"last_seq\":3,"
	     "\"last_hash\":\"00\",\"this_boot\":false",
		W_LOG_FAULT_TAIL_LOST},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		make_log(3, 1);
		add_line(cases[i].line, 1);
		verify_log();
		expect_one(cases[i].kind, 4);
	}
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_was_set_aside_is_a_note_while_it_is_the_same),
	    TEST(a_second_copy_of_what_was_set_aside_is_a_note),
	    TEST(what_was_set_aside_for_a_pruned_file_is_not_missed),
	    TEST(what_was_set_aside_and_never_mentioned_is_told),
	    TEST(a_cut_of_this_boot_is_no_power_cut),
	    TEST(a_cut_that_a_writer_noticed_stays_a_cut),
	    TEST(a_file_that_was_left_unreadable_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
