/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "data/json_fields.h"

struct inner {
	uint16_t x;
	int y;
};

struct outer {
	const char *name;
	char tag[4];
	const char *const *list;
	bool is_on;
	uint64_t limit;
	unsigned kind;
	const char *json;
	yyjson_val *value;
	struct inner inner;
	const struct inner *more;
	size_t more_count;
};

static const char *const kinds[] = {"one", "two", NULL};

#define INNER(member) W_JSON_AT(struct inner, member)
#define AT(member)    W_JSON_AT(struct outer, member)

static const struct w_json_field inner_fields[] = {
    {"x", W_JSON_UINT, INNER(x)},
    {"y", W_JSON_INT, INNER(y)},
    {.key = NULL},
};

static void
add_length(struct w_buf *buf, const void *object)
{
	w_json_add_number(buf, strlen(((const struct outer *)object)->name));
}

static const struct w_json_field written[] = {
    {"name", W_JSON_STRING, AT(name)},
    {"tag", W_JSON_CHARS, AT(tag), .flags = W_JSON_ZERO_NULL},
    {"list", W_JSON_LIST, AT(list)},
    {"on", W_JSON_BOOL, AT(is_on), .flags = W_JSON_OMIT_EMPTY},
    {"limit", W_JSON_UINT, AT(limit), .flags = W_JSON_ZERO_NULL},
    {"kind", W_JSON_WORD, AT(kind), .words = kinds},
    {"json", W_JSON_TEXT, AT(json)},
    {"value", W_JSON_VALUE, AT(value)},
    {"inner", W_JSON_OBJECT, AT(inner), .fields = inner_fields},
    {"first", W_JSON_POINTER, AT(more), .fields = inner_fields},
    {"more", W_JSON_ARRAY, AT(more), .fields = inner_fields,
	.count_offset = offsetof(struct outer, more_count),
	.item_size = sizeof(struct inner)},
    {"length", W_JSON_ADDED, .add = add_length},
    {.key = NULL},
};

static const struct w_json_field read_fields[] = {
    {"name", W_JSON_STRING, AT(name), .flags = W_JSON_NOT_NULL},
    {"tag", W_JSON_CHARS, AT(tag), .flags = W_JSON_MAY_MISS},
    {"limit", W_JSON_UINT, AT(limit), .flags = W_JSON_MAY_MISS},
    {"kind", W_JSON_WORD, AT(kind), .words = kinds, .flags = W_JSON_MAY_MISS},
    {"inner", W_JSON_OBJECT, AT(inner), .fields = inner_fields,
	.flags = W_JSON_MAY_MISS},
    {.key = NULL},
};

static void
check_written(const struct outer *object, const char *want)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 10000);
	w_json_add_object(&buf, written, object);
	assert_false(buf.failed);
	assert_string_equal(buf.data, want);
}

static void
members_are_written_in_the_order_of_the_table(void **state)
{
	const char *const list[] = {"a", "b\"", NULL};
	const struct inner more[] = {{1, -2}, {65535, 4}};
	const struct outer object = {
	    .name = "n",
	    .tag = "abc",
	    .list = list,
	    .is_on = true,
	    .limit = UINT64_MAX,
	    .kind = 1,
	    .json = "[1]",
	    .inner = {7, 8},
	    .more = more,
	    .more_count = 2,
	};

	(void)state;
	check_written(&object,
	    "{\"name\":\"n\",\"tag\":\"abc\",\"list\":[\"a\",\"b\\\"\"],"
	    "\"on\":true,\"limit\":18446744073709551615,\"kind\":\"two\","
	    "\"json\":[1],\"value\":null,\"inner\":{\"x\":7,\"y\":8},"
	    "\"first\":{\"x\":1,\"y\":-2},\"more\":[{\"x\":1,\"y\":-2},"
	    "{\"x\":65535,\"y\":4}],\"length\":1}");
}

static void
empty_members_are_null_or_left_out(void **state)
{
	const struct outer object = {.name = ""};

	(void)state;
	check_written(&object,
	    "{\"name\":\"\",\"tag\":null,\"list\":[],\"limit\":null,"
	    "\"kind\":\"one\",\"json\":null,\"value\":null,"
	    "\"inner\":{\"x\":0,\"y\":0},\"first\":null,\"more\":[],"
	    "\"length\":0}");
}

/* Reads an object, and checks the message about it; NULL: none. */
static void
check_read(const char *text, struct outer *out, const char *message)
{
	const struct w_json_object_reader reader = {"test", "key", false};
	const struct w_json_limits limits = {1000, 8};
	struct w_json *json;
	yyjson_val *at = NULL;
	writ_error err = {0};

	assert_int_equal(
	    w_json_read(text, strlen(text), &limits, &json, NULL), WRIT_OK);
	writ_status status = w_json_get_fields(
	    &reader, read_fields, w_json_root(json), out, &at, &err);
	assert_string_equal(err.message, message == NULL ? "" : message);
	assert_int_equal(status, message == NULL ? WRIT_OK : WRIT_E_INVALID);
	assert_true((at == NULL) == (message == NULL));
	out->name = NULL;
	w_json_free(json);
}

static void
members_are_read_by_their_kinds(void **state)
{
	struct outer out = {.limit = 5};

	(void)state;
	check_read("{\"name\":\"n\",\"tag\":\"abc\",\"kind\":\"two\","
		   "\"inner\":{\"x\":65535,\"y\":-1}}",
	    &out, NULL);
	assert_string_equal(out.tag, "abc");
	assert_int_equal(out.kind, 1);
	assert_int_equal(out.inner.x, 65535);
	assert_int_equal(out.inner.y, -1);
	assert_int_equal(out.limit, 5);
}

static void
what_does_not_fit_is_refused_with_its_key(void **state)
{
	struct outer out = {.limit = 0};

	(void)state;
	check_read("{}", &out, "'name' is missing");
	check_read("{\"name\":null}", &out, "name must be text, not null");
	check_read("{\"name\":\"n\",\"tag\":\"long\"}", &out,
	    "tag must be a short text, not text");
	check_read("{\"name\":\"n\",\"limit\":-1}", &out,
	    "limit must be a number in range, not a number");
	check_read("{\"name\":\"n\",\"kind\":\"six\"}", &out,
	    "kind must be one of its words, not text");
	check_read("{\"name\":\"n\",\"inner\":{\"x\":65536,\"y\":1}}", &out,
	    "x must be a number in range, not a number");
	check_read("{\"name\":\"n\",\"inner\":[]}", &out,
	    "inner must be a map, not a list");
	check_read("{\"name\":\"n\",\"limt\":1}", &out, "unknown key 'limt'");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(members_are_written_in_the_order_of_the_table),
	    cmocka_unit_test(empty_members_are_null_or_left_out),
	    cmocka_unit_test(members_are_read_by_their_kinds),
	    cmocka_unit_test(what_does_not_fit_is_refused_with_its_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
