/* SPDX-License-Identifier: Apache-2.0 */

/* Output on its way to the watch. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "manifest/apply/resource_output.h"

static const struct w_apply_options options;
static const struct w_resource_extras extras;
static struct w_resource resource;
static struct w_apply_watch watch;
static struct w_resource_step step;
static struct w_resource_output resource_output;
static struct w_buf seen; /* each chunk with its stream, '|' after it */

static void
on_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	assert_ptr_equal(ctx, &seen);
	w_buf_add_fmt(&seen, "%d:", (int)stream);
	w_buf_add(&seen, bytes, len);
	w_buf_add_char(&seen, '|');
}

static int
set_up(void **state)
{
	(void)state;
	resource =
	    (struct w_resource){.name = {.text = "a"}, .extras = &extras};
	watch = (struct w_apply_watch){.on_output = on_output, .ctx = &seen};
	w_buf_init(&seen, (size_t)1 << 20);
	step = (struct w_resource_step){.options = &options, .watch = &watch};
	w_resource_step_init(&step);
	w_resource_step_begin(&step, &resource);
	w_resource_output_init(&resource_output, &step);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_resource_output_done(&resource_output);
	w_resource_step_done(&step);
	w_buf_done(&seen);
	return 0;
}

static void
take(writ_stream stream, const char *text)
{
	assert_int_equal(w_resource_output_add(&resource_output, NULL, stream,
			     text, strlen(text)),
	    0);
}

static void
lines_are_shown_whole(void **state)
{
	(void)state;
	take(WRIT_STDOUT, "on");
	take(WRIT_STDERR, "er");
	assert_int_equal(seen.len, 0);
	take(WRIT_STDOUT, "e\ntwo\nth");
	assert_string_equal(seen.data, "0:one\ntwo\n|");
	take(WRIT_STDERR, "r\n");
	w_resource_output_end(&resource_output);
	assert_string_equal(seen.data, "0:one\ntwo\n|1:err\n|0:th|");
}

static void
a_line_without_end_goes_in_pieces(void **state)
{
	static char text[W_RESOURCE_OUTPUT_LINE_MAX + 1];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	take(WRIT_STDOUT, text);
	assert_int_equal(seen.len, W_RESOURCE_OUTPUT_LINE_MAX + 3);
	take(WRIT_STDOUT, "y\n");
	assert_string_equal(
	    seen.data + W_RESOURCE_OUTPUT_LINE_MAX + 2, "|0:y\n|");
}

static void
a_secret_in_two_pieces_is_hidden(void **state)
{
	(void)state;
	assert_true(w_secrets_add(&step.secrets, &step.arena, "hunter2", 7));
	take(WRIT_STDOUT, "pw hun");
	take(WRIT_STDERR, "ter2\n");
	take(WRIT_STDOUT, "ter2\n");
	w_resource_output_end(&resource_output);
	assert_non_null(strstr(seen.data, "0:pw (sensitive)\n|"));
	assert_non_null(strstr(seen.data, "1:ter2\n|"));
}

static void
a_sensitive_resource_shows_nothing(void **state)
{
	const writ_result result = {
	    .out = {{.head = "x", .head_len = 1, .tail = "", .bytes = 1},
		{.head = "", .tail = ""}}};

	(void)state;
	resource.is_sensitive = true;
	take(WRIT_STDOUT, "one\n");
	w_resource_output_end(&resource_output);
	w_resource_output_show_kept(&step, &result);
	assert_int_equal(seen.len, 0);
}

static void
what_was_kept_says_how_much_is_missing(void **state)
{
	const writ_result result = {.out = {{.head = "first",
						.head_len = 5,
						.tail = "last",
						.tail_len = 4,
						.bytes = 1009,
						.truncated = true},
					{.head = "", .tail = ""}}};

	(void)state;
	w_resource_output_show_kept(&step, &result);
	assert_string_equal(seen.data, "0:first\n[1000 bytes left out]\nlast|");
}

static void
half_a_secret_at_a_cut_is_not_shown(void **state)
{
	const writ_result result = {.out = {{.head = "see hunte",
						.head_len = 9,
						.tail = "r2 end",
						.tail_len = 6,
						.bytes = 115,
						.truncated = true},
					{.head = "", .tail = ""}}};
	W_AUTO_BUF struct w_buf tail;

	(void)state;
	assert_true(w_secrets_add(&step.secrets, &step.arena, "hunter2", 7));
	w_resource_output_show_kept(&step, &result);
	assert_string_equal(seen.data, "0:see\n[112 bytes left out]\n|");
	w_buf_init(&tail, 100);
	w_resource_output_add_tail(&tail, &step, &result.out[0], 100);
	assert_int_equal(tail.len, 0);
}

static void
the_end_of_an_output_is_cut_between_characters(void **state)
{
	const writ_output output = {.head = "ab\xc3\xa4"
					    "cd",
	    .head_len = 6,
	    .tail = "",
	    .bytes = 6};
	W_AUTO_BUF struct w_buf tail;

	(void)state;
	w_buf_init(&tail, 100);
	w_resource_output_add_tail(&tail, &step, &output, 3);
	assert_string_equal(tail.data, "cd");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(lines_are_shown_whole),
	    TEST(a_line_without_end_goes_in_pieces),
	    TEST(a_secret_in_two_pieces_is_hidden),
	    TEST(a_sensitive_resource_shows_nothing),
	    TEST(what_was_kept_says_how_much_is_missing),
	    TEST(half_a_secret_at_a_cut_is_not_shown),
	    TEST(the_end_of_an_output_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
