/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "data/json.h"

static const struct w_json_limits wide = {
    .bytes_max = (size_t)64 << 20, .depth_max = 64};

static void
free_json(struct w_json **json)
{
	w_json_free(*json);
}

#define AUTO_JSON __attribute__((cleanup(free_json)))

static struct w_json *
read_ok(const char *text)
{
	struct w_json *json = NULL;
	writ_error err = {0};
	writ_status status =
	    w_json_read(text, strlen(text), &wide, &json, &err);
	if (status != WRIT_OK)
		print_error("%s: %s\n", text, err.message);
	assert_int_equal(status, WRIT_OK);
	assert_int_equal(err.message[0], '\0');
	return json;
}

static void
check_refused(const char *text, size_t len, const char *message, unsigned line,
    unsigned column)
{
	static char anything[1];
	struct w_json *const untouched = (void *)anything;
	struct w_json *json = untouched;
	writ_error err = {0};
	assert_int_equal(
	    w_json_read(text, len, &wide, &json, &err), WRIT_E_INVALID);
	assert_ptr_equal(json, untouched);
	assert_string_equal(err.stage, "json");
	assert_string_equal(err.message, message);
	assert_int_equal(err.line, line);
	assert_int_equal(err.column, column);
	assert_int_equal(
	    w_json_read(text, len, &wide, &json, NULL), WRIT_E_INVALID);
}

static void
documents_of_every_kind_are_read(void **state)
{
	(void)state;
	AUTO_JSON struct w_json *json =
	    read_ok(" {\"a\":[1,-2,3.5,true,false,null,\"x\"],\"b\":{}}\r\n");
	yyjson_val *root = w_json_root(json);
	assert_true(yyjson_is_obj(root));
	yyjson_val *list = yyjson_obj_get(root, "a");
	assert_int_equal(yyjson_arr_size(list), 7);
	assert_int_equal(yyjson_get_sint(yyjson_arr_get(list, 1)), -2);
	assert_string_equal(yyjson_get_str(yyjson_arr_get(list, 6)), "x");

	static const char *const scalars[] = {"0", "\"\"", "true", "null", "[]",
	    "{}", "1e5", " 18446744073709551615 "};
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
		w_json_free(read_ok(scalars[i]));
}

static void
text_may_go_away_after_reading(void **state)
{
	(void)state;
	char text[] = "{\"key\":\"va\\nlue\",\"\\u0000x\":\"\\ud83d\\ude00\"}";
	AUTO_JSON struct w_json *json = read_ok(text);
	memset(text, '#', sizeof(text));
	yyjson_val *root = w_json_root(json);
	assert_string_equal(
	    yyjson_get_str(yyjson_obj_get(root, "key")), "va\nlue");
	yyjson_val *face = yyjson_obj_getn(root, "\0x", 2);
	assert_string_equal(yyjson_get_str(face), "\xf0\x9f\x98\x80");
}

static void
bytes_need_no_nul_at_the_end(void **state)
{
	(void)state;
	struct w_json *json = NULL;
	assert_int_equal(
	    w_json_read("[12]345", 4, &wide, &json, NULL), WRIT_OK);
	assert_int_equal(yyjson_arr_size(w_json_root(json)), 1);
	w_json_free(json);
	w_json_free(NULL);
}

