/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/encode.h"

static const char *const valid[] = {
    "",
    "plain",
    "\x7f",
    "\xc2\x80",
    "\xdf\xbf",
    "\xe0\xa0\x80",
    "\xed\x9f\xbf",
    "\xee\x80\x80",
    "\xef\xbf\xbf",
    "\xf0\x90\x80\x80",
    "\xf4\x8f\xbf\xbf",
    "a\xc3\xa9z\xe6\x97\xa5z\xf0\x9f\x98\x80z",
};

static const char *const invalid[] = {
    "\x80",
    "\xbf",
    "\xc0\x80", /* overlong NUL */
    "\xc1\xbf",
    "\xc2",
    "\xc2\x41",
    "\xc2\xc2\x80",
    "\xe0\x80\x80", /* overlong */
    "\xe0\x9f\xbf",
    "\xe2\x82",
    "\xe2\x82\x41",
    "\xed\xa0\x80", /* surrogate */
    "\xed\xbf\xbf",
    "\xf0\x80\x80\x80", /* overlong */
    "\xf0\x8f\xbf\xbf",
    "\xf0\x9f\x98",
    "\xf4\x90\x80\x80", /* above U+10FFFF */
    "\xf5\x80\x80\x80",
    "\xf8\x88\x80\x80\x80",
    "\xfe",
    "\xff",
    "\xc3\xa9\xa9",
};

static void
utf8_is_told_from_what_is_not_at_any_offset(void **state)
{
	(void)state;
	char text[64];
	for (size_t lead = 0; lead < 20; lead++) {
		for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++) {
			memset(text, 'a', sizeof(text));
			memcpy(text + lead, valid[i], strlen(valid[i]));
			assert_true(w_utf8_valid(text, sizeof(text)));
			assert_true(
			    w_utf8_valid(text, lead + strlen(valid[i])));
		}
		for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]);
		     i++) {
			memset(text, 'a', sizeof(text));
			memcpy(text + lead, invalid[i], strlen(invalid[i]));
			assert_false(w_utf8_valid(text, sizeof(text)));
			assert_false(
			    w_utf8_valid(text, lead + strlen(invalid[i])));
		}
	}
	assert_true(w_utf8_valid("a\0b", 3));
	assert_true(w_utf8_valid(NULL, 0));
}

static void
the_first_bad_character_is_found(void **state)
{
	(void)state;
	assert_int_equal(w_utf8_find_bad("a\xc3\xa9z", 4), 4);
	assert_int_equal(w_utf8_find_bad("a\xc3\xa9\xff\xc3", 5), 3);
	assert_int_equal(w_utf8_find_bad("ab\xe2\x82", 4), 2);
}

/* The definition of UTF-8, the slow way: encode every code point. */
static size_t
encode(uint32_t code, unsigned char out[4])
{
	if (code < 0x80) {
		out[0] = (unsigned char)code;
		return 1;
	}
	size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = len - 1; i > 0; i--) {
		out[i] = (unsigned char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
	out[0] = (unsigned char)(marks[len] | code);
	return len;
}

static void
every_code_point_is_valid_but_surrogates(void **state)
{
	(void)state;
	for (uint32_t code = 0; code < 0x120000; code++) {
		unsigned char text[4];
		size_t len = encode(code, text);
		bool is_surrogate = code >= 0xd800 && code < 0xe000;
		bool want = !is_surrogate && code <= 0x10ffff;
		if (w_utf8_valid(text, len) != want)
			fail_msg("code point %x", code);
		for (size_t cut = 1; want && cut < len; cut++) {
			assert_int_equal(w_utf8_trim_end(text, cut), 0);
			assert_false(w_utf8_valid(text, cut));
		}
		if (want)
			assert_int_equal(w_utf8_trim_end(text, len), len);
	}
}

static void
end_is_trimmed_only_inside_a_character_that_could_go_on(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t kept;
	} cases[] = {
	    {"", 0},
	    {"abc", 3},
	    {"ab\xc3", 2},
	    {"ab\xc3\xa9", 4},
	    {"ab\xe6", 2},
	    {"ab\xe6\x97", 2},
	    {"ab\xe6\x97\xa5", 5},
	    {"ab\xf0\x9f", 2},
	    {"ab\xf0\x9f\x98", 2},
	    {"ab\xf0\x9f\x98\x80", 6},
	    {"\xf0", 0},
	    /* No continuation makes these a character: nothing to wait for. */
	    {"ab\xff", 3},
	    {"ab\xc0", 3},
	    {"ab\xe0\x80", 4},
	    {"ab\xed\xa0", 4},
	    {"ab\xf0\x80", 4},
	    {"ab\xf4\x90", 4},
	    {"ab\xf0\x9f\x41", 5},
	    {"ab\xc3\xa9\x80", 5},
	    {"\x80", 1},
	    {"\x80\x80\x80\x80", 4},
	    {"\xf0\x9f\x98\x80\x80", 5},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
		    w_utf8_trim_end(cases[i].text, strlen(cases[i].text)),
		    cases[i].kept);
	}
}

