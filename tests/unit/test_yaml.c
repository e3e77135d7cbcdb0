/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/position.h"
#include "data/yaml.h"

static const struct w_json_limits wide = {
    .bytes_max = (size_t)1 << 20, .depth_max = 16};

static void
free_yaml(struct w_yaml **yaml)
{
	w_yaml_free(*yaml);
}

#define AUTO_YAML __attribute__((cleanup(free_yaml)))

static struct w_yaml *
read_ok(const char *text)
{
	struct w_yaml *yaml = NULL;
	writ_error err = {.message = ""};
	writ_status status =
	    w_yaml_read(text, strlen(text), &wide, &yaml, &err);

	assert_string_equal(err.message, "");
	assert_int_equal(status, WRIT_OK);
	return yaml;
}

static void
check_refused(const char *text, size_t len, const char *message, unsigned line,
    unsigned column)
{
	static char anything[1];
	struct w_yaml *const untouched = (void *)anything;
	struct w_yaml *yaml = untouched;
	writ_error err = {.line = 0};

	assert_int_equal(
	    w_yaml_read(text, len, &wide, &yaml, &err), WRIT_E_INVALID);
	assert_ptr_equal(yaml, untouched);
	assert_string_equal(err.stage, "yaml");
	assert_string_equal(err.message, message);
	assert_int_equal(err.line, line);
	assert_int_equal(err.column, column);
	assert_int_equal(
	    w_yaml_read(text, len, &wide, &yaml, NULL), WRIT_E_INVALID);
}

static void
refused(const char *text, const char *message, unsigned line, unsigned column)
{
	check_refused(text, strlen(text), message, line, column);
}

/* The tree is the one that this JSON describes. */
static void
expect_same(const char *text, const char *json)
{
	AUTO_YAML struct w_yaml *yaml = read_ok(text);
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);

	assert_non_null(doc);
	if (!yyjson_equals(w_yaml_root(yaml), yyjson_doc_get_root(doc))) {
		char *got = yyjson_val_write(w_yaml_root(yaml), 0, NULL);

		print_error("%s: %s\n", text, got);
		free(got);
		fail();
	}
	yyjson_doc_free(doc);
}

static void
lists_maps_and_words_become_a_tree(void **state)
{
	(void)state;
	expect_same("a: b\nc:\n  - d\n  - e: f\n",
	    "{\"a\":\"b\",\"c\":[\"d\",{\"e\":\"f\"}]}");
	expect_same("{a: [1, 'two', \"th\\nree\"]}",
	    "{\"a\":[1,\"two\",\"th\\nree\"]}");
	expect_same("# note\n---\nword\n...\n", "\"word\"");
	expect_same("a: |\n  x\n  y\nb: >\n  x\n  y\n",
	    "{\"a\":\"x\\ny\\n\",\"b\":\"x y\\n\"}");
	expect_same("[]", "[]");
}

static void
words_stay_the_words_that_they_look_like(void **state)
{
	static const char *const words[] = {"yes", "no", "on", "off", "y", "NO",
	    "True", "NULL", "017", "0x1f", "1_000", "12:30", ".5", "+1", "1.",
	    "-", "2GiB", "1e", ".inf", ".nan", "2026-01-01"};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char text[64], json[64];

		(void)snprintf(text, sizeof(text), "k: %s", words[i]);
		if (strcmp(words[i], "-") == 0)
			(void)snprintf(text, sizeof(text), "k: '-'");
		(void)snprintf(json, sizeof(json), "{\"k\":\"%s\"}", words[i]);
		expect_same(text, json);
	}
}

static void
what_json_knows_is_what_json_makes_of_it(void **state)
{
	(void)state;
	expect_same("[true, false, null, ~, 0, -1, 1.5, 1e3]",
	    "[true,false,null,null,0,-1,1.5,1e3]");
	expect_same("a:\nb: ''\n", "{\"a\":null,\"b\":\"\"}");
	expect_same("['true', \"1\", '~']", "[\"true\",\"1\",\"~\"]");
	/* A key is always a string. */
	expect_same("1: a\ntrue: b\n", "{\"1\":\"a\",\"true\":\"b\"}");
}

static void
expect_place(
    const struct w_yaml *yaml, yyjson_val *val, unsigned line, unsigned column)
{
	unsigned got_line = 0;
	unsigned got_column = 0;

	assert_non_null(val);
	w_yaml_place(yaml, val, &got_line, &got_column);
	assert_int_equal(got_line, line);
	assert_int_equal(got_column, column);
	/* Its offset is the same place. */
	size_t len = 0;
	const char *text = w_yaml_text(yaml, &len);
	const size_t offset = w_yaml_offset(yaml, val);
	assert_true(offset < len);
	w_position_of(text, offset, &got_line, &got_column);
	assert_int_equal(got_line, line);
	assert_int_equal(got_column, column);
}

