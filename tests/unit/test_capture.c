/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "run/streams/capture.h"

enum {
	STREAM_MAX = 20000
};

static char stream[STREAM_MAX];

static int
fill_stream(void **state)
{
	(void)state;
	srandom(7);
	for (size_t i = 0; i < STREAM_MAX; i++)
		stream[i] = (char)random();
	return 0;
}

static void
release(const writ_output *out)
{
	union {
		const char *borrowed;
		char *owned;
	} head = {out->head}, tail = {out->tail};

	free(head.owned);
	free(tail.owned);
}

static void
expect_piece(const char *piece, size_t len, const char *wanted)
{
	assert_non_null(piece);
	assert_memory_equal(piece, wanted, len);
	assert_int_equal(piece[len], '\0');
}

/* What a reader with unlimited memory would have kept. */
static void
expect_model(const writ_output *out, size_t bytes, size_t limit)
{
	size_t head = limit / 4, tail = limit - limit / 4;

	if (bytes <= limit) {
		head = bytes;
		tail = 0;
	}
	assert_int_equal(out->bytes, bytes);
	assert_int_equal(out->truncated, bytes > limit);
	assert_int_equal(out->head_len, head);
	assert_int_equal(out->tail_len, tail);
	expect_piece(out->head, head, stream);
	expect_piece(out->tail, tail, stream + bytes - tail);
}

static size_t
random_chunk(size_t most)
{
	switch (random() % 4) {
	case 0:
		return (size_t)random() % 3;
	case 1:
		return (size_t)random() % 40;
	case 2:
		return (size_t)random() % 700;
	default:
		return (size_t)random() % (most + 1);
	}
}

/* Adds the next bytes, directly into the ring if possible. */
static size_t
add(struct w_capture *capture, const char *bytes, size_t len, bool direct)
{
	size_t room = 0;
	char *space = direct ? w_capture_space(capture, &room) : NULL;

	if (space == NULL) {
		w_capture_add(capture, bytes, len);
		return len;
	}
	assert_true(room > 0);
	if (len > room)
		len = room;
	memcpy(space, bytes, len);
	w_capture_commit(capture, len);
	return len;
}

/* Everything that is kept can be read at its offset, and nothing else. */
static void
expect_readable(const struct w_capture *capture, size_t bytes)
{
	char buf[64];

	for (int i = 0; i < 8; i++) {
		size_t offset = (size_t)random() % (bytes + 2);
		size_t n = w_capture_read(capture, offset, buf, sizeof(buf));
		bool is_kept =
		    offset < bytes && (offset < capture->head_len ||
					  offset >= bytes - capture->ring_len);

		assert_int_equal(n > 0, is_kept);
		assert_true(
		    n <= sizeof(buf) && (n == 0 || offset + n <= bytes));
		assert_memory_equal(buf, stream + offset, n);
	}
}

static void
expect_copy(const struct w_capture *capture, size_t bytes, size_t limit)
{
	writ_output out = {0};

	assert_true(w_capture_copy(capture, &out));
	expect_model(&out, bytes, limit);
	release(&out);
	expect_readable(capture, bytes);
}

static void
capture_randomly(size_t bytes, size_t limit)
{
	struct w_capture capture;
	writ_output out = {0};

	w_capture_init(&capture, limit);
	for (size_t at = 0; at < bytes;) {
		size_t len = random_chunk(bytes);

		if (len > bytes - at)
			len = bytes - at;
		at += add(&capture, stream + at, len, random() % 2 == 0);
		assert_int_equal(w_capture_is_whole(&capture), at <= limit);
		assert_true(capture.head_cap + capture.ring_cap <= limit);
		if (random() % 8 == 0)
			expect_copy(&capture, at, limit);
	}
	assert_true(w_capture_take(&capture, &out));
	expect_model(&out, bytes, limit);
	release(&out);
	w_capture_done(&capture);
}

static void
any_stream_in_any_chunks_is_kept_as_the_model_says(void **state)
{
	static const size_t limits[] = {
	    0, 1, 2, 3, 4, 5, 7, 8, 511, 512, 513, 1000, 2048, 4096, 10000};

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		for (int round = 0; round < 60; round++)
			capture_randomly(
			    (size_t)random() % STREAM_MAX, limits[i]);
	}
}

static void
streams_around_the_limit_are_kept_as_the_model_says(void **state)
{
	(void)state;
	for (size_t limit = 0; limit < 40; limit++) {
		for (size_t bytes = 0; bytes < 3 * limit + 3; bytes++)
			capture_randomly(bytes, limit);
	}
}

static void
an_empty_stream_is_two_empty_strings(void **state)
{
	(void)state;
	capture_randomly(0, 0);
	capture_randomly(0, 1);
	capture_randomly(0, 1 << 20);
}

static void
a_capture_that_still_grows_is_not_read_into(void **state)
{
	struct w_capture capture;
	size_t room = 0;

	(void)state;
	w_capture_init(&capture, 0);
	assert_null(w_capture_space(&capture, &room));
	w_capture_add(&capture, stream, 100);
	assert_null(w_capture_space(&capture, &room));
	w_capture_done(&capture);

	/* Nor a whole one: a spill file would start with its bytes. */
	w_capture_init(&capture, 100);
	w_capture_add(&capture, stream, 100);
	assert_null(w_capture_space(&capture, &room));
	w_capture_add(&capture, stream, 1);
	assert_non_null(w_capture_space(&capture, &room));
	assert_in_range(room, 1, 75);
	w_capture_done(&capture);
}

static void
memory_follows_the_output_not_the_limit(void **state)
{
	struct w_capture capture;
	writ_output out = {0};

	(void)state;
	w_capture_init(&capture, UINT64_MAX);
	w_capture_add(&capture, stream, 100);
	assert_true(capture.head_cap + capture.ring_cap < 4096);
	assert_true(w_capture_take(&capture, &out));
	assert_int_equal(out.head_len, 100);
	release(&out);
	w_capture_done(&capture);
}

static void
a_capture_may_be_released_at_any_time(void **state)
{
	struct w_capture capture;

	(void)state;
	w_capture_init(&capture, 10);
	w_capture_done(&capture);
	w_capture_init(&capture, 10);
	w_capture_add(&capture, stream, 100);
	w_capture_done(&capture);
	w_capture_done(&capture);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		any_stream_in_any_chunks_is_kept_as_the_model_says),
	    cmocka_unit_test(
		streams_around_the_limit_are_kept_as_the_model_says),
	    cmocka_unit_test(an_empty_stream_is_two_empty_strings),
	    cmocka_unit_test(a_capture_that_still_grows_is_not_read_into),
	    cmocka_unit_test(memory_follows_the_output_not_the_limit),
	    cmocka_unit_test(a_capture_may_be_released_at_any_time),
	};
	return cmocka_run_group_tests(tests, fill_stream, NULL);
}