static void
start_counts_continuation_bytes(void **state)
{
	(void)state;
	assert_int_equal(w_utf8_trim_start("", 0), 0);
	assert_int_equal(w_utf8_trim_start("abc", 3), 0);
	assert_int_equal(w_utf8_trim_start("\xa9 x", 3), 1);
	assert_int_equal(w_utf8_trim_start("\x98\x80x", 3), 2);
	assert_int_equal(w_utf8_trim_start("\x9f\x98\x80x", 4), 3);
	assert_int_equal(w_utf8_trim_start("\x80\x80\x80\x80", 4), 3);
	assert_int_equal(w_utf8_trim_start("\x80\x80\x80\x80", 2), 2);
	assert_int_equal(w_utf8_trim_start("\xc3\xa9", 2), 0);
}

static void
base64_matches_the_vectors_of_its_rfc(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		const char *text;
	} cases[] = {
	    {"", ""},
	    {"f", "Zg=="},
	    {"fo", "Zm8="},
	    {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="},
	    {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"},
	    {"\xff\xef\xfe\xfb", "/+/++w=="},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		W_AUTO_BUF struct w_buf buf;
		w_buf_init(&buf, 100);
		w_base64_add(&buf, cases[i].bytes, strlen(cases[i].bytes));
		assert_string_equal(buf.data, cases[i].text);
		W_AUTO_BUF struct w_buf back;
		w_buf_init(&back, 100);
		assert_true(w_base64_decode(&back, buf.data, buf.len));
		assert_string_equal(back.data, cases[i].bytes);
	}
}

static void
base64_round_trips_at_every_length(void **state)
{
	(void)state;
	unsigned char bytes[2000];
	uint32_t seed = 1;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(seed >> 24);
	}
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		W_AUTO_BUF struct w_buf text;
		W_AUTO_BUF struct w_buf back;
		w_buf_init(&text, 4000);
		w_buf_init(&back, 4000);
		w_base64_add(&text, bytes, len);
		assert_int_equal(text.len, (len + 2) / 3 * 4);
		assert_true(w_base64_decode(&back, text.data, text.len));
		assert_int_equal(back.len, len);
		assert_memory_equal(back.data, bytes, len);
	}
}

static void
malformed_base64_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"Z", "Zg", "Zg=", "Zg===", "=",
	    "====", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm8=Zm9v", "Zm9v\n",
	    " Zm9", "Zm 9", "Zm-_", "Zm9\xff", "Zg=g", "=Zm9"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		W_AUTO_BUF struct w_buf buf;
		w_buf_init(&buf, 100);
		assert_false(w_base64_decode(&buf, bad[i], strlen(bad[i])));
	}
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 100);
	assert_false(w_base64_decode(&buf, "Zm\0v", 4));
}

static void
base64_says_when_the_buffer_is_full(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 3);
	assert_true(w_base64_decode(&buf, "Zm9v", 4));
	assert_false(w_base64_decode(&buf, "Zg==", 4));
	assert_string_equal(buf.data, "foo");

	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, 7);
	w_base64_add(&text, "foob", 4);
	assert_true(text.failed);
}

static void
ids_are_26_digits_that_sort_by_time(void **state)
{
	(void)state;
	static const uint8_t zero[10] = {0};
	static const uint8_t ones[10] = {
	    255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
	static const uint8_t count[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	char id[W_ID_LEN + 1];
	w_id_format(0, zero, id);
	assert_string_equal(id, "00000000000000000000000000");
	w_id_format((UINT64_C(1) << 48) - 1, ones, id);
	assert_string_equal(id, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
	w_id_format(UINT64_C(1469918176385), count, id);
	assert_string_equal(id, "01ARYZ6S41041061050R3GG28A");

	char last[W_ID_LEN + 1] = "";
	for (uint64_t ms = 1; ms < UINT64_C(1) << 47; ms = ms * 2 + 1) {
		w_id_format(ms, ms % 3 == 0 ? ones : zero, id);
		assert_true(strcmp(last, id) < 0);
		assert_int_equal(strlen(id), W_ID_LEN);
		memcpy(last, id, sizeof(last));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(utf8_is_told_from_what_is_not_at_any_offset),
	    cmocka_unit_test(the_first_bad_character_is_found),
	    cmocka_unit_test(every_code_point_is_valid_but_surrogates),
	    cmocka_unit_test(
		end_is_trimmed_only_inside_a_character_that_could_go_on),
	    cmocka_unit_test(start_counts_continuation_bytes),
	    cmocka_unit_test(base64_matches_the_vectors_of_its_rfc),
	    cmocka_unit_test(base64_round_trips_at_every_length),
	    cmocka_unit_test(malformed_base64_is_refused),
	    cmocka_unit_test(base64_says_when_the_buffer_is_full),
	    cmocka_unit_test(ids_are_26_digits_that_sort_by_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
