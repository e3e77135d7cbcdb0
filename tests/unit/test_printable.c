/* SPDX-License-Identifier: Apache-2.0 */

#include "base/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
expect(const char *text, size_t columns_max, const char *shown, size_t columns)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	assert_int_equal(w_printable_add(&buf, text, columns_max), columns);
	assert_string_equal(buf.data, shown);
}

static void
plain_text_stays_as_it_is(void **state)
{
	(void)state;
	expect("make test", 0, "make test", 9);
	expect("", 0, "", 0);
	expect("gr\xc3\xbc\xc3\x9f", 0, "gr\xc3\xbc\xc3\x9f", 4);
}

static void
what_a_terminal_obeys_is_written_out(void **state)
{
	(void)state;
	expect("\033[31m", 0, "\\x1b[31m", 8);
	expect("a\nb\tc\rd", 0, "a\\nb\\tc\\rd", 10);
	expect("\x07\x7f", 0, "\\x07\\x7f", 8);
	/* U+009B is another way to begin a sequence. */
	expect("\xc2\x9b", 0, "\\x9b", 4);
}

static void
text_that_turns_or_hides_letters_is_written_out(void **state)
{
	(void)state;
	expect("a\xe2\x80\xae"
	       "b",
	    0, "a\\u{202e}b", 10);
	expect("\xe2\x80\x8b", 0, "\\u{200b}", 8);
	expect("\xef\xbb\xbf", 0, "\\u{feff}", 8);
}

static void
what_looks_like_a_blank_is_written_out(void **state)
{
	(void)state;
	/* The Hangul fillers. */
	expect("a\xe3\x85\xa4"
	       "b",
	    0, "a\\u{3164}b", 10);
	expect("\xe1\x85\x9f\xe1\x85\xa0", 0, "\\u{115f}\\u{1160}", 16);
	expect("\xef\xbe\xa0", 0, "\\u{ffa0}", 8);
	/* No-break space, en quad, Braille without dots. */
	expect("\xc2\xa0", 0, "\\xa0", 4);
	expect("\xe2\x80\x80\xe2\xa0\x80", 0, "\\u{2000}\\u{2800}", 16);
	/* Hangul letters stay. */
	expect("\xed\x95\x9c", 0, "\xed\x95\x9c", 2);
}

static void
bytes_that_are_no_text_are_written_out(void **state)
{
	(void)state;
	expect("a\xff"
	       "b",
	    0, "a\\xffb", 6);
	expect("\xc3", 0, "\\xc3", 4);
	expect("\xe2\x80", 0, "\\xe2\\x80", 8);
	expect("\xf8\x88\x80\x80\x80", 0, "\\xf8\\x88\\x80\\x80\\x80", 20);
}

static void
a_long_text_is_cut_where_the_ellipsis_fits(void **state)
{
	(void)state;
	expect("abcdef", 6, "abcdef", 6);
	expect("abcdef", 5, "abcd\xe2\x80\xa6", 5);
	expect("abcdef", 1, "\xe2\x80\xa6", 1);
	/* An escape is written whole or not at all. */
	expect("abc\033", 5, "abc\xe2\x80\xa6", 4);
}

static void
wide_characters_take_two_columns(void **state)
{
	(void)state;
	expect("\xe6\x97\xa5\xe6\x9c\xac", 0, "\xe6\x97\xa5\xe6\x9c\xac", 4);
	expect("\xe6\x97\xa5\xe6\x9c\xac", 3, "\xe6\x97\xa5\xe2\x80\xa6", 3);
}

static void
text_that_was_there_before_stays(void **state)
{
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_buf_add_str(&buf, "x ");
	assert_int_equal(w_printable_add(&buf, "abcdef", 3), 3);
	assert_string_equal(buf.data, "x ab\xe2\x80\xa6");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_text_stays_as_it_is),
	    cmocka_unit_test(what_a_terminal_obeys_is_written_out),
	    cmocka_unit_test(what_looks_like_a_blank_is_written_out),
	    cmocka_unit_test(text_that_turns_or_hides_letters_is_written_out),
	    cmocka_unit_test(bytes_that_are_no_text_are_written_out),
	    cmocka_unit_test(a_long_text_is_cut_where_the_ellipsis_fits),
	    cmocka_unit_test(wide_characters_take_two_columns),
	    cmocka_unit_test(text_that_was_there_before_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
