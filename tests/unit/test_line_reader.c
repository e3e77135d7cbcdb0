/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "mcp/transport/line_reader.h"

/* Feeds bytes in pieces of a given length; appends each line in brackets, and
 * "!" for one that was too long. */
static void
read_pieces(
    const char *bytes, size_t len, size_t piece, size_t max, struct w_buf *out)
{
	struct w_line_reader in;
	const char *text = NULL;
	size_t text_len = 0;
	enum w_line_status line;

	w_line_reader_init(&in, max);
	for (size_t at = 0; at < len;) {
		const size_t step = len - at < piece ? len - at : piece;

		char *room = w_line_reader_room(&in);
		assert_non_null(room);
		memcpy(room, bytes + at, step);
		w_line_reader_added(&in, step);
		at += step;
		while ((line = w_line_reader_next(&in, &text, &text_len)) !=
		       W_LINE_NONE) {
			if (line == W_LINE_TOO_LONG) {
				w_buf_add_char(out, '!');
				continue;
			}
			w_buf_add_char(out, '[');
			w_buf_add(out, text, text_len);
			w_buf_add_char(out, ']');
		}
	}
	line = w_line_reader_last(&in, &text, &text_len);
	if (line == W_LINE_TOO_LONG) {
		w_buf_add_str(out, "?!");
	} else if (line == W_LINE) {
		w_buf_add_char(out, '<');
		w_buf_add(out, text, text_len);
		w_buf_add_char(out, '>');
	}
	assert_int_equal(
	    w_line_reader_last(&in, &text, &text_len), W_LINE_NONE);
	w_line_reader_done(&in);
}

static void
pieces_of_any_length_make_the_same_lines(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		const char *lines;
	} cases[] = {
	    {"", ""},
	    {"\n", "[]"},
	    {"a\nbc\n", "[a][bc]"},
	    {"a\r\nb\rc\r\n\r\n", "[a][b\rc][]"},
	    {"a\nb", "[a]<b>"},
	    {"12345678\n123456789\nx\n", "[12345678]![x]"},
	    {"123456789012345678901234567890\nx", "!<x>"},
	    {"x\n123456789012345678901234567890", "[x]?!"},
	    {"\n\n\n", "[][][]"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t piece = 1; piece < 40; piece++) {
			W_AUTO_BUF struct w_buf out;

			w_buf_init(&out, 1024);
			read_pieces(cases[i].bytes, strlen(cases[i].bytes),
			    piece, 8, &out);
			assert_string_equal(out.data, cases[i].lines);
		}
	}
}

static void
any_byte_is_part_of_a_line(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, 1024);
	read_pieces("a\0\xff\n\0", 5, 2, 100, &out);
	assert_int_equal(out.len, 8);
	assert_memory_equal(out.data, "[a\0\xff]<\0>", 8);
}

/* A megabyte in the smallest pieces: rescanning from the start each time would
 * take minutes. */
static void
a_long_line_costs_what_it_is_long(void **state)
{
	(void)state;
	enum {
		LONG = 1024 * 1024
	};
	struct w_line_reader in;
	const char *text = NULL;
	size_t len = 0;
	const clock_t begun = clock();

	w_line_reader_init(&in, LONG);
	for (size_t i = 0; i < LONG; i++) {
		*w_line_reader_room(&in) = 'x';
		w_line_reader_added(&in, 1);
		assert_int_equal(
		    w_line_reader_next(&in, &text, &len), W_LINE_NONE);
	}
	*w_line_reader_room(&in) = '\n';
	w_line_reader_added(&in, 1);
	assert_int_equal(w_line_reader_next(&in, &text, &len), W_LINE);
	assert_int_equal(len, LONG);
	assert_true((clock() - begun) / CLOCKS_PER_SEC < 10);

	/* The buffer of a long line is freed. */
	assert_int_equal(w_line_reader_next(&in, &text, &len), W_LINE_NONE);
	assert_int_equal(in.cap, 0);
	w_line_reader_done(&in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pieces_of_any_length_make_the_same_lines),
	    cmocka_unit_test(any_byte_is_part_of_a_line),
	    cmocka_unit_test(a_long_line_costs_what_it_is_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
