/* SPDX-License-Identifier: Apache-2.0 */

/* Text in lines of a terminal. */

#include "cli/output/line_wrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct w_words lines;

static void
wrap(const char *text, size_t columns)
{
	w_words_done(&lines);
	lines = (struct w_words){.items = NULL};
	assert_true(w_wrap_lines(&lines, text, "  ", "    ", columns));
	for (size_t i = 0; i < lines.count; i++)
		assert_in_range(w_wrap_columns(lines.items[i]), 0, columns);
}

static int
wrap_tear_down(void **state)
{
	(void)state;
	w_words_done(&lines);
	lines = (struct w_words){.items = NULL};
	return 0;
}

static void
lines_break_after_a_blank(void **state)
{
	(void)state;
	wrap("git commit --message text", 16);
	assert_int_equal(lines.count, 3);
	assert_string_equal(lines.items[0], "  git commit ");
	assert_string_equal(lines.items[1], "    --message ");
	assert_string_equal(lines.items[2], "    text");
}

static void
several_blanks_can_be_counted(void **state)
{
	(void)state;
	wrap("aaaaaaaaaa   bbbbbb", 16);
	assert_int_equal(lines.count, 2);
	assert_string_equal(lines.items[0], "  aaaaaaaaaa ");
	assert_string_equal(lines.items[1], "      bbbbbb");
}

static void
a_broken_word_says_so(void **state)
{
	(void)state;
	wrap("abcdefghijklmnopqrstuvwxyz", 16);
	assert_string_equal(lines.items[0], "  abcdefghijklm\\");
	assert_string_equal(lines.items[1], "    nopqrstuvwx\\");
	assert_string_equal(lines.items[2], "    yz");
}

static void
an_escape_is_never_broken(void **state)
{
	(void)state;
	wrap("abcdefghijk\\x1b[2J", 16);
	assert_string_equal(lines.items[0], "  abcdefghijk\\");
	assert_string_equal(lines.items[1], "    \\x1b[2J");
	wrap("abcdefghi\\u{202e}z", 16);
	assert_string_equal(lines.items[1], "    \\u{202e}z");
	/* These only look like one. */
	wrap("\\u{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}", 16);
	assert_int_equal(w_wrap_columns("\\x7\xe2\x80\xa6"), 4);
}

static void
wide_characters_are_measured(void **state)
{
	(void)state;
	/* Each has two columns. */
	wrap("\xe7\x95\x8c\xe7\x95\x8c\xe7\x95\x8c\xe7\x95\x8c\xe7\x95\x8c"
	     "\xe7\x95\x8c\xe7\x95\x8c\xe7\x95\x8c",
	    16);
	assert_int_equal(lines.count, 2);
	assert_int_equal(w_wrap_columns(lines.items[0]), 15);
	assert_int_equal(w_wrap_columns("\033[1mab\033[0m"), 2);
}

static void
marks_without_a_width_come_to_an_end(void **state)
{
	char text[40001];

	(void)state;
	for (size_t i = 0; i < 20000; i++)
		memcpy(text + 2 * i, "\xcc\x81", 2);
	text[40000] = '\0';
	wrap(text, 80);
	assert_true(lines.count > 100);
}

static void
a_cut_text_ends_in_an_ellipsis(void **state)
{
	struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 256);
	assert_false(w_wrap_add_cut(&buf, "abc", 3));
	assert_true(w_wrap_add_cut(&buf, "abcd", 3));
	assert_string_equal(buf.data, "abcab\xe2\x80\xa6");
	w_buf_done(&buf);
}

static void
colours_have_no_width(void **state)
{
	(void)state;
	assert_int_equal(w_wrap_columns("\033[1;31mab\033[0m"), 2);
	assert_int_equal(w_wrap_columns("\033[38:2:1:2:3mab\033[m"), 2);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_teardown(name, wrap_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(lines_break_after_a_blank),
	    CASE(several_blanks_can_be_counted),
	    CASE(a_broken_word_says_so),
	    CASE(an_escape_is_never_broken),
	    CASE(wide_characters_are_measured),
	    CASE(marks_without_a_width_come_to_an_end),
	    CASE(a_cut_text_ends_in_an_ellipsis),
	    CASE(colours_have_no_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
