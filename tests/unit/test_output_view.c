/* SPDX-License-Identifier: Apache-2.0 */

/* What an answer shows of two streams. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/encode.h"
#include "mcp/runs/output_view.h"

enum {
	LONG = 4000,
};

/* Characters of one to four bytes, repeated. */
static char text[LONG + 1];

static void
fill_text(void)
{
	static const char pattern[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
	const size_t len = sizeof(pattern) - 1;

	for (size_t i = 0; i < LONG; i++)
		text[i] = pattern[i % len];
	text[LONG] = '\0';
}

static writ_output
whole(const char *bytes, size_t len)
{
	return (writ_output){
	    .head = bytes, .head_len = len, .tail = "", .bytes = len};
}

static size_t
shown(const struct w_output_stream *stream)
{
	return stream->head_len + stream->tail_len;
}

static void
what_fits_is_shown_as_it_is(void **state)
{
	const writ_result result = {
	    .out = {whole("0123456789", 10), whole("abc", 3)}};
	struct w_output_view view;

	(void)state;
	w_output_view_result(&view, &result, 13);
	assert_false(view.streams[0].is_cut || view.streams[1].is_cut);
	assert_int_equal(shown(&view.streams[0]), 10);
	assert_int_equal(shown(&view.streams[1]), 3);
	assert_int_equal(w_output_stream_cursor(&view.streams[0], false), 10);
	w_output_view_done(&view);
}

static void
a_short_stream_leaves_its_share_to_the_other(void **state)
{
	writ_result result = {.out = {whole(text, 100), whole("abc", 3)}};
	struct w_output_view view;

	(void)state;
	w_output_view_result(&view, &result, 43);
	assert_int_equal(shown(&view.streams[1]), 3);
	assert_in_range(shown(&view.streams[0]), 34, 40);
	result.out[0] = whole("abc", 3);
	result.out[1] = whole(text, 100);
	w_output_view_result(&view, &result, 43);
	assert_int_equal(shown(&view.streams[0]), 3);
	assert_in_range(shown(&view.streams[1]), 34, 40);
}

/* For all sizes: within the budget, real heads and tails, cut between
 * characters, and nothing omitted that would have fitted. */
static void
every_budget_is_kept(void **state)
{
	(void)state;
	for (uint64_t budget = 0; budget < 300; budget++) {
		for (size_t len = 0; len < 330; len += 10) {
			const writ_result result = {
			    .out = {whole(text, len), whole(text, 330 - len)}};
			struct w_output_view view;

			w_output_view_result(&view, &result, budget);
			assert_true(
			    shown(&view.streams[0]) + shown(&view.streams[1]) <=
			    budget);
			assert_true(shown(&view.streams[0]) +
					shown(&view.streams[1]) + 16 >=
				    budget);
			assert_true(view.streams[0].is_text);
			assert_true(view.streams[1].is_text);
		}
	}
}

static void
head_and_tail_are_those_of_the_stream(void **state)
{
	(void)state;
	for (uint64_t budget = 0; budget < 200; budget++) {
		const writ_result result = {
		    .out = {whole(text, 400), whole("", 0)}};
		const struct w_output_stream *stream;
		struct w_output_view view;

		w_output_view_result(&view, &result, budget);
		stream = &view.streams[0];
		assert_true(stream->is_cut);
		assert_memory_equal(stream->head, text, stream->head_len);
		assert_memory_equal(stream->tail, text + 400 - stream->tail_len,
		    stream->tail_len);
		assert_int_equal(w_output_stream_omitted(stream),
		    400 - stream->head_len - stream->tail_len);
		assert_int_equal(
		    w_output_stream_cursor(stream, false), stream->head_len);
	}
}

static void
what_the_engine_cut_is_cut_further(void **state)
{
	const writ_result result = {.out = {{.head = text,
						.head_len = 100,
						.tail = text + 100,
						.tail_len = 300,
						.bytes = LONG,
						.truncated = true},
					whole("", 0)}};
	struct w_output_view view;

	(void)state;
	w_output_view_result(&view, &result, 40);
	assert_true(view.streams[0].is_cut);
	assert_true(shown(&view.streams[0]) <= 40);
	assert_memory_equal(view.streams[0].tail,
	    text + 400 - view.streams[0].tail_len, view.streams[0].tail_len);
}

static void
what_is_no_text_is_cut_at_any_byte(void **state)
{
	char bytes[100];
	struct w_output_view view;

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	const writ_result result = {
	    .out = {whole(bytes, sizeof(bytes)), whole("", 0)}};
	w_output_view_result(&view, &result, 41);
	assert_false(view.streams[0].is_text);
	assert_int_equal(shown(&view.streams[0]), 41);
}

static void
escapes_keep_a_bound_too(void **state)
{
	static char bytes[1 << 16];
	struct w_output_view view;
	struct w_buf buf;

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	const writ_result result = {
	    .out = {whole(bytes, sizeof(bytes)), whole("", 0)}};
	w_output_view_result(&view, &result, 20000);
	w_buf_init(&buf, 1 << 20);
	w_output_stream_add(&buf, &view.streams[0]);
	assert_in_range(buf.len, 10000, 20100);
	assert_true(w_utf8_valid(buf.data, buf.len));
	w_buf_done(&buf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_fits_is_shown_as_it_is),
	    cmocka_unit_test(a_short_stream_leaves_its_share_to_the_other),
	    cmocka_unit_test(every_budget_is_kept),
	    cmocka_unit_test(head_and_tail_are_those_of_the_stream),
	    cmocka_unit_test(what_the_engine_cut_is_cut_further),
	    cmocka_unit_test(what_is_no_text_is_cut_at_any_byte),
	    cmocka_unit_test(escapes_keep_a_bound_too),
	};

	fill_text();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
