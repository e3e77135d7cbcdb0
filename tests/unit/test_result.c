/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include <writ/writ.h>

#include "leftovers.h"
#include "run/result/run_result.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

/* ---- words ---- */

static void
every_outcome_limit_and_tree_has_its_word(void **state)
{
	(void)state;
	assert_string_equal(writ_outcome_word(WRIT_EXITED), "exited");
	assert_string_equal(
	    writ_outcome_word(WRIT_IDLE_TIMED_OUT), "idle_timed_out");
	assert_string_equal(writ_outcome_word(WRIT_LIMITED), "limited");
	assert_null(writ_limit_word(WRIT_LIMIT_NONE));
	assert_string_equal(writ_limit_word(WRIT_LIMIT_CPU), "cpu");
	assert_string_equal(writ_limit_word(WRIT_LIMIT_OUTPUT), "output");
	assert_string_equal(writ_tree_word(WRIT_TREE_GUARANTEED), "guaranteed");
	assert_string_equal(writ_tree_word(WRIT_TREE_CALLER), "caller");
}

static void
numbers_outside_the_lists_are_unknown_not_a_crash(void **state)
{
	const int wrong[] = {-1, 99};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		writ_outcome outcome;
		writ_limit limit;
		writ_tree tree;

		memcpy(&outcome, &wrong[i], sizeof(outcome));
		memcpy(&limit, &wrong[i], sizeof(limit));
		memcpy(&tree, &wrong[i], sizeof(tree));
		assert_string_equal(writ_outcome_word(outcome), "unknown");
		assert_string_equal(writ_limit_word(limit), "unknown");
		assert_string_equal(writ_tree_word(tree), "unknown");
	}
}

/* ---- the exit status ---- */