static void
syntax_errors_say_what_and_where(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *why;
		unsigned line;
		unsigned column;
	} cases[] = {
	    {"[1,]", "trailing comma is not allowed", 1, 3},
	    {"{\"a\":1,}", "trailing comma is not allowed", 1, 7},
	    {"[1 2]",
		"unexpected character, expected a comma or a closing bracket",
		1, 4},
	    {"{\n  a: 1\n}",
		"unexpected character, expected a string for object key", 2, 3},
	    {"{\"a\" 1}",
		"unexpected character, expected a colon after object key", 1,
		6},
	    {"{\n\"a\": 1\n", "the document ends too early", 3, 1},
	    {"[", "the document ends too early", 1, 2},
	    {"\"abc", "the document ends too early", 1, 5},
	    {"[1]\n x", "more text after the end of the document", 2, 2},
	    {"{} {}", "more text after the end of the document", 1, 4},
	    {"[1]]", "more text after the end of the document", 1, 4},
	    {"\"a\nb\"", "unexpected control character in string", 1, 3},
	    {"[\"\xff\"]", "invalid UTF-8 encoding in string", 1, 3},
	    {"\"\xed\xa0\x80\"", "invalid UTF-8 encoding in string", 1, 2},
	    {"\"\\x\"", "invalid escaped character in string", 1, 3},
	    {"01", "number with leading zero is not allowed", 1, 1},
	    {"1e999", "the number is too large", 1, 1},
	    {"]", "unexpected character, expected a valid root value", 1, 1},
	    /* Columns are bytes, not characters. */
	    {"[\"\xc3\xa9\" 1]",
		"unexpected character, expected a comma or a closing bracket",
		1, 7},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		W_AUTO_BUF struct w_buf want;
		w_buf_init(&want, 1000);
		w_buf_add_fmt(&want, "not valid JSON: %s", cases[i].why);
		check_refused(cases[i].text, strlen(cases[i].text), want.data,
		    cases[i].line, cases[i].column);
	}
}

static void
nul_bytes_are_no_part_of_json(void **state)
{
	(void)state;
	check_refused("[1]\0", 4,
	    "not valid JSON: more text after the end of the document", 1, 4);
	check_refused("\0\0", 2,
	    "not valid JSON: unexpected character, expected a valid root "
	    "value",
	    1, 1);
	check_refused("\"a\0b\"", 5,
	    "not valid JSON: unexpected control character in string", 1, 3);
}

static void
common_mistakes_get_a_hint(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *hint;
	} cases[] = {
	    {"{'a':1}", "JSON wants double quotes"},
	    {"{\"a\":[b.txt]}", "a text must be in double quotes"},
	    {"{a:1}", "a text must be in double quotes"},
	    {"// x\n{}", "JSON has no comments"},
	    {"[1,]", "remove the comma"},
	    {"\xef\xbb\xbf{}", "save it as UTF-8 without BOM"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_json *json = NULL;
		writ_error err;
		assert_int_equal(w_json_read(cases[i].text,
				     strlen(cases[i].text), &wide, &json, &err),
		    WRIT_E_INVALID);
		assert_string_equal(err.suggestion, cases[i].hint);
	}
}

static void
empty_documents_are_called_empty(void **state)
{
	(void)state;
	check_refused("", 0, "the document is empty", 0, 0);
	check_refused(NULL, 0, "the document is empty", 0, 0);
	check_refused(" \t\r\n", 4, "the document is empty", 0, 0);
}

static void
byte_order_mark_is_refused(void **state)
{
	(void)state;
	check_refused("\xef\xbb\xbf[]", 5,
	    "the document starts with a byte order mark", 1, 1);
	check_refused("\xef\xbb\xbf", 3,
	    "the document starts with a byte order mark", 1, 1);
}

static void
size_limit_is_exact_and_named(void **state)
{
	(void)state;
	static const struct w_json_limits small = {
	    .bytes_max = 1024, .depth_max = 4};
	char text[1100];
	memset(text, ' ', sizeof(text));
	text[0] = '1';
	struct w_json *json = NULL;
	writ_error err;
	assert_int_equal(w_json_read(text, 1024, &small, &json, &err), WRIT_OK);
	w_json_free(json);
	assert_int_equal(
	    w_json_read(text, 1025, &small, &json, &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "the document has 1025B, the limit is 1KiB");
}

static void
depth_limit_is_exact_and_placed(void **state)
{
	(void)state;
	static const struct w_json_limits flat = {
	    .bytes_max = 1024, .depth_max = 3};
	static const char *const good[] = {"[[[1]]]", "{\"a\":[{\"b\":2}]}",
	    "[[[]],[[]],[{}]]", "\"[[[[[[\"", "[\"\\\"[[[[[[\",\"\\\\\",[[]]]",
	    "{\"[[[[[\\\\\\\"{\":\"}}}]]]\"}", "\"\\\\\\\\\""};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct w_json *json = NULL;
		assert_int_equal(
		    w_json_read(good[i], strlen(good[i]), &flat, &json, NULL),
		    WRIT_OK);
		w_json_free(json);
	}

	struct w_json *json = NULL;
	writ_error err;
	const char *deep = "[[\"[[\",\n [[0]]]]";
	assert_int_equal(w_json_read(deep, strlen(deep), &flat, &json, &err),
	    WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "nested deeper than the limit of 3 levels");
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 3);
}

