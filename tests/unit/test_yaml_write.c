/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "data/yaml.h"
#include "data/yaml_string.h"
#include "data/yaml_write.h"

#include "sampling.h"

#define TEXT_MAX ((size_t)8 << 20)

static const struct w_json_limits wide = {
    .bytes_max = TEXT_MAX, .depth_max = W_YAML_DEPTH_MAX};

static char *
written(yyjson_val *root, size_t *out_len)
{
	struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	w_yaml_add(&buf, root);
	assert_false(buf.failed);
	char *text = w_buf_take(&buf, out_len);
	assert_non_null(text);
	return text;
}

/* The YAML of this JSON, which reads back unchanged: members in the same order,
 * numbers of the same type. */
static void
same_after_all(yyjson_val *root)
{
	size_t len = 0;
	char *text = written(root, &len);
	char *before = yyjson_val_write(root, 0, NULL);
	struct w_yaml *yaml = NULL;
	writ_error err = {.message = ""};
	writ_status status = w_yaml_read(text, len, &wide, &yaml, &err);

	assert_non_null(before);
	if (status != WRIT_OK)
		fail_msg("%u:%u: %s in\n%s\nof %s", err.line, err.column,
		    err.message, text, before);
	char *after = yyjson_val_write(w_yaml_root(yaml), 0, NULL);
	assert_non_null(after);
	if (strcmp(before, after) != 0)
		fail_msg("%s\nbecame %s by\n%s", before, after, text);
	w_yaml_free(yaml);
	free(after);
	free(before);
	free(text);
}

static void
becomes(const char *json, const char *expected)
{
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
	size_t len = 0;

	assert_non_null(doc);
	char *text = written(yyjson_doc_get_root(doc), &len);
	assert_string_equal(text, expected);
	same_after_all(yyjson_doc_get_root(doc));
	free(text);
	yyjson_doc_free(doc);
}

static void
trees_are_written_in_blocks(void **state)
{
	(void)state;
	becomes("{\"a\":1,\"b\":[1,true,null],\"c\":{\"d\":{},\"e\":[]}}",
	    "a: 1\n"
	    "b:\n"
	    "- 1\n"
	    "- true\n"
	    "- null\n"
	    "c:\n"
	    "  d: {}\n"
	    "  e: []\n");
	becomes("[{\"a\":1,\"b\":[[1,2],[{\"x\":1,\"z\":[0]}]]},[],[[]]]",
	    "- a: 1\n"
	    "  b:\n"
	    "  - - 1\n"
	    "    - 2\n"
	    "  - - x: 1\n"
	    "      z:\n"
	    "      - 0\n"
	    "- []\n"
	    "- - []\n");
	becomes("{}", "{}\n");
	becomes("[-1.5e300,1e300,1e-7,1.0,0.5,true,-0.0]",
	    "- -1.5e+300\n- 1.0e+300\n- 1.0e-7\n- 1.0\n- 0.5\n- true\n"
	    "- -0.0\n");
}

static void
strings_are_quoted_where_they_must_be(void **state)
{
	(void)state;
	becomes("[\"git\",\"/usr/bin/git log\",\"a, b [c] {d} 'e' \\\"f\\\"\","
		"\"Gr\u00fc\u00dfe\"]",
	    "- git\n"
	    "- /usr/bin/git log\n"
	    "- a, b [c] {d} 'e' \"f\"\n"
	    "- Gr\u00fc\u00dfe\n");
	becomes("[\"\",\" a\",\"a \",\"yes\",\"No\",\"017\",\"1.0\",\"12:30\","
		"\"2001-01-01\",\"~\",\"null\",\".inf\",\"-\",\"--all\"]",
	    "- \"\"\n- \" a\"\n- \"a \"\n- \"yes\"\n- \"No\"\n- \"017\"\n"
	    "- \"1.0\"\n- \"12:30\"\n- \"2001-01-01\"\n- \"~\"\n- \"null\"\n"
	    "- \".inf\"\n- \"-\"\n- \"--all\"\n");
	becomes("[\"a: b\",\"a #b\",\"a:\",\"a#b\",\"a:b\",\"<<\",\"=\",\"*a\","
		"\"&a\",\"!a\",\"%a\",\"@a\",\"`a\",\"'a\",\"{a\",\"?\"]",
	    "- \"a: b\"\n- \"a #b\"\n- \"a:\"\n- a#b\n- a:b\n- \"<<\"\n- "
	    "\"=\"\n"
	    "- \"*a\"\n- \"&a\"\n- \"!a\"\n- \"%a\"\n- \"@a\"\n- \"`a\"\n"
	    "- \"'a\"\n- \"{a\"\n- \"?\"\n");
}