static void
a_result_is_passed_on_as_one_exit_status(void **state)
{
	static const struct {
		writ_result result;
		int exit;
	} cases[] = {
	    {{.outcome = WRIT_EXITED, .status_known = true}, 0},
	    {{.outcome = WRIT_EXITED, .exit_code = 255, .status_known = true},
		255},
	    {{.outcome = WRIT_SIGNALED,
		 .signal = SIGSEGV,
		 .exit_code = -1,
		 .status_known = true},
		128 + SIGSEGV},
	    {{.outcome = WRIT_TIMED_OUT, .status_known = true}, 124},
	    {{.outcome = WRIT_TIMED_OUT, .signal = SIGKILL}, 124},
	    {{.outcome = WRIT_IDLE_TIMED_OUT, .signal = SIGTERM}, 124},
	    {{.outcome = WRIT_LIMITED,
		 .limit = WRIT_LIMIT_CPU,
		 .signal = SIGXCPU,
		 .status_known = true},
		128 + SIGXCPU},
	    {{.outcome = WRIT_LIMITED,
		 .limit = WRIT_LIMIT_OUTPUT,
		 .status_known = true},
		128 + SIGTERM},
	    {{.outcome = WRIT_CANCELLED,
		 .signal = SIGINT,
		 .status_known = true},
		128 + SIGINT},
	    {{.outcome = WRIT_CANCELLED, .exit_code = 3, .status_known = true},
		3},
	    {{.outcome = WRIT_EXITED, .exit_code = -1, .status_known = false},
		125},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(
		    writ_result_exit(&cases[i].result), cases[i].exit);
}

/* ---- ranges ---- */

/* "0123456789abcdefghij", of which "0123" and "ghij" were kept. */
static writ_result
cut_result(const char *spill_path, uint64_t spill_bytes)
{
	writ_result result = {
	    .out[WRIT_STDERR] =
		{
		    .head = "0123",
		    .head_len = 4,
		    .tail = "ghij",
		    .tail_len = 4,
		    .bytes = 20,
		    .truncated = true,
		    .spill_path = spill_path,
		    .spill_bytes = spill_bytes,
		},
	};

	return result;
}

static void
expect_range(
    const writ_result *result, uint64_t offset, size_t len, const char *wanted)
{
	char buf[64];
	size_t n = 99;

	memset(buf, '#', sizeof(buf));
	assert_int_equal(
	    writ_result_read(result, WRIT_STDERR, offset, buf, len, &n),
	    WRIT_OK);
	assert_int_equal(n, strlen(wanted));
	assert_memory_equal(buf, wanted, n);
	assert_int_equal(buf[n], '#');
}

static void
ranges_are_read_from_the_head_and_the_tail(void **state)
{
	writ_result result = cut_result(NULL, 0);

	(void)state;
	expect_range(&result, 0, 4, "0123");
	expect_range(&result, 1, 2, "12");
	expect_range(&result, 3, 10, "3");
	expect_range(&result, 16, 10, "ghij");
	expect_range(&result, 19, 1, "j");
	expect_range(&result, 20, 5, "");
	expect_range(&result, UINT64_MAX, 5, "");
	expect_range(&result, 8, 0, "");
}

static void
a_range_that_was_not_kept_is_not_found(void **state)
{
	writ_result result = cut_result(NULL, 0);
	char buf[4];
	size_t n = 99;

	(void)state;
	assert_int_equal(writ_result_read(&result, WRIT_STDERR, 4, buf, 4, &n),
	    WRIT_E_NOTFOUND);
	assert_int_equal(writ_result_read(&result, WRIT_STDERR, 15, buf, 4, &n),
	    WRIT_E_NOTFOUND);
	assert_int_equal(n, 99);
}

static void
the_spill_file_fills_the_middle(void **state)
{
	temp_file(&temp, "spill", 0600, "0123456789abcdef");
	writ_result result = cut_result(temp_path(&temp, "spill"), 16);
	char buf[4];
	size_t n = 99;

	(void)state;
	expect_range(&result, 4, 6, "456789");
	expect_range(&result, 15, 1, "f");
	result.out[WRIT_STDERR].spill_bytes = 10;
	assert_int_equal(writ_result_read(&result, WRIT_STDERR, 12, buf, 4, &n),
	    WRIT_E_NOTFOUND);
	temp_link(&temp, "spill", "link");
	result.out[WRIT_STDERR].spill_path = temp_path(&temp, "link");
	assert_int_equal(writ_result_read(&result, WRIT_STDERR, 5, buf, 4, &n),
	    WRIT_E_SYSTEM);
	result.out[WRIT_STDERR].spill_path = temp_path(&temp, "gone");
	assert_int_equal(writ_result_read(&result, WRIT_STDERR, 5, buf, 4, &n),
	    WRIT_E_NOTFOUND);
	assert_int_equal(n, 99);
}

/* Reads a stream from its start in pieces until its end. */
static void
expect_whole(const writ_result *result, size_t step, const char *wanted)
{
	char got[64] = {0};
	size_t len = 0, n;

	do {
		assert_int_equal(writ_result_read(result, WRIT_STDERR, len,
				     got + len, step, &n),
		    WRIT_OK);
		len += n;
	} while (n > 0);
	assert_string_equal(got, wanted);
}

static void
a_stream_is_read_whole_in_steps_of_any_size(void **state)
{
	temp_file(&temp, "spill", 0600, "0123456789abcdefghij");
	writ_result result = cut_result(temp_path(&temp, "spill"), 20);

	(void)state;
	for (size_t step = 1; step < 24; step++)
		expect_whole(&result, step, "0123456789abcdefghij");
}

/* ---- life ---- */

static writ_result *
boxed_with_spill(const char *name)
{
	struct w_run_result *storage = w_run_result_new("trace");

	assert_non_null(storage);
	temp_file(&temp, name, 0600, "x");
	storage->result.out[WRIT_STDOUT].spill_path =
	    strdup(temp_path(&temp, name));
	return &storage->result;
}

static void
freeing_a_result_deletes_its_spill(void **state)
{
	(void)state;
	writ_result *result = boxed_with_spill("spill");
	assert_string_equal(result->trace_id, "trace");
	assert_int_equal(strlen(result->run_id), 26);
	writ_result_free(result);
	assert_false(temp_has(&temp, "spill"));
}

static void
a_spill_that_is_kept_stays(void **state)
{
	(void)state;
	writ_result *result = boxed_with_spill("spill");
	writ_result_keep_spill(result);
	writ_result_free(result);
	assert_true(temp_has(&temp, "spill"));
}

static void
freeing_nothing_is_fine(void **state)
{
	(void)state;
	writ_result_free(NULL);
}

static void
run_ids_differ_and_sort_by_time(void **state)
{
	struct w_run_result *one = w_run_result_new(NULL);
	struct w_run_result *two = w_run_result_new(NULL);

	(void)state;
	assert_null(one->result.trace_id);
	assert_string_not_equal(one->run_id, two->run_id);
	assert_true(strncmp(one->run_id, two->run_id, 10) <= 0);
	w_run_result_free(one);
	w_run_result_free(two);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_outcome_limit_and_tree_has_its_word),
	    cmocka_unit_test(numbers_outside_the_lists_are_unknown_not_a_crash),
	    cmocka_unit_test(a_result_is_passed_on_as_one_exit_status),
	    cmocka_unit_test(ranges_are_read_from_the_head_and_the_tail),
	    cmocka_unit_test(a_range_that_was_not_kept_is_not_found),
	    IN_TEMP(the_spill_file_fills_the_middle),
	    IN_TEMP(a_stream_is_read_whole_in_steps_of_any_size),
	    IN_TEMP(freeing_a_result_deletes_its_spill),
	    IN_TEMP(a_spill_that_is_kept_stays),
	    cmocka_unit_test(freeing_nothing_is_fine),
	    cmocka_unit_test(run_ids_differ_and_sort_by_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