static void
every_value_has_its_place(void **state)
{
	AUTO_YAML struct w_yaml *yaml =
	    read_ok("# note\nlist:\n  - one\n  - {x: 2}\nlast: [a, b]\n");
	yyjson_val *root = w_yaml_root(yaml);
	yyjson_val *list = yyjson_obj_get(root, "list");
	yyjson_val *last = yyjson_obj_get(root, "last");
	yyjson_val *map = yyjson_arr_get(list, 1);

	(void)state;
	expect_place(yaml, root, 2, 1);
	expect_place(yaml, list, 3, 3);
	expect_place(yaml, yyjson_arr_get(list, 0), 3, 5);
	expect_place(yaml, map, 4, 5);
	expect_place(yaml, yyjson_obj_get(map, "x"), 4, 9);
	expect_place(yaml, yyjson_arr_get(last, 1), 5, 11);
}

static void
columns_count_bytes_and_lines_end_as_they_may(void **state)
{
	AUTO_YAML struct w_yaml *yaml = read_ok("\"\xc3\xa4\": b\r\nc: d\r\n");
	yyjson_val *root = w_yaml_root(yaml);

	(void)state;
	expect_place(yaml, yyjson_obj_get(root, "\xc3\xa4"), 1, 7);
	expect_place(yaml, yyjson_obj_get(root, "c"), 2, 4);
}

static void
a_key_twice_is_refused(void **state)
{
	(void)state;
	refused("a: 1\nb: 2\na: 3\n", "duplicate key 'a', first at 1:1", 3, 1);
	refused("x: {k: 1, 'k': 2}", "duplicate key 'k', first at 1:5", 1, 11);
}

static void
what_means_more_than_one_sees_is_refused(void **state)
{
	(void)state;
	refused(
	    "a: &x 1\nb: *x\n", "anchors and aliases are not allowed", 1, 4);
	refused("a: *x\n", "anchors and aliases are not allowed", 1, 4);
	refused("&x [a]\n", "anchors and aliases are not allowed", 1, 1);
	refused("a: !!str 1\n", "tags are not allowed", 1, 4);
	refused("!x {a: b}\n", "tags are not allowed", 1, 1);
	refused("%YAML 1.1\n---\na: b\n", "directives are not allowed", 1, 1);
	refused("? [a]\n: b\n", "a key must be a word", 1, 3);
}

static void
one_document_and_no_more(void **state)
{
	(void)state;
	refused("", "the document is empty", 0, 0);
	refused("# nothing\n", "the document is empty", 0, 0);
	refused("a: 1\n---\nb: 2\n", "a second document starts here", 2, 1);
}

static void
bad_syntax_has_a_place(void **state)
{
	(void)state;
	refused("name: x\n  bad: indent\n",
	    "not valid YAML: mapping values are not allowed in this context", 2,
	    6);
	refused("a:\n\t- b\n",
	    "not valid YAML: found character that cannot start any token", 2,
	    1);
	refused("a: [1, 2\n",
	    "not valid YAML: did not find expected ',' or ']'", 2, 1);
	refused(
	    "a: 'x\n", "not valid YAML: found unexpected end of stream", 2, 1);
}

static void
bytes_that_are_not_text_are_refused(void **state)
{
	(void)state;
	refused("a: \xff\n", "the document is not valid UTF-8", 0, 0);
	refused("\xef\xbb\xbf"
		"a: 1\n",
	    "the document starts with a byte order mark", 1, 1);
	check_refused("a: \0b\n", 6,
	    "not valid YAML: control characters are not allowed", 1, 4);
	refused("a: 1\nb: \"x\x1b\"\n",
	    "not valid YAML: control characters are not allowed", 2, 6);
	/* UTF-16 is not accepted as UTF-8. */
	check_refused("\xff\xfe"
		      "a\0",
	    4, "the document is not valid UTF-8", 0, 0);
}

