/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "data/json.h"

static void
check_written(const char *text, size_t len, const char *want)
{
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 100000);
	w_json_add_string(&buf, text, len);
	assert_false(buf.failed);
	assert_string_equal(buf.data, want);
}

static void
strings_are_escaped_where_json_asks_for_it(void **state)
{
	(void)state;
	check_written("", 0, "\"\"");
	check_written(NULL, 0, "\"\"");
	check_written("plain", 5, "\"plain\"");
	check_written("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
	check_written("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
	check_written("\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"");
	/* C1 controls, which a terminal may obey. */
	check_written(
	    "\xc2\x9b\xc2\xa0\xc2\x80", 6, "\"\\u009b\xc2\xa0\\u0080\"");
	check_written("twelve bytes\xc2\x9d", 14, "\"twelve bytes\\u009d\"");
	check_written("caf\xc3\xa9 \xf0\x9f\x98\x80", 10,
	    "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
	check_written("a long line of plain text, then\na new one", 41,
	    "\"a long line of plain text, then\\na new one\"");
}

static void
every_byte_is_escaped_the_same_at_every_offset(void **state)
{
	(void)state;
	for (int byte = 0; byte < 0x80; byte++) {
		W_AUTO_BUF struct w_buf alone;
		const char c = (char)byte;
		w_buf_init(&alone, 100);
		w_json_add_string(&alone, &c, 1);
		for (size_t lead = 0; lead < 17; lead++) {
			char text[24];
			memset(text, '\xc3', sizeof(text));
			for (size_t i = 1; i < sizeof(text); i += 2)
				text[i] = '\xa9';
			text[lead] = c;
			W_AUTO_BUF struct w_buf got;
			W_AUTO_BUF struct w_buf want;
			w_buf_init(&got, 1000);
			w_buf_init(&want, 1000);
			w_json_add_string(&got, text, sizeof(text));
			w_buf_add_char(&want, '"');
			w_buf_add(&want, text, lead);
			w_buf_add(&want, alone.data + 1, alone.len - 2);
			w_buf_add(
			    &want, text + lead + 1, sizeof(text) - lead - 1);
			w_buf_add_char(&want, '"');
			assert_string_equal(got.data, want.data);
		}
	}
}

static void
written_strings_read_back(void **state)
{
	(void)state;
	char text[0x80 * 3 + 4];
	size_t len = 0;
	for (int byte = 0; byte < 0x80; byte++) {
		text[len++] = (char)byte;
		text[len++] = '\xc3';
		text[len++] = '\xa9';
	}
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 10000);
	w_json_add_string(&buf, text, len);
	yyjson_doc *doc = yyjson_read(buf.data, buf.len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	assert_int_equal(yyjson_get_len(root), len);
	assert_memory_equal(yyjson_get_str(root), text, len);
	yyjson_doc_free(doc);
}

static void
full_buffer_shows_in_the_buffer(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 5);
	w_json_add_string(&buf, "abc", 3);
	assert_false(buf.failed);
	W_AUTO_BUF struct w_buf tight;
	w_buf_init(&tight, 4);
	w_json_add_string(&tight, "abc", 3);
	assert_true(tight.failed);
}

static void
members_are_parted_by_commas_of_their_own(void **state)
{
	static const char *const none[] = {NULL};
	static const char *const two[] = {"a/b", "\xff", NULL};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 256);
	w_buf_add_char(&buf, '{');
	w_json_add_text_member(&buf, "text", "a\"{");
	w_json_add_path_member(&buf, "path", "\xff");
	w_buf_add_str(&buf, ",\"inner\":{");
	w_json_add_path_member(&buf, "path", NULL);
	w_json_add_text_member(&buf, "text", NULL);
	w_buf_add_str(&buf, "},\"truths\":{");
	w_json_add_bool_member(&buf, "yes", true);
	w_json_add_bool_member(&buf, "no", false);
	w_buf_add_char(&buf, '}');
	w_json_add_list_member(&buf, "two", two);
	w_json_add_list_member(&buf, "none", none);
	w_json_add_list_member(&buf, "null", NULL);
	w_buf_add_char(&buf, '}');
	assert_string_equal(buf.data,
	    "{\"text\":\"a\\\"{\",\"path\":{\"b64\":\"/w==\"},"
	    "\"inner\":{\"path\":null,\"text\":null},"
	    "\"truths\":{\"yes\":true,\"no\":false},"
	    "\"two\":[\"a/b\",{\"b64\":\"/w==\"}],\"none\":[],"
	    "\"null\":[]}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(strings_are_escaped_where_json_asks_for_it),
	    cmocka_unit_test(every_byte_is_escaped_the_same_at_every_offset),
	    cmocka_unit_test(written_strings_read_back),
	    cmocka_unit_test(full_buffer_shows_in_the_buffer),
	    cmocka_unit_test(members_are_parted_by_commas_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
