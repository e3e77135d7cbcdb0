/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "engine/call/call_content.h"

#define TYPE(as, bytes) \
	w_call_content_type(W_OUTPUT_##as, bytes, sizeof(bytes) - 1)

static void
bytes_are_known_by_how_they_begin(void **state)
{
	(void)state;
	assert_string_equal(TYPE(IMAGE, "\x89PNG\r\n\x1a\nx"), "image/png");
	assert_string_equal(TYPE(IMAGE, "\xff\xd8\xff\xe0"), "image/jpeg");
	assert_string_equal(TYPE(IMAGE, "GIF87a"), "image/gif");
	assert_string_equal(TYPE(IMAGE, "RIFF1234WEBPVP8 "), "image/webp");
	assert_string_equal(TYPE(AUDIO, "RIFF1234WAVEfmt "), "audio/wav");
	assert_string_equal(TYPE(AUDIO, "ID3\x04"), "audio/mpeg");
	assert_string_equal(TYPE(AUDIO, "\xff\xfb\x90"), "audio/mpeg");
	assert_string_equal(TYPE(AUDIO, "OggS"), "audio/ogg");
	assert_string_equal(TYPE(RESOURCE, "%PDF-1.7"), "application/pdf");
	assert_string_equal(TYPE(RESOURCE, "GIF89a"), "image/gif");
}

static void
what_is_not_known_is_what_is_usual(void **state)
{
	(void)state;
	assert_string_equal(TYPE(IMAGE, ""), "image/png");
	assert_string_equal(TYPE(IMAGE, "xxxx1234WEBP"), "image/png");
	assert_string_equal(TYPE(IMAGE, "OggS"), "image/png");
	assert_string_equal(TYPE(AUDIO, "RIFF"), "audio/wav");
	assert_string_equal(TYPE(RESOURCE, "words"), "text/plain");
	assert_string_equal(
	    TYPE(RESOURCE, "\xff\xfe\x00"), "application/octet-stream");
	assert_string_equal(TYPE(RESOURCE, "a\0b"), "application/octet-stream");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_are_known_by_how_they_begin),
	    cmocka_unit_test(what_is_not_known_is_what_is_usual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
