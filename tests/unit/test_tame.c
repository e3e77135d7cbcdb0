/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/tame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Whole, and byte by byte: where a piece ends makes no difference. */
static void
expect(const char *bytes, const char *text)
{
	const size_t len = strlen(bytes);

	for (size_t piece = 1; piece <= len; piece += len > 1 ? len - 1 : 1) {
		struct w_tame tame = {.state = W_TAME_TEXT};
		W_AUTO_BUF struct w_buf out;

		w_buf_init(&out, 4096);
		for (size_t at = 0; at < len; at += piece)
			w_tame_add(&tame, &out, bytes + at,
			    len - at < piece ? len - at : piece);
		w_tame_end(&tame, &out);
		assert_string_equal(out.data, text);
	}
}

static void
text_tabs_and_line_ends_pass(void **state)
{
	(void)state;
	expect("a\tb\nc gr\xc3\xbc\xc3\x9f", "a\tb\nc gr\xc3\xbc\xc3\x9f");
}

static void
colours_pass(void **state)
{
	(void)state;
	expect("\033[1;31mred\033[m", "\033[1;31mred\033[m");
	expect("\033[38:2::1:2:3mx\033[0m", "\033[38:2::1:2:3mx\033[0m");
}

static void
what_moves_erases_or_asks_is_taken_out(void **state)
{
	(void)state;
	expect("a\033[2Jb\033[Hc\033[?1049hd\033[6ne", "abcde");
	expect("a\033[>4;1mb\033[ mc\033[?25md", "abcd");
	expect("a\033cb\033(0c\0337d\033#8e", "abcde");
	expect("a\007\010\016\177b", "ab");
}

static void
titles_links_and_other_strings_are_taken_out(void **state)
{
	(void)state;
	expect("a\033]0;title\007b", "ab");
	expect("a\033]52;c;AAAA\033\\b", "ab");
	expect(
	    "a\033P$qm\033\\b\033_x\033\\c\033^y\033\\d\033Xz\033\\e", "abcde");
	/* A string that another sequence breaks off. */
	expect("a\033]0;t\033[31mb", "a\033[31mb");
	/* One that never ends swallows what follows, as on a terminal. */
	expect("a\033]0;title", "a");
}

static void
controls_of_the_second_block_are_the_same(void **state)
{
	(void)state;
	expect("a\xc2\x9b"
	       "2Jb\xc2\x9b"
	       "31mc\xc2\x9d"
	       "0;t\007d\xc2\x85"
	       "e",
	    "ab\033[31mcde");
	/* A byte alone is no character. */
	expect("a\x9b"
	       "2J",
	    "a\xef\xbf\xbd"
	    "2J");
}

static void
nothing_is_written_over(void **state)
{
	(void)state;
	expect("10%\r20%\r\nend\r", "10%\n20%\nend\n");
	expect("rm -rf /\rls", "rm -rf /\nls");
}

static void
a_character_ends_a_sequence_and_is_shown_whole(void **state)
{
	(void)state;
	expect("\033\xc3\xbc", "\xc3\xbc");
	expect("\033[1\xc3\xbc", "\xc3\xbc");
	expect("\033(\xc3\xbc", "\xc3\xbc");
	expect("\033]0;\033\xc3\xbc", "\xc3\xbc");
	expect("\033]0;\xc3\xbc\007x", "x");
}

static void
a_sequence_without_end_is_bounded(void **state)
{
	char bytes[300] = "\033[";

	(void)state;
	memset(bytes + 2, '1', 200);
	strcpy(bytes + 202, "mx\033[31my");
	expect(bytes, "x\033[31my");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_tabs_and_line_ends_pass),
	    cmocka_unit_test(colours_pass),
	    cmocka_unit_test(what_moves_erases_or_asks_is_taken_out),
	    cmocka_unit_test(titles_links_and_other_strings_are_taken_out),
	    cmocka_unit_test(controls_of_the_second_block_are_the_same),
	    cmocka_unit_test(nothing_is_written_over),
	    cmocka_unit_test(a_character_ends_a_sequence_and_is_shown_whole),
	    cmocka_unit_test(a_sequence_without_end_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
