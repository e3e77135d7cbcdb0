/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"
#include "log/log_format.h"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define START                                                           \
	"{\"seq\":7,\"time\":\"2026-11-16T04:20:00.123456Z\",\"prev\":" \
	"\"" ZEROS "\",\"kind\":\"note\",\"a\":1"

/* A valid line over START, as any program with SHA-256 makes it. */
static size_t
make_line(char *out, size_t room, const struct w_hmac_key *key)
{
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX + 1] = {0};

	if (key == NULL) {
		w_sha256(START, strlen(START), sum);
	} else {
		struct w_hmac mac;

		w_hmac_init(&mac, key);
		w_hmac_add(&mac, START, strlen(START));
		w_hmac_end(&mac, sum);
	}
	w_hex_put(hex, sum, sizeof(sum));
	return (size_t)snprintf(out, room, "%s,\"hash\":\"%s\"}", START, hex);
}

static void
a_line_comes_apart(void **state)
{
	char bytes[512];
	size_t len = make_line(bytes, sizeof(bytes), NULL);
	struct w_log_line line;

	(void)state;
	assert_true(w_log_line_parse(bytes, len, &line));
	assert_int_equal(line.seq, 7);
	assert_int_equal(line.time_us, UINT64_C(1794802800123456));
	assert_memory_equal(line.prev, ZEROS, W_SHA256_HEX);
	assert_true(w_log_line_is(&line, "note"));
	assert_false(w_log_line_is(&line, "not"));
	assert_false(w_log_line_is(&line, "notes"));
	assert_int_equal(line.payload_len, strlen("\"kind\":\"note\",\"a\":1"));
	assert_memory_equal(line.payload, "\"kind\":\"note\",\"a\":1", 19);
	assert_memory_equal(line.hash, bytes + len - 66, W_SHA256_HEX);
}

static void
a_shorter_line_is_none(void **state)
{
	char bytes[512];
	size_t len = make_line(bytes, sizeof(bytes), NULL);
	struct w_log_line line;

	(void)state;
	for (size_t cut = 0; cut < len; cut++)
		assert_false(w_log_line_parse(bytes, cut, &line));
	assert_false(w_log_line_parse(bytes + 1, len - 1, &line));
}

/* It is printed as it is, so it must not contain special characters. */
static void
a_kind_is_a_plain_word(void **state)
{
	static const char *const kinds[] = {
	    "", "No", "a b", "a-b", "\\u001b", "a\\", "\033[m", "\303\244"};
	char bytes[512];
	char hex[W_SHA256_HEX + 1] = ZEROS;
	struct w_log_line line;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int len = snprintf(bytes, sizeof(bytes),
		    "{\"seq\":7,\"time\":\"2026-11-16T04:20:00.123456Z\","
		    "\"prev\":\"" ZEROS "\",\"kind\":\"%s\",\"hash\":\"%s\"}",
		    kinds[i], hex);
		assert_false(w_log_line_parse(bytes, (size_t)len, &line));
	}
}

static void
any_changed_bit_is_seen(void **state)
{
	const struct w_log_chain chain = {.key = NULL};
	char bytes[512];
	size_t len = make_line(bytes, sizeof(bytes), NULL);
	struct w_log_line line;

	(void)state;
	assert_true(w_log_line_parse(bytes, len, &line));
	assert_true(w_log_line_is_sound(&line, &chain));
	for (size_t bit = 0; bit < 8 * len; bit++) {
		bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
		assert_false(w_log_line_parse(bytes, len, &line) &&
			     w_log_line_is_sound(&line, &chain));
		bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
	}
}

static void
a_keyed_line_needs_its_key(void **state)
{
	struct w_hmac_key key;
	struct w_hmac_key other;
	char bytes[512];
	struct w_log_line line;

	(void)state;
	w_hmac_key_init(&key, "one", 3);
	w_hmac_key_init(&other, "two", 3);
	size_t len = make_line(bytes, sizeof(bytes), &key);
	assert_true(w_log_line_parse(bytes, len, &line));
	assert_true(w_log_line_is_sound(
	    &line, &(const struct w_log_chain){.key = &key}));
	assert_false(w_log_line_is_sound(
	    &line, &(const struct w_log_chain){.key = &other}));
	assert_false(w_log_line_is_sound(
	    &line, &(const struct w_log_chain){.key = NULL}));
}