static void
depth_is_counted_across_a_long_document(void **state)
{
	(void)state;
	char text[1001] = "";
	memset(text, ' ', sizeof(text) - 1);
	for (size_t i = 0; i < 65; i++) {
		text[7 * i] = '[';
		text[999 - i] = ']';
	}
	check_refused(text, strlen(text),
	    "nested deeper than the limit of 64 levels", 1, 449);
	text[999] = '\0';
	w_json_free(read_ok(text + 1));
}

static void
scalars_have_no_depth(void **state)
{
	(void)state;
	static const struct w_json_limits none = {
	    .bytes_max = 10, .depth_max = 0};
	struct w_json *json = NULL;
	assert_int_equal(w_json_read("1", 1, &none, &json, NULL), WRIT_OK);
	w_json_free(json);
	assert_int_equal(
	    w_json_read("[]", 2, &none, &json, NULL), WRIT_E_INVALID);
}

static void
bracket_bomb_is_refused(void **state)
{
	(void)state;
	static char bomb[1 << 20];
	memset(bomb, '[', sizeof(bomb));
	check_refused(bomb, sizeof(bomb),
	    "nested deeper than the limit of 64 levels", 1, 65);
}

static void
duplicate_keys_are_refused_with_both_places(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *message;
		unsigned line;
		unsigned column;
	} cases[] = {
	    {"{\"a\":1,\"a\":2}", "duplicate key 'a', first at 1:2", 1, 8},
	    {"{\"a\":1,\n \"b\":{},\n \"a\":2}",
		"duplicate key 'a', first at 1:2", 3, 2},
	    {"[{},{\"x\":{\"\":1,\"\":2}}]", "duplicate key '', first at 1:11",
		1, 16},
	    /* The same key, escaped or not. */
	    {"{\"ab\":1,\"\\u0061b\":2}", "duplicate key 'ab', first at 1:2", 1,
		9},
	    {"{\"x\\ny\":1,\"x\\u000ay\":2}",
		"duplicate key 'x\\x0ay', first at 1:2", 1, 11},
	    {"{\"a\":1,\"a\":2,\"a\":3}", "duplicate key 'a', first at 1:2", 1,
		8},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check_refused(cases[i].text, strlen(cases[i].text),
		    cases[i].message, cases[i].line, cases[i].column);
	}
	w_json_free(read_ok("{\"a\":{\"a\":{\"a\":1}},\"A\":2,\"a\\u0000\":3,"
			    "\"aa\":4}"));
}

static void
long_duplicate_key_is_shown_cut(void **state)
{
	(void)state;
	char key[601];
	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, 10000);
	w_buf_add_fmt(&text, "{\"%s\":1,\"%s\":2}", key, key);
	struct w_json *json = NULL;
	writ_error err;
	assert_int_equal(w_json_read(text.data, text.len, &wide, &json, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "kkk...', first at 1:2"));
}

static void
add_members(struct w_buf *text, size_t count, size_t twin)
{
	w_buf_add_char(text, '{');
	for (size_t i = 0; i < count; i++) {
		/* Scrambled, so that sorting has work to do. */
		size_t name = i == twin ? 3 : i * 7919 % 100003;
		w_buf_add_fmt(text, "\"key%zu\":%zu,\n", name, i);
	}
	w_buf_add_str(text, "\"last\":0}");
}

static void
big_objects_are_checked_too(void **state)
{
	(void)state;
	for (size_t count = 9; count < 50; count++) {
		W_AUTO_BUF struct w_buf good;
		w_buf_init(&good, 10000);
		add_members(&good, count, SIZE_MAX);
		w_json_free(read_ok(good.data));
		W_AUTO_BUF struct w_buf bad;
		w_buf_init(&bad, 10000);
		w_buf_add_str(&bad, "{\"key3\":0,");
		w_buf_add_str(&bad, "\"o\":1,");
		add_members(&bad, count, count / 2);
		/* Joins both into one object. */
		char *brace = strrchr(bad.data, '{');
		*brace = ' ';
		char want[] = "duplicate key 'key3', first at 1:2";
		check_refused(bad.data, bad.len, want,
		    (unsigned)(count / 2) + 1, count / 2 == 0 ? 18 : 1);
	}
}

