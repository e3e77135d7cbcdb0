/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "manifest/apply/secrets.h"

static struct w_arena arena;
static struct w_secrets secrets;

static int
tear_down(void **state)
{
	(void)state;
	w_arena_done(&arena);
	secrets = (struct w_secrets){.count = 0};
	return 0;
}

static void
know(const char *text)
{
	assert_true(w_secrets_add(&secrets, &arena, text, strlen(text)));
}

static void
shows(const char *text, const char *expected)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	w_secrets_redact(&secrets, &buf, text, strlen(text));
	assert_string_equal(buf.data, expected);
}

/* For every chunk size, a stream shows the same as the whole text. */
static void
shows_in_pieces(const char *text, const char *expected)
{
	const size_t len = strlen(text);

	shows(text, expected);
	for (size_t piece = 1; piece <= len; piece++) {
		struct w_redaction redaction = {.held = NULL};
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, 4096);
		for (size_t at = 0; at < len; at += piece) {
			const size_t left = len - at;

			assert_true(w_redaction_feed(&redaction, &secrets,
			    text + at, left < piece ? left : piece, &buf));
		}
		w_redaction_finish(&redaction, &secrets, &buf);
		assert_string_equal(buf.data, expected);
		w_redaction_done(&redaction);
	}
}

static void
without_secrets_a_text_is_as_it_is(void **state)
{
	(void)state;
	shows_in_pieces("nothing to hide\n", "nothing to hide\n");
}

static void
each_occurrence_is_hidden(void **state)
{
	(void)state;
	know("hunter2");
	shows_in_pieces("hunter2", "(sensitive)");
	shows_in_pieces("a hunter2 b hunter2", "a (sensitive) b (sensitive)");
	shows_in_pieces("hunter22", "(sensitive)2");
	shows_in_pieces("hunter", "hunter");
	shows_in_pieces("hunterhunter2", "hunter(sensitive)");
}

static void
occurrences_that_overlap_leave_nothing_behind(void **state)
{
	(void)state;
	know("abcab");
	shows_in_pieces("abcabcab", "(sensitive)");
	know("cabx");
	shows_in_pieces("abcabx", "(sensitive)");
	know("a");
	shows_in_pieces("zaz", "z(sensitive)z");
	shows_in_pieces("aaaa", "(sensitive)");
}

static void
two_that_touch_are_hidden_as_one(void **state)
{
	(void)state;
	know("one");
	know("two");
	shows_in_pieces("onetwo.", "(sensitive).");
}

static void
lines_of_a_secret_are_found_alone(void **state)
{
	(void)state;
	know("-----BEGIN KEY-----\nAAAABBBBCCCC\nx\n");
	shows_in_pieces(
	    "read AAAABBBBCCCC here, x", "read (sensitive) here, x");
}

static void
an_empty_secret_hides_nothing(void **state)
{
	(void)state;
	know("");
	assert_int_equal(secrets.count, 0);
	shows("text", "text");
}

static void
values_are_found_whole_and_in_parts(void **state)
{
	const struct w_value items[] = {w_value_text("first", 5),
	    {.kind = W_VALUE_INT, .as.integer = 123456}};
	const struct w_value list = {
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = 2}};

	(void)state;
	assert_true(w_secrets_add_value(&secrets, &arena, &list));
	shows("a first b", "a (sensitive) b");
	shows("123456", "(sensitive)");
	shows("[\"first\",123456]", "(sensitive)");
}

static void
binary_output_passes(void **state)
{
	static const char bytes[] = "a\0\xff\xfesecret\0b";
	struct w_redaction redaction = {.held = NULL};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	know("secret");
	w_buf_init(&buf, 4096);
	assert_true(w_redaction_feed(
	    &redaction, &secrets, bytes, sizeof(bytes) - 1, &buf));
	w_redaction_finish(&redaction, &secrets, &buf);
	assert_int_equal(buf.len, sizeof("a\0\xff\xfe(sensitive)\0b") - 1);
	assert_memory_equal(buf.data, "a\0\xff\xfe(sensitive)\0b", buf.len);
	w_redaction_done(&redaction);
}

static void
many_secrets_are_all_known(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		const char text[] = {
		    (char)('!' + i % 90), '-', 'x', (char)('a' + i / 90), '\0'};

		know(text);
	}
	shows("<!-xa>", "<(sensitive)>");
	assert_null(secrets.items[secrets.count]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(
		without_secrets_a_text_is_as_it_is, tear_down),
	    cmocka_unit_test_teardown(each_occurrence_is_hidden, tear_down),
	    cmocka_unit_test_teardown(
		occurrences_that_overlap_leave_nothing_behind, tear_down),
	    cmocka_unit_test_teardown(
		two_that_touch_are_hidden_as_one, tear_down),
	    cmocka_unit_test_teardown(
		lines_of_a_secret_are_found_alone, tear_down),
	    cmocka_unit_test_teardown(an_empty_secret_hides_nothing, tear_down),
	    cmocka_unit_test_teardown(
		values_are_found_whole_and_in_parts, tear_down),
	    cmocka_unit_test_teardown(binary_output_passes, tear_down),
	    cmocka_unit_test_teardown(many_secrets_are_all_known, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
