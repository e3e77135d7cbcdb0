/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "schema/pointer.h"

/* The example of RFC 6901. */
static const char example[] =
    "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,"
    "\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}";

static yyjson_val *
follow(yyjson_val *value, const char *pointer)
{
	size_t len = strlen(pointer);

	while (len > 0 && value != NULL)
		value = w_pointer_step(value, &pointer, &len);
	return value;
}

static void
every_value_is_found_and_named(void **state)
{
	static const char *const pointers[] = {"", "/foo", "/foo/0", "/foo/1",
	    "/", "/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", "/k\"l", "/ ",
	    "/m~0n"};
	yyjson_doc *doc = yyjson_read(example, strlen(example), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);

	(void)state;
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		struct w_buf buf;
		yyjson_val *value = follow(root, pointers[i]);
		assert_non_null(value);
		assert_true(w_pointer_is_inside(root, value));
		w_buf_init(&buf, 100);
		w_pointer_add(&buf, root, value);
		assert_string_equal(buf.data, pointers[i]);
		w_buf_done(&buf);
	}
	assert_int_equal(yyjson_get_int(follow(root, "/m~0n")), 8);
	yyjson_doc_free(doc);
}

static void
what_is_not_there_is_not_found(void **state)
{
	static const char *const pointers[] = {"foo", "/fo", "/fooo", "/foo/2",
	    "/foo/-", "/foo/00", "/foo/+1", "/foo/", "/foo/9999999999", "/a/b",
	    "/foo/0/x", "/m~n~"};
	yyjson_doc *doc = yyjson_read(example, strlen(example), 0);

	(void)state;
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++)
		assert_null(follow(yyjson_doc_get_root(doc), pointers[i]));
	yyjson_doc_free(doc);
}

static void
a_key_is_at_its_object(void **state)
{
	static const char text[] = "{\"a\":{\"b\":1}}";
	yyjson_doc *doc = yyjson_read(text, strlen(text), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *inner = yyjson_obj_get(root, "a");
	struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 100);
	w_pointer_add(&buf, root, unsafe_yyjson_get_first(inner));
	assert_string_equal(buf.data, "/a");
	assert_false(w_pointer_is_inside(inner, root));
	w_buf_done(&buf);
	yyjson_doc_free(doc);
}

static void
a_long_place_loses_its_middle(void **state)
{
	struct w_buf text;
	struct w_buf place;

	(void)state;
	w_buf_init(&text, 4096);
	w_buf_init(&place, 4096);
	for (int i = 0; i < 60; i++)
		w_buf_add_str(&text, "{\"\xc3\xa4\xc3\xa4\":");
	w_buf_add_str(&text, "1");
	for (int i = 0; i < 60; i++)
		w_buf_add_char(&text, '}');
	yyjson_doc *doc = yyjson_read(text.data, text.len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *deepest = root;
	while (yyjson_is_obj(deepest))
		deepest = unsafe_yyjson_get_first(deepest) + 1;
	w_pointer_add_place(&place, root, deepest);
	assert_true(place.len < 130);
	assert_non_null(strstr(place.data, "..."));
	assert_string_equal(place.data + place.len - 7, "/\xc3\xa4\xc3\xa4: ");
	w_buf_done(&place);
	w_pointer_add_place(&place, root, root);
	assert_string_equal(place.data, "");
	yyjson_doc_free(doc);
	w_buf_done(&text);
	w_buf_done(&place);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_value_is_found_and_named),
	    cmocka_unit_test(what_is_not_there_is_not_found),
	    cmocka_unit_test(a_key_is_at_its_object),
	    cmocka_unit_test(a_long_place_loses_its_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