static void
hundred_thousand_keys_are_quick(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, (size_t)8 << 20);
	add_members(&text, 100000, SIZE_MAX);
	assert_false(text.failed);
	w_json_free(read_ok(text.data));

	W_AUTO_BUF struct w_buf bad;
	w_buf_init(&bad, (size_t)8 << 20);
	add_members(&bad, 100000, 99999);
	struct w_json *json = NULL;
	writ_error err;
	assert_int_equal(
	    w_json_read(bad.data, bad.len, &wide, &json, &err), WRIT_E_INVALID);
	assert_int_equal(err.line, 100000);
}

static void
place_is_known_for_strings_and_keys_only(void **state)
{
	(void)state;
	AUTO_JSON struct w_json *json = read_ok(
	    "{\"a\\n\\n\":\"x\",\n\t\"\xc3\xa9\": \"\", \"n\":\n[1,\"\\\"\"]}");
	yyjson_obj_iter iter = yyjson_obj_iter_with(w_json_root(json));
	static const struct {
		unsigned key_line;
		unsigned key_column;
		unsigned line;
		unsigned column;
	} want[] = {{1, 2, 1, 10}, {2, 2, 2, 8}, {2, 12, 0, 0}};
	for (size_t i = 0; i < 3; i++) {
		yyjson_val *key = yyjson_obj_iter_next(&iter);
		yyjson_val *val = yyjson_obj_iter_get_val(key);
		unsigned line = 0;
		unsigned column = 0;
		assert_true(w_json_place(json, key, &line, &column));
		assert_int_equal(line, want[i].key_line);
		assert_int_equal(column, want[i].key_column);

		line = column = 0;
		bool is_string = yyjson_is_str(val);
		assert_int_equal(
		    w_json_place(json, val, &line, &column), is_string);
		assert_int_equal(line, want[i].line);
		assert_int_equal(column, want[i].column);
	}

	yyjson_val *list = yyjson_obj_get(w_json_root(json), "n");
	unsigned line = 0;
	unsigned column = 0;
	assert_true(
	    w_json_place(json, yyjson_arr_get(list, 1), &line, &column));
	assert_int_equal(line, 3);
	assert_int_equal(column, 4);
	assert_false(
	    w_json_place(json, yyjson_arr_get(list, 0), &line, &column));
	assert_false(w_json_place(json, NULL, &line, &column));
}

static void
place_in_another_document_is_unknown(void **state)
{
	(void)state;
	AUTO_JSON struct w_json *json = read_ok("\"a\"");
	AUTO_JSON struct w_json *other = read_ok("\"b\"");
	unsigned line;
	unsigned column;
	assert_true(w_json_place(json, w_json_root(json), &line, &column));
	assert_false(w_json_place(json, w_json_root(other), &line, &column));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(documents_of_every_kind_are_read),
	    cmocka_unit_test(text_may_go_away_after_reading),
	    cmocka_unit_test(bytes_need_no_nul_at_the_end),
	    cmocka_unit_test(syntax_errors_say_what_and_where),
	    cmocka_unit_test(nul_bytes_are_no_part_of_json),
	    cmocka_unit_test(common_mistakes_get_a_hint),
	    cmocka_unit_test(empty_documents_are_called_empty),
	    cmocka_unit_test(byte_order_mark_is_refused),
	    cmocka_unit_test(size_limit_is_exact_and_named),
	    cmocka_unit_test(depth_limit_is_exact_and_placed),
	    cmocka_unit_test(depth_is_counted_across_a_long_document),
	    cmocka_unit_test(scalars_have_no_depth),
	    cmocka_unit_test(bracket_bomb_is_refused),
	    cmocka_unit_test(duplicate_keys_are_refused_with_both_places),
	    cmocka_unit_test(long_duplicate_key_is_shown_cut),
	    cmocka_unit_test(big_objects_are_checked_too),
	    cmocka_unit_test(hundred_thousand_keys_are_quick),
	    cmocka_unit_test(place_is_known_for_strings_and_keys_only),
	    cmocka_unit_test(place_in_another_document_is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