static void
size_and_depth_are_limited(void **state)
{
	static const struct w_json_limits small = {
	    .bytes_max = 8, .depth_max = 2};
	struct w_yaml *yaml = NULL;
	writ_error err;

	(void)state;
	assert_int_equal(
	    w_yaml_read("[a, b, c]", 9, &small, &yaml, &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "the document has 9B, the limit is 8B");
	assert_int_equal(w_yaml_read("[[a]]", 5, &small, &yaml, &err), WRIT_OK);
	w_yaml_free(yaml);
	assert_int_equal(
	    w_yaml_read("[[[a]]]", 7, &small, &yaml, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "nested deeper than the limit");
	assert_int_equal(err.column, 3);
}

static void
a_bomb_of_brackets_ends_at_once(void **state)
{
	enum {
		COUNT = 200000
	};
	char *text = malloc(COUNT);
	struct w_yaml *yaml = NULL;
	writ_error err;

	(void)state;
	assert_non_null(text);
	memset(text, '[', COUNT);
	assert_int_equal(
	    w_yaml_read(text, COUNT, &wide, &yaml, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "nested deeper than the limit");
	free(text);
}

static void
many_keys_take_no_quadratic_time(void **state)
{
	enum {
		COUNT = 20000
	};
	char *text = calloc(COUNT, 16);
	size_t len = 0;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < COUNT; i++)
		len += (size_t)sprintf(text + len, "key%d: 1\n", i);
	AUTO_YAML struct w_yaml *yaml = read_ok(text);
	assert_int_equal(yyjson_obj_size(w_yaml_root(yaml)), COUNT);
	free(text);
}

/* The tree is built by hand: yyjson has to find its way in it. */
static void
a_tree_is_what_its_reader_expects(void **state)
{
	W_AUTO_FREE char *text = NULL;
	AUTO_YAML struct w_yaml *yaml =
	    read_ok("a: [[], {}, [1, [x, {b: -2, c: 2.5}], []], \"\"]\n"
		    "b: {a: {a: {a: {}, b: []}, b: 18446744073709551615}}\n"
		    "c: []\n");
	AUTO_YAML struct w_yaml *again = NULL;
	yyjson_doc *doc;

	(void)state;
	text = yyjson_val_write(w_yaml_root(yaml), 0, NULL);
	assert_string_equal(text,
	    "{\"a\":[[],{},[1,[\"x\",{\"b\":-2,\"c\":2.5}],[]],\"\"],"
	    "\"b\":{\"a\":{\"a\":{\"a\":{},\"b\":[]},"
	    "\"b\":18446744073709551615}},\"c\":[]}");
	doc = yyjson_read(text, strlen(text), 0);
	assert_true(yyjson_equals(w_yaml_root(yaml), yyjson_doc_get_root(doc)));
	yyjson_doc_free(doc);
	/* A flat list is indexed, another one is walked. */
	again = read_ok("[1, 2, [3], 4]");
	assert_int_equal(
	    yyjson_get_int(yyjson_arr_get(w_yaml_root(again), 3)), 4);
	assert_int_equal(yyjson_get_int(yyjson_arr_get_last(
			     yyjson_arr_get(w_yaml_root(again), 2))),
	    3);
}

static void
texts_of_any_length_are_kept(void **state)
{
	enum {
		LONG = 100000
	};
	W_AUTO_FREE char *text = calloc(1, 4 * LONG);
	AUTO_YAML struct w_yaml *yaml = NULL;
	const char *kept;
	size_t len;

	(void)state;
	assert_non_null(text);
	/* Keys of one kind, which take each other's place. */
	(void)strcpy(text, "axb: {axb: 1, ayb: 2}\nayb: ");
	memset(text + strlen(text), 'v', LONG);
	(void)strcat(text, "\n");
	memset(text + strlen(text), 'k', 1000);
	(void)strcat(text, ": axb\n");
	yaml = read_ok(text);
	kept = yyjson_get_str(yyjson_obj_get(w_yaml_root(yaml), "ayb"));
	assert_int_equal(strlen(kept), LONG);
	assert_int_equal(yyjson_get_int(yyjson_obj_get(
			     yyjson_obj_get(w_yaml_root(yaml), "axb"), "ayb")),
	    2);
	/* The texts outlive the values. */
	w_yaml_forget_values(yaml);
	assert_null(w_yaml_root(yaml));
	assert_int_equal(strspn(kept, "v"), LONG);
	assert_string_equal(w_yaml_text(yaml, &len), text);
	assert_int_equal(len, strlen(text));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists_maps_and_words_become_a_tree),
	    cmocka_unit_test(words_stay_the_words_that_they_look_like),
	    cmocka_unit_test(what_json_knows_is_what_json_makes_of_it),
	    cmocka_unit_test(every_value_has_its_place),
	    cmocka_unit_test(columns_count_bytes_and_lines_end_as_they_may),
	    cmocka_unit_test(a_key_twice_is_refused),
	    cmocka_unit_test(what_means_more_than_one_sees_is_refused),
	    cmocka_unit_test(one_document_and_no_more),
	    cmocka_unit_test(bad_syntax_has_a_place),
	    cmocka_unit_test(bytes_that_are_not_text_are_refused),
	    cmocka_unit_test(size_and_depth_are_limited),
	    cmocka_unit_test(a_bomb_of_brackets_ends_at_once),
	    cmocka_unit_test(many_keys_take_no_quadratic_time),
	    cmocka_unit_test(a_tree_is_what_its_reader_expects),
	    cmocka_unit_test(texts_of_any_length_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
