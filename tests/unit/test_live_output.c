/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/live/live_output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct w_live_output output;

static int
output_tear_down(void **state)
{
	(void)state;
	w_live_output_done(&output);
	return 0;
}

static void
add(const char *text)
{
	assert_true(
	    w_live_output_add(&output, WRIT_STDOUT, text, strlen(text)));
}

static void
assert_line(size_t at, const char *text)
{
	assert_true(at < w_live_output_count(&output));
	assert_string_equal(w_live_output_line(&output, at), text);
}

static void
assert_cut(const char *line, size_t columns, const char *text)
{
	struct w_buf buf;

	w_buf_init(&buf, 4096);
	assert_true(w_live_output_cut(&buf, line, columns, true) <= columns);
	assert_string_equal(buf.data, text);
	w_buf_done(&buf);
}

static void
text_becomes_lines_and_the_unfinished_one_is_shown(void **state)
{
	(void)state;
	assert_int_equal(w_live_output_count(&output), 0);
	add("one\ntw");
	assert_int_equal(w_live_output_count(&output), 2);
	assert_line(1, "tw");
	add("o\n");
	assert_int_equal(w_live_output_count(&output), 2);
	assert_line(0, "one");
	assert_line(1, "two");
}

static void
both_streams_are_one_text_and_none_completes_the_sequence_of_the_other(
    void **state)
{
	(void)state;
	add("a\033[3");
	assert_true(w_live_output_add(&output, WRIT_STDERR, "1mb", 3));
	add("2mc\n");
	assert_line(0, "a1mb\033[32mc");
}

static void
a_colour_goes_on_in_the_next_line_until_it_is_reset(void **state)
{
	(void)state;
	add("\033[1m\033[31mred\nstill\nno\033[0mmore\nplain\n");
	assert_line(0, "\033[1m\033[31mred");
	assert_line(1, "\033[1m\033[31mstill");
	assert_line(3, "plain");
}

static void
a_colour_alone_is_no_line(void **state)
{
	(void)state;
	add("\033[31mred\n");
	assert_int_equal(w_live_output_count(&output), 1);
}

static void
colours_without_end_are_bounded(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++)
		add("\033[38;2;100;100;100m");
	add("x\ny\n");
	assert_true(
	    strlen(w_live_output_line(&output, 1)) <= W_LIVE_COLOUR_MAX + 1);
}

static void
the_last_lines_are_kept_and_long_ones_end(void **state)
{
	char text[32];

	(void)state;
	for (int i = 0; i < W_LIVE_LINES_MAX + 10; i++) {
		(void)snprintf(text, sizeof(text), "%d\n", i);
		add(text);
	}
	assert_int_equal(w_live_output_count(&output), W_LIVE_LINES_MAX);
	assert_line(0, "10");
	for (int i = 0; i < 1000; i++)
		add("0123456789");
	add("\n");
	assert_int_equal(strlen(w_live_output_line(
			     &output, w_live_output_count(&output) - 1)),
	    W_LIVE_LINE_BYTES);
}

static void
a_line_is_cut_to_its_columns(void **state)
{
	(void)state;
	assert_cut("abc", 3, "abc");
	assert_cut("abcd", 3, "abc");
	assert_cut("a\tb", 20, "a       b");
	assert_cut("a\tb", 4, "a   ");
	assert_cut("\033[31mabc", 2, "\033[31mab\033[0m");
	/* A wide character that does not fit is left out. */
	assert_cut("a\xef\xbc\xa1", 2, "a");
	assert_cut("a\xef\xbc\xa1", 3, "a\xef\xbc\xa1");
}

static void
characters_that_hide_or_turn_others_are_escaped(void **state)
{
	(void)state;
	assert_cut("a\xe2\x80\xae"
		   "b",
	    20, "a\\u{202e}b");
	assert_cut("a\xe2\x80\x8b"
		   "b",
	    20, "a\\u{200b}b");
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_teardown(name, output_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(text_becomes_lines_and_the_unfinished_one_is_shown),
	    CASE(
		both_streams_are_one_text_and_none_completes_the_sequence_of_the_other),
	    CASE(a_colour_goes_on_in_the_next_line_until_it_is_reset),
	    CASE(a_colour_alone_is_no_line),
	    CASE(colours_without_end_are_bounded),
	    CASE(the_last_lines_are_kept_and_long_ones_end),
	    CASE(a_line_is_cut_to_its_columns),
	    CASE(characters_that_hide_or_turn_others_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
