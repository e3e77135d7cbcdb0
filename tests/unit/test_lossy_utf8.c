/* SPDX-License-Identifier: Apache-2.0 */

#include "data/lossy_utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BAD "\xef\xbf\xbd"

/* Gives the text in pieces of every size and expects the same each time. */
static void
expect(const char *bytes, const char *text)
{
	const size_t len = strlen(bytes);

	for (size_t piece = 1; piece <= len; piece++) {
		struct w_lossy_utf8 decoder = {.held_len = 0};
		W_AUTO_BUF struct w_buf out;

		w_buf_init(&out, 4096);
		for (size_t at = 0; at < len; at += piece)
			w_lossy_utf8_add(&decoder, &out, bytes + at,
			    len - at < piece ? len - at : piece);
		w_lossy_utf8_end(&decoder, &out);
		assert_string_equal(out.data, text);
	}
}

static void
text_passes_in_pieces_of_any_size(void **state)
{
	static const char text[] =
	    "plain gr\xc3\xbc\xc3\x9f \xe6\x97\xa5 \xf0\x9f\x98\x80.";

	(void)state;
	expect(text, text);
}

static void
bytes_that_are_no_character_are_replaced_one_by_one(void **state)
{
	(void)state;
	expect("a\xff"
	       "b",
	    "a" BAD "b");
	expect("\x80\x80", BAD BAD);
	expect("\xc0\xaf", BAD BAD);
	expect("\xed\xa0\x80", BAD BAD BAD);
}

static void
a_character_that_is_broken_off_does_not_swallow_the_next(void **state)
{
	(void)state;
	expect("\xe6\x97"
	       "a",
	    BAD BAD "a");
	expect("\xc3\xc3\xbc", BAD "\xc3\xbc");
	expect("\xf0\x9f\x98\xe6\x97\xa5", BAD BAD BAD "\xe6\x97\xa5");
}

static void
what_is_held_at_the_end_was_no_character(void **state)
{
	(void)state;
	expect("a\xf0\x9f\x98", "a" BAD BAD BAD);
	expect("\xc3", BAD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_passes_in_pieces_of_any_size),
	    cmocka_unit_test(
		bytes_that_are_no_character_are_replaced_one_by_one),
	    cmocka_unit_test(
		a_character_that_is_broken_off_does_not_swallow_the_next),
	    cmocka_unit_test(what_is_held_at_the_end_was_no_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
