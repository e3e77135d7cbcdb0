/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/output/sanitizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/encode.h"

/* Whole, and byte by byte: the size of the pieces makes no difference. */
static void
expect_as(bool is_screen, const char *bytes, const char *text)
{
	const size_t len = strlen(bytes);

	for (size_t piece = 1; piece <= len; piece += len > 1 ? len - 1 : 1) {
		struct w_sanitizer sanitizer = {.is_screen = is_screen};
		W_AUTO_BUF struct w_buf out;

		w_buf_init(&out, 4096);
		for (size_t at = 0; at < len; at += piece)
			w_sanitizer_add(&sanitizer, &out, bytes + at,
			    len - at < piece ? len - at : piece);
		w_sanitizer_end(&sanitizer, &out);
		assert_string_equal(out.data, text);
	}
}

static void
expect(const char *bytes, const char *text)
{
	expect_as(false, bytes, text);
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
	/* A string interrupted by another sequence. */
	expect("a\033]0;t\033[31mb", "a\033[31mb\033[0m");
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
	    "ab\033[31mcde\033[0m");
	/* 0x9b alone is not UTF-8, so it is no control. */
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
	expect(bytes, "x\033[31my\033[0m");
}

static void
a_sequence_ends_with_its_line(void **state)
{
	static const char *const openings[] = {"\033", "\033]52;c;", "\033P$q",
	    "\033_G", "\033^", "\033X", "\033[", "\033[1;", "\033(",
	    "\033]\033"};

	(void)state;
	for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
		char bytes[64];

		(void)snprintf(bytes, sizeof(bytes), "a%s\nb\n", openings[i]);
		expect(bytes, "a\nb\n");
		expect_as(true, bytes, "a\nb\n");
	}
}

/* After the maximum the rest is shown, and no character is cut. */
static void
a_string_without_end_is_bounded(void **state)
{
	static const char *const fillers[] = {"x", "\xc3\xbc", "1"};

	(void)state;
	for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++) {
		struct w_sanitizer sanitizer = {.is_screen = false};
		W_AUTO_BUF struct w_buf out;

		w_buf_init(&out, 1 << 20);
		w_sanitizer_add(&sanitizer, &out, i == 2 ? "\033[" : "\033]0;a",
		    i == 2 ? 2 : 5);
		for (size_t n = 0; n < W_SANITIZER_SWALLOW_MAX; n++)
			w_sanitizer_add(
			    &sanitizer, &out, fillers[i], strlen(fillers[i]));
		w_sanitizer_add(&sanitizer, &out, "seen", 4);
		w_sanitizer_end(&sanitizer, &out);
		assert_true(out.len >= 4);
		assert_string_equal(out.data + out.len - 4, "seen");
		assert_true(w_utf8_valid(out.data, out.len));
		w_buf_done(&out);
	}
}

static void
a_colour_is_put_back(void **state)
{
	(void)state;
	expect("\033[1mx", "\033[1mx\033[0m");
	expect("\033[1mx\033[0my", "\033[1mx\033[0my");
}

static void
a_screen_can_be_drawn(void **state)
{
	static const char *const passed[] = {"\033[2J", "\033[H", "\033[12;40H",
	    "\033[K", "\033[3A", "\033[2L", "\033[M", "\033[4P", "\033[s\033[u",
	    "\0337x\0338", "\033M", "a\b\b\a\r", "\033[4hx\033[4l",
	    "\033[?1049hx\033[?1049l", "\033[?25lx\033[?25h",
	    "\033[?1hx\033[?1l", "\033=x\033>", "\033[?2004hx\033[?2004l",
	    "\033[3;9rx\033[r", "\033[!p",
	    ("\033[?1000h\033[?1006h"
	     "x\033[?1000l\033[?1006l")};

	(void)state;
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		expect_as(true, passed[i], passed[i]);
	/* The same as a C1 control. */
	expect_as(true,
	    "\xc2\x9b"
	    "2J",
	    "\033[2J");
}

static void
what_makes_a_terminal_answer_is_taken_out_of_a_screen(void **state)
{
	static const char *const dropped[] = {"\033[6n", "\033[5n", "\033[?6n",
	    "\033[c", "\033[0c", "\033[>c", "\033[=c", "\033Z", "\005",
	    "\033[x", "\033[?25$p", "\033[4$p", "\033[>q", "\033[?u",
	    "\033[?4m", "\033[21t", "\033[14t", "\033[18t",
	    "\033[1;1;1;1;1;1*y", "\033[1'|", "\033[1$w", "\033[?1004h",
	    "\033[&u", "\033P$qm\033\\", "\033P+q544e\033\\", "\033]52;c;?\007",
	    "\033]11;?\033\\", "\033]4;1;?\007", "\033_Ga=q;\033\\"};

	(void)state;
	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
		expect_as(true, dropped[i], "");
}

static void
what_reaches_beyond_the_screen_is_taken_out(void **state)
{
	static const char *const dropped[] = {"\033]0;title\007",
	    "\033]2;title\033\\", "\033]52;c;AAAA\007", "\033]8;;x\033\\",
	    "\033]1337;File=:AAAA\007", "\033[3J", "\033[5i", "\033[8;1;1t",
	    "\033[22;0t", "\033[>4;2m", "\033[20h", "\033[?3h", "\033c",
	    "\033%@", "\033(K", "\033#8", "\033[>1u", "\033[99999b",
	    "\033[1;2;3;4;5T", "\033[1;2s", "\033[>2T", "\033[1;1;2;2;27$t",
	    "\033[2;1\"p", "\033n", "\033 G"};

	(void)state;
	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
		expect_as(true, dropped[i], "");
	/* Only the allowed modes of a list pass. */
	expect_as(true, "\033[?25;1004;1034;7h", "\033[?25h\033[?7h");
}

static void
modes_that_were_left_are_put_back(void **state)
{
	(void)state;
	expect_as(true, "\033[?1049h\033[?25l\033[1mx",
	    "\033[?1049h\033[?25l\033[1mx\033[?1049l\033[?25h\033[0m");
	expect_as(true, "\033[?7l\033[?2004h\033[?1003h",
	    "\033[?7l\033[?2004h\033[?1003h\033[?7h\033[?1003l\033[?2004l");
	expect_as(true, "\033[4h\033[2;5r\033=\033(0q\033[3 q",
	    "\033[4h\033[2;5r\033=\033(0q\033[3 q"
	    "\033[4l\0337\033[r\0338\033>\033(B\033)B\017\033[0 q");
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
	    cmocka_unit_test(a_sequence_ends_with_its_line),
	    cmocka_unit_test(a_string_without_end_is_bounded),
	    cmocka_unit_test(a_colour_is_put_back),
	    cmocka_unit_test(a_screen_can_be_drawn),
	    cmocka_unit_test(
		what_makes_a_terminal_answer_is_taken_out_of_a_screen),
	    cmocka_unit_test(what_reaches_beyond_the_screen_is_taken_out),
	    cmocka_unit_test(modes_that_were_left_are_put_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
