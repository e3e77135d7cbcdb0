/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/output/asciicast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/json.h"

static struct w_buf out;
static struct w_asciicast cast;

static int
set_up(void **state)
{
	(void)state;
	w_buf_init(&out, (size_t)8 << 20);
	cast = (struct w_asciicast){.last_us = 0};
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_buf_done(&out);
	return 0;
}

/* Expects that every line is a JSON document. */
static void
expect_json_lines(size_t count)
{
	const struct w_json_limits limits = {
	    .bytes_max = out.len, .depth_max = 8};
	const char *at = out.data;
	size_t lines = 0;

	assert_false(out.failed);
	for (; *at != '\0'; lines++) {
		const char *end = strchr(at, '\n');
		struct w_json *json = NULL;
		writ_error err;

		assert_non_null(end);
		assert_int_equal(
		    w_json_read(at, (size_t)(end - at), &limits, &json, &err),
		    WRIT_OK);
		w_json_free(json);
		at = end + 1;
	}
	assert_int_equal(lines, count);
}

static void
add(bool is_stderr, uint64_t at_us, const char *bytes)
{
	w_asciicast_add(&cast, &out, is_stderr, at_us, bytes, strlen(bytes));
}

static void
the_header_says_what_a_player_needs(void **state)
{
	const struct w_asciicast_about about = {
	    .columns = 100,
	    .rows = 30,
	    .begin_us = UINT64_C(1794802805123456),
	    .command = "printf '\033[1m\xff'",
	    .title = "a \"run\"",
	};

	(void)state;
	w_asciicast_begin(&out, &about);
	expect_json_lines(1);
	assert_string_equal(out.data,
	    "{\"version\":2,\"width\":100,\"height\":30,"
	    "\"timestamp\":1794802805,"
	    "\"command\":\"printf '\\u001b[1m\xef\xbf\xbd'\","
	    "\"title\":\"a \\\"run\\\"\","
	    "\"env\":{\"TERM\":\"xterm-256color\"}}\n");
}

static void
each_piece_is_an_event_with_its_time(void **state)
{
	(void)state;
	add(false, 5, "a");
	add(true, 1234567, "b\033[0m");
	expect_json_lines(2);
	assert_string_equal(out.data,
	    "[0.000005,\"o\",\"a\"]\n[1.234567,\"o\",\"b\\u001b[0m\"]\n");
}

static void
times_never_go_back(void **state)
{
	(void)state;
	add(false, 2000000, "a");
	add(true, 1000000, "b");
	assert_string_equal(
	    out.data, "[2.000000,\"o\",\"a\"]\n[2.000000,\"o\",\"b\"]\n");
}

static void
lines_begin_at_the_left(void **state)
{
	(void)state;
	add(false, 0, "a\nb\r\nc\r");
	add(false, 1, "\nd\n\n");
	assert_string_equal(out.data,
	    "[0.000000,\"o\",\"a\\r\\nb\\r\\nc\\r\"]\n"
	    "[0.000001,\"o\",\"\\nd\\r\\n\\r\\n\"]\n");
}

static void
a_character_in_two_pieces_comes_with_the_second(void **state)
{
	(void)state;
	add(false, 0, "a\xe6\x97");
	/* The other stream does not complete the character. */
	add(true, 1, "!");
	add(false, 2, "\xa5");
	w_asciicast_end(&cast, &out);
	expect_json_lines(3);
	assert_string_equal(out.data,
	    "[0.000000,\"o\",\"a\"]\n[0.000001,\"o\",\"!\"]\n"
	    "[0.000002,\"o\",\"\xe6\x97\xa5\"]\n");
}

static void
what_is_not_text_is_replaced(void **state)
{
	(void)state;
	add(false, 0, "\xff\xfe");
	add(false, 1, "\xe6\x97");
	w_asciicast_end(&cast, &out);
	expect_json_lines(2);
	assert_string_equal(out.data,
	    "[0.000000,\"o\",\"\xef\xbf\xbd\xef\xbf\xbd\"]\n"
	    "[0.000001,\"o\",\"\xef\xbf\xbd\xef\xbf\xbd\"]\n");
}

static void
any_bytes_make_a_document(void **state)
{
	char bytes[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 131 % 257);
	for (size_t at = 0; at < sizeof(bytes); at += 64)
		w_asciicast_add(&cast, &out, at % 128 == 0, at, bytes + at, 64);
	w_asciicast_end(&cast, &out);
	assert_true(out.len > sizeof(bytes));
	expect_json_lines(64);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(the_header_says_what_a_player_needs),
	    CASE(each_piece_is_an_event_with_its_time),
	    CASE(times_never_go_back),
	    CASE(lines_begin_at_the_left),
	    CASE(a_character_in_two_pieces_comes_with_the_second),
	    CASE(what_is_not_text_is_replaced),
	    CASE(any_bytes_make_a_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