static void
what_cannot_be_seen_is_escaped(void **state)
{
	(void)state;
	becomes("[\"\\u0000\\u0001\\u007f\\u0085\\u009f\\u2028\\u2029\\ufeff"
		"\\ufffe\\uffff\",\"a\\tb\",\"a\\rb\",\"\\\\\"]",
	    "- \"\\u0000\\u0001\\u007f\\u0085\\u009f\\u2028\\u2029\\ufeff"
	    "\\ufffe\\uffff\"\n- \"a\\tb\"\n- \"a\\rb\"\n- \"\\\\\"\n");
	becomes("\"\\u00a0\\ud83d\\ude00\"", "\xc2\xa0\xf0\x9f\x98\x80\n");
}

static void
lines_are_written_as_lines(void **state)
{
	(void)state;
	becomes("{\"a\":\"one\\ntwo: #\\n\\n  three\\n\",\"b\":\"x\\ny\","
		"\"c\":\"x\\n\\n\",\"d\":[\"x\\n\\ty \\n\"]}",
	    "a: |\n"
	    "  one\n"
	    "  two: #\n"
	    "\n"
	    "    three\n"
	    "b: |-\n"
	    "  x\n"
	    "  y\n"
	    "c: |+\n"
	    "  x\n"
	    "\n"
	    "d:\n"
	    "- |\n"
	    "  x\n"
	    "  \ty \n");
	/* Text that a block could not represent is not written as one. */
	becomes("[\" a\\nb\",\"\\na\",\"a\\r\\nb\",\"a\\u0001\\nb\"]",
	    "- \" a\\nb\"\n- \"\\na\"\n- \"a\\r\\nb\"\n- \"a\\u0001\\nb\"\n");
}

static void
keys_are_quoted_and_long_ones_stand_alone(void **state)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	char key[3000];

	(void)state;
	becomes("{\"a b\":1,\"on\":2,\"\":3,\"x-y\":4,\"a: b\":5,\"a\\nb\":6}",
	    "a b: 1\n\"on\": 2\n\"\": 3\nx-y: 4\n\"a: b\": 5\n\"a\\nb\": 6\n");
	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	yyjson_mut_obj_add_int(doc, root, key, 1);
	yyjson_mut_obj_add_val(doc, root, key + 5, yyjson_mut_obj(doc));
	yyjson_mut_obj_add_val(doc, root, key + 10,
	    yyjson_mut_arr_with_strcpy(doc, (const char *[]){"a", "b\nc"}, 2));
	yyjson_doc *copy = yyjson_mut_val_imut_copy(root, NULL);
	same_after_all(yyjson_doc_get_root(copy));
	yyjson_doc_free(copy);
	yyjson_mut_doc_free(doc);
}

static void
what_no_reader_takes_is_not_written(void **state)
{
	char deep[2 * W_YAML_DEPTH_MAX + 4] = "";
	struct w_buf buf;
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);

	(void)state;
	memset(deep, '[', W_YAML_DEPTH_MAX + 1);
	deep[W_YAML_DEPTH_MAX + 1] = '1';
	memset(deep + W_YAML_DEPTH_MAX + 2, ']', W_YAML_DEPTH_MAX + 1);
	yyjson_doc *nested = yyjson_read(deep, 2 * W_YAML_DEPTH_MAX + 3, 0);
	assert_non_null(nested);
	w_buf_init(&buf, TEXT_MAX);
	w_yaml_add(&buf, yyjson_doc_get_root(nested));
	assert_true(buf.failed);
	w_buf_done(&buf);
	yyjson_doc_free(nested);

	yyjson_mut_doc_set_root(doc, yyjson_mut_strn(doc, "a\xff", 2));
	yyjson_doc *bad = yyjson_mut_doc_imut_copy(doc, NULL);
	w_buf_init(&buf, TEXT_MAX);
	w_yaml_add(&buf, yyjson_doc_get_root(bad));
	assert_true(buf.failed);
	w_buf_done(&buf);
	yyjson_doc_free(bad);
	yyjson_mut_doc_free(doc);
}

/* ---- random trees ---- */

static uint64_t seed;

static unsigned
any(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (unsigned)(seed >> 33) % below;
}

