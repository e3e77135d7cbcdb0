/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"

static void
new_buffer_is_an_empty_string(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 10);
	assert_string_equal(buf.data, "");
	assert_int_equal(buf.len, 0);
	assert_int_equal(buf.cap, 0);
	assert_false(buf.failed);
}

static void
appends_join_and_end_with_nul(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 100);
	w_buf_add(&buf, "ab\0c", 4);
	w_buf_add_str(&buf, "de");
	w_buf_add_str(&buf, "");
	w_buf_add_char(&buf, 'f');
	w_buf_add_fmt(&buf, "-%d-%s", 42, "x");
	w_buf_add(&buf, NULL, 0);
	assert_int_equal(buf.len, 12);
	assert_memory_equal(buf.data, "ab\0cdef-42-x", 13);
	assert_false(buf.failed);
}

static void
buffer_grows_over_many_appends(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, SIZE_MAX);
	for (size_t i = 0; i < 100000; i++) {
		w_buf_add_char(&buf, (char)('a' + i % 26));
		assert_int_equal(buf.data[buf.len], '\0');
	}
	assert_int_equal(buf.len, 100000);
	for (size_t i = 0; i < buf.len; i++)
		assert_int_equal(buf.data[i], 'a' + (int)(i % 26));
	assert_true(buf.cap < 300000);
}

static void
maximum_itself_fits_and_one_more_does_not(void **state)
{
	(void)state;
	for (size_t max = 0; max < 300; max++) {
		W_AUTO_BUF struct w_buf buf;
		w_buf_init(&buf, max);
		for (size_t i = 0; i < max; i++)
			w_buf_add_char(&buf, 'x');
		assert_false(buf.failed);
		assert_int_equal(buf.len, max);
		w_buf_add_char(&buf, 'y');
		assert_true(buf.failed);
		assert_int_equal(buf.len, max);
		assert_int_equal(strlen(buf.data), max);
	}
}

static void
failed_append_keeps_content_and_stops_later_ones(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 4);
	w_buf_add_str(&buf, "abc");
	w_buf_add_str(&buf, "de");
	assert_true(buf.failed);
	assert_string_equal(buf.data, "abc");
	w_buf_add_char(&buf, 'd');
	w_buf_add_fmt(&buf, "%d", 1);
	assert_string_equal(buf.data, "abc");
	assert_null(w_buf_take(&buf, NULL));
	assert_string_equal(buf.data, "");
}

static void
formatted_append_respects_the_maximum(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 5);
	w_buf_add_fmt(&buf, "%s", "12345");
	assert_false(buf.failed);
	assert_string_equal(buf.data, "12345");
	w_buf_add_fmt(&buf, "%s", "");
	assert_false(buf.failed);
	w_buf_add_fmt(&buf, "%s", "6");
	assert_true(buf.failed);
	assert_string_equal(buf.data, "12345");
}

static void
impossible_size_is_a_failure_not_an_overflow(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, SIZE_MAX);
	w_buf_add_str(&buf, "abc");
	/* Fails before a byte is read: the size leaves no space for the NUL. */
	const char *volatile bytes = "x";
	volatile size_t len = SIZE_MAX - 3;
	w_buf_add(&buf, bytes, len);
	assert_true(buf.failed);
	assert_string_equal(buf.data, "abc");
}

static void
take_hands_the_string_out_and_empties(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 100);
	w_buf_add_str(&buf, "hello");
	size_t len = 77;
	W_AUTO_FREE char *taken = w_buf_take(&buf, &len);
	assert_string_equal(taken, "hello");
	assert_int_equal(len, 5);
	assert_int_equal(buf.len, 0);
	assert_string_equal(buf.data, "");

	w_buf_add_str(&buf, "again");
	assert_string_equal(buf.data, "again");
	assert_string_equal(taken, "hello");
}

static void
take_of_an_empty_buffer_is_an_empty_string(void **state)
{
	(void)state;
	struct w_buf buf;
	w_buf_init(&buf, 0);
	size_t len = 77;
	char *taken = w_buf_take(&buf, &len);
	assert_non_null(taken);
	assert_string_equal(taken, "");
	assert_int_equal(len, 0);
	free(taken);
	w_buf_done(&buf);
}

static void
take_of_a_failed_buffer_leaves_the_length_alone(void **state)
{
	(void)state;
	struct w_buf buf;
	w_buf_init(&buf, 1);
	w_buf_add_str(&buf, "ab");
	size_t len = 77;
	assert_null(w_buf_take(&buf, &len));
	assert_int_equal(len, 77);
	assert_false(buf.failed);
	w_buf_done(&buf);
}

static void
done_may_be_called_twice(void **state)
{
	(void)state;
	struct w_buf buf;
	w_buf_init(&buf, 100);
	w_buf_add_str(&buf, "x");
	w_buf_done(&buf);
	assert_string_equal(buf.data, "");
	w_buf_done(&buf);
}

static void
all_of_a_descriptor_is_read_up_to_the_maximum(void **state)
{
	int fds[2];

	(void)state;
	for (size_t max = 9; max <= 11; max++) {
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, max);
		assert_int_equal(pipe(fds), 0);
		assert_int_equal(write(fds[1], "0123456789", 10), 10);
		assert_int_equal(close(fds[1]), 0);
		assert_int_equal(
		    w_buf_read(&buf, fds[0]), max < 10 ? EFBIG : 0);
		assert_string_equal(buf.data, max < 10 ? "" : "0123456789");
		assert_int_equal(w_buf_read(&buf, fds[0]), 0);
		assert_int_equal(close(fds[0]), 0);
		assert_int_equal(w_buf_read(&buf, fds[0]), EBADF);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(new_buffer_is_an_empty_string),
	    cmocka_unit_test(appends_join_and_end_with_nul),
	    cmocka_unit_test(buffer_grows_over_many_appends),
	    cmocka_unit_test(maximum_itself_fits_and_one_more_does_not),
	    cmocka_unit_test(all_of_a_descriptor_is_read_up_to_the_maximum),
	    cmocka_unit_test(failed_append_keeps_content_and_stops_later_ones),
	    cmocka_unit_test(formatted_append_respects_the_maximum),
	    cmocka_unit_test(impossible_size_is_a_failure_not_an_overflow),
	    cmocka_unit_test(take_hands_the_string_out_and_empties),
	    cmocka_unit_test(take_of_an_empty_buffer_is_an_empty_string),
	    cmocka_unit_test(take_of_a_failed_buffer_leaves_the_length_alone),
	    cmocka_unit_test(done_may_be_called_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