static void
numbers_have_one_spelling(void **state)
{
	static const char *const wrong[] = {"{\"seq\":07,", "{\"seq\":,",
	    "{\"seq\":-7,", "{\"seq\": 7,", "{\"seq\":18446744073709551616,"};
	char right[512];
	struct w_log_line line;

	(void)state;
	(void)make_line(right, sizeof(right), NULL);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char bytes[600];
		int len = snprintf(bytes, sizeof(bytes), "%s%s", wrong[i],
		    right + strlen("{\"seq\":7,"));

		assert_false(w_log_line_parse(bytes, (size_t)len, &line));
	}
}

/* The C library's calendar is the oracle. */
static void
times_are_those_of_the_calendar(void **state)
{
	(void)state;
	for (uint64_t s = 0; s < UINT64_C(253402300800);
	     s += UINT64_C(8640011)) {
		time_t seconds = (time_t)s;
		struct tm tm;
		char want[W_LOG_TIME_LEN + 1];
		char got[W_LOG_TIME_LEN + 1];
		uint64_t back;

		assert_non_null(gmtime_r(&seconds, &tm));
		size_t at =
		    strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S", &tm);
		(void)snprintf(want + at, sizeof(want) - at, ".%06uZ",
		    (unsigned)(s % 1000000));
		w_log_time_format(s * 1000000 + s % 1000000, got);
		assert_string_equal(got, want);
		assert_true(w_log_time_parse(got, &back));
		assert_int_equal(back, s * 1000000 + s % 1000000);
	}
}

static void
what_is_no_time_is_refused(void **state)
{
	static const char *const wrong[] = {"2026-02-29T00:00:00.000000Z",
	    "2026-13-01T00:00:00.000000Z", "2026-00-10T00:00:00.000000Z",
	    "2026-01-00T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z",
	    "2026-01-01T00:60:00.000000Z", "2026-01-01T00:00:60.000000Z",
	    "1969-12-31T23:59:59.999999Z", "2026-01-01 00:00:00.000000Z",
	    "2026-01-01T00:00:00.00000 Z", "2026-01-01T00:00:00.000000z"};
	uint64_t us;

	(void)state;
	assert_true(w_log_time_parse("2024-02-29T23:59:59.999999Z", &us));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(w_log_time_parse(wrong[i], &us));
}

static void
a_head_comes_back_and_only_whole(void **state)
{
	struct w_log_head head = {
	    .segment = 3, .seq = 812, .hash = ZEROS, .synced = 800};
	struct w_log_head back;
	char text[W_LOG_HEAD_LEN + 1];

	(void)state;
	head.hash[5] = 'c';
	w_log_head_format(&head, text);
	assert_int_equal(strlen(text), W_LOG_HEAD_LEN);
	assert_true(w_log_head_parse(text, W_LOG_HEAD_LEN, &back));
	assert_memory_equal(&back, &head, sizeof(head));
	for (size_t len = 0; len < W_LOG_HEAD_LEN; len++)
		assert_false(w_log_head_parse(text, len, &back));
	text[10] = 'x';
	assert_false(w_log_head_parse(text, W_LOG_HEAD_LEN, &back));
}

static void
key_names_differ_and_do_not_show_the_key(void **state)
{
	char one[W_LOG_KEY_ID_LEN + 1];
	char two[W_LOG_KEY_ID_LEN + 1];

	(void)state;
	w_log_key_id("key", 3, one);
	w_log_key_id("kez", 3, two);
	assert_int_equal(strlen(one), W_LOG_KEY_ID_LEN);
	assert_string_not_equal(one, two);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_comes_apart),
	    cmocka_unit_test(a_shorter_line_is_none),
	    cmocka_unit_test(a_kind_is_a_plain_word),
	    cmocka_unit_test(any_changed_bit_is_seen),
	    cmocka_unit_test(a_keyed_line_needs_its_key),
	    cmocka_unit_test(numbers_have_one_spelling),
	    cmocka_unit_test(times_are_those_of_the_calendar),
	    cmocka_unit_test(what_is_no_time_is_refused),
	    cmocka_unit_test(a_head_comes_back_and_only_whole),
	    cmocka_unit_test(key_names_differ_and_do_not_show_the_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