static yyjson_mut_val *
any_string(yyjson_mut_doc *doc)
{
	static const char *const parts[] = {"a", "yes", "0", "17", ".", ":",
	    ": ", " #", "#", " ", "  ", "\n", "\n\n", "\t", "\r", "\"", "'",
	    "\\", "-", "- ", "---", "...", "? ", "|", ">", "{", "}", "[", "]",
	    ",", "&", "*", "!", "%", "@", "`", "~", "null", "true", "\x01",
	    "\x7f", "\xc2\x85", "\xc2\xa0", "\xe2\x80\xa8", "\xe2\x80\xa9",
	    "\xef\xbb\xbf", "\xef\xbf\xbf", "\xf0\x9f\x98\x80", "\xc3\xa4",
	    "word and word", "1e5", "<<", "=", "+", "exec:///usr/bin/git log"};
	char text[4096];
	size_t len = 0;
	unsigned count = any(8);

	for (unsigned i = 0; i < count; i++) {
		const char *part = parts[any(sizeof(parts) / sizeof(parts[0]))];

		memcpy(text + len, part, strlen(part));
		len += strlen(part);
	}
	if (any(20) == 0) {
		memset(text + len, any(2) == 0 ? 'x' : ' ', 1500);
		len += 1500;
	}
	if (any(20) == 0)
		text[len++] = '\0';
	return yyjson_mut_strncpy(doc, text, len);
}

static yyjson_mut_val *
any_scalar(yyjson_mut_doc *doc)
{
	switch (any(8)) {
	case 0:
		return yyjson_mut_null(doc);
	case 1:
		return yyjson_mut_bool(doc, any(2) == 0);
	case 2:
		return yyjson_mut_sint(doc, (int64_t)seed);
	case 3:
		return yyjson_mut_uint(doc, seed);
	case 4:
		return yyjson_mut_real(doc, (double)seed / 3e7);
	default:
		return any_string(doc);
	}
}

static yyjson_mut_val *
any_tree(yyjson_mut_doc *doc, unsigned depth)
{
	const bool is_list = any(2) == 0;
	yyjson_mut_val *to =
	    is_list ? yyjson_mut_arr(doc) : yyjson_mut_obj(doc);
	unsigned count = any(5);

	if (depth == 0 || any(3) == 0)
		return any_scalar(doc);
	for (unsigned i = 0; i < count; i++) {
		yyjson_mut_val *val = any_tree(doc, depth - 1);
		yyjson_mut_val *key = is_list ? NULL : any_string(doc);

		if (is_list)
			yyjson_mut_arr_append(to, val);
		else if (yyjson_mut_obj_getn(to, yyjson_mut_get_str(key),
			     yyjson_mut_get_len(key)) == NULL)
			yyjson_mut_obj_add(to, key, val);
	}
	return to;
}

static void
any_tree_reads_back_as_it_was(void **state)
{
	(void)state;
	for (seed = 1 + sample_begin(); seed < 20000; seed += sample_step()) {
		const uint64_t start = seed;
		yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
		yyjson_mut_val *root = any_tree(doc, 6);
		yyjson_doc *copy = yyjson_mut_val_imut_copy(root, NULL);

		same_after_all(yyjson_doc_get_root(copy));
		yyjson_doc_free(copy);
		yyjson_mut_doc_free(doc);
		seed = start;
	}
}

static void
plain_is_what_nobody_could_mistake(void **state)
{
	static const char *const plain[] = {"a", "a-b", "/usr/bin", "_x",
	    "yes please", "truely", "n/a", "(a)", "\xc3\xa4"};
	static const char *const loaded[] = {"", "y", "NO", "Off", "1", "+1",
	    "-1", ".5", "0x1f", "a ", " a", "a:", "TRUE"};

	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		assert_true(w_yaml_is_plain(plain[i], strlen(plain[i])));
	for (size_t i = 0; i < sizeof(loaded) / sizeof(loaded[0]); i++)
		assert_false(w_yaml_is_plain(loaded[i], strlen(loaded[i])));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(trees_are_written_in_blocks),
	    cmocka_unit_test(strings_are_quoted_where_they_must_be),
	    cmocka_unit_test(what_cannot_be_seen_is_escaped),
	    cmocka_unit_test(lines_are_written_as_lines),
	    cmocka_unit_test(keys_are_quoted_and_long_ones_stand_alone),
	    cmocka_unit_test(what_no_reader_takes_is_not_written),
	    cmocka_unit_test(any_tree_reads_back_as_it_was),
	    cmocka_unit_test(plain_is_what_nobody_could_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
