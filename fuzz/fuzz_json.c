/* SPDX-License-Identifier: Apache-2.0 */

/*
 * JSON documents: what is accepted keeps every limit and has no key twice,
 * what is refused says why and where, every string has a place, and strings
 * written are read back.
 */

#include "data/json.h"

#include "check.h"

#define DEPTH_MAX 8

static const struct w_json_limits limits = {
    .bytes_max = 4096, .depth_max = DEPTH_MAX};

/* The character of text at line:column. */
static char
char_at(const char *text, size_t len, unsigned line, unsigned column)
{
	size_t at = 0;

	for (unsigned i = 1; i < line; i++) {
		const char *newline = memchr(text + at, '\n', len - at);
		CHECK(newline != NULL);
		at = (size_t)(newline - text) + 1;
	}
	CHECK(column > 0 && column <= len - at);
	CHECK(memchr(text + at, '\n', column - 1) == NULL);
	return text[at + column - 1];
}

static void
check_string(const struct w_json *json, yyjson_val *val, const uint8_t *data,
    size_t size)
{
	unsigned line = 0;
	unsigned column = 0;

	CHECK(w_utf8_valid(yyjson_get_str(val), yyjson_get_len(val)));
	CHECK(w_json_place(json, val, &line, &column));
	CHECK(char_at((const char *)data, size, line, column) == '"');
}

static void
check_object(const struct w_json *json, yyjson_val *object, const uint8_t *data,
    size_t size)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(object, i, count, key, val)
	{
		check_string(json, key, data, size);
		/* A lookup finds the first of its name: this very one. */
		CHECK(yyjson_obj_getn(object, yyjson_get_str(key),
			  yyjson_get_len(key)) == val);
	}
}

/* Recursion is bounded by the depth limit under test. */
static void
check_value(const struct w_json *json, yyjson_val *val, size_t depth,
    const uint8_t *data, size_t size)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;
	unsigned line;
	unsigned column;

	CHECK(depth <= DEPTH_MAX);
	if (yyjson_is_str(val)) {
		check_string(json, val, data, size);
		return;
	}
	CHECK(!w_json_place(json, val, &line, &column));
	CHECK(!yyjson_is_ctn(val) || depth < DEPTH_MAX);
	if (yyjson_is_obj(val)) {
		check_object(json, val, data, size);
		yyjson_obj_foreach(val, i, count, key, item)
		    check_value(json, item, depth + 1, data, size);
	}
	yyjson_arr_foreach(val, i, count, item)
	    check_value(json, item, depth + 1, data, size);
}

static void
check_read(const uint8_t *data, size_t size)
{
	/* Without a NUL behind it: the length alone must end the text. */
	char *exact = copy_exact(data, size);
	struct w_json *json = NULL;
	writ_error err;

	writ_status status = w_json_read(exact, size, &limits, &json, &err);
	free(exact);
	if (status != WRIT_OK) {
		CHECK(status == WRIT_E_INVALID);
		CHECK(json == NULL);
		check_error(&err, status);
		return;
	}
	CHECK(size <= limits.bytes_max);
	check_value(json, w_json_root(json), 0, data, size);
	w_json_free(json);
}

static void
check_write(const uint8_t *data, size_t size)
{
	W_AUTO_BUF struct w_buf buf;
	struct w_json *json = NULL;
	const struct w_json_limits wide = {.bytes_max = SIZE_MAX};

	w_buf_init(&buf, 6 * size + 2);
	w_json_add_string(&buf, (const char *)data, size);
	CHECK(!buf.failed);
	CHECK(w_json_read(buf.data, buf.len, &wide, &json, NULL) == WRIT_OK);
	yyjson_val *root = w_json_root(json);
	CHECK(yyjson_get_len(root) == size);
	CHECK(size == 0 || memcmp(yyjson_get_str(root), data, size) == 0);
	w_json_free(json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_read(data, size);
	if (w_utf8_valid(data, size))
		check_write(data, size);
	return 0;
}
