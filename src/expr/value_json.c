/* SPDX-License-Identifier: Apache-2.0 */

/* Values from parsed JSON and YAML documents. */

#include <stdlib.h>
#include <string.h>

#include "expr/value.h"

#define STAGE "value"

/* Smaller maps are searched linearly. */
#define INDEX_MIN 12

struct value_json_reader {
	struct w_arena *arena;
	writ_error *err;
	size_t depth;
};

static writ_status value_json_read_value(
    struct value_json_reader *in, yyjson_val *val, struct w_value *out_value);

static writ_status
value_json_read_text(
    struct value_json_reader *in, yyjson_val *val, const char **out_text)
{
	const char *text = yyjson_get_str(val);
	size_t len = yyjson_get_len(val);

	if (len > W_VALUE_TEXT_MAX)
		return w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
		    "a text of more than %zu bytes", W_VALUE_TEXT_MAX);
	if (memchr(text, '\0', len) != NULL)
		return w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
		    "a NUL byte cannot be in a text");
	char *copy = w_arena_text(in->arena, text, len);
	if (copy == NULL)
		return w_fail_nomem(in->err, STAGE);
	*out_text = copy;
	return WRIT_OK;
}

static writ_status
value_json_read_number(
    struct value_json_reader *in, yyjson_val *val, struct w_value *out_value)
{
	if (yyjson_is_real(val)) {
		*out_value = (struct w_value){
		    .kind = W_VALUE_FLOAT, .as.number = yyjson_get_real(val)};
		return WRIT_OK;
	}
	if (yyjson_is_uint(val) && yyjson_get_uint(val) > INT64_MAX)
		return w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
		    "the number %llu is too large",
		    (unsigned long long)yyjson_get_uint(val));
	*out_value = (struct w_value){
	    .kind = W_VALUE_INT, .as.integer = yyjson_get_sint(val)};
	return WRIT_OK;
}

static writ_status
value_json_read_list(
    struct value_json_reader *in, yyjson_val *val, struct w_value *out_value)
{
	size_t count = yyjson_arr_size(val);
	struct w_value *items = w_arena_alloc(in->arena, count, sizeof(*items));
	yyjson_arr_iter iter;

	if (items == NULL)
		return w_fail_nomem(in->err, STAGE);
	(void)yyjson_arr_iter_init(val, &iter);
	for (size_t i = 0; i < count; i++) {
		writ_status status = value_json_read_value(
		    in, yyjson_arr_iter_next(&iter), &items[i]);
		if (status != WRIT_OK)
			return status;
	}
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	return WRIT_OK;
}

/* The sort order of w_value_member(): by length first. */
static int
order_members(const void *left, const void *right, void *ctx)
{
	const struct w_value_member *members = ctx;
	const struct w_value_member *a = members + *(const uint32_t *)left;
	const struct w_value_member *b = members + *(const uint32_t *)right;

	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return memcmp(a->name, b->name, a->len);
}

struct w_value_member *
w_value_new_members(struct w_arena *arena, size_t count)
{
	size_t size = sizeof(struct w_value_member);

	if (count >= INDEX_MIN && count <= UINT32_MAX)
		size += sizeof(uint32_t);
	return w_arena_alloc(arena, count, size);
}

struct w_value
w_value_map(struct w_value_member *members, size_t count)
{
	bool is_indexed = count >= INDEX_MIN && count <= UINT32_MAX;
	void *behind = members + count;
	uint32_t *order = behind;

	if (is_indexed) {
		for (size_t i = 0; i < count; i++)
			order[i] = (uint32_t)i;
		qsort_r(order, count, sizeof(*order), order_members, members);
	}
	return (struct w_value){.kind = W_VALUE_MAP,
	    .is_indexed = is_indexed,
	    .as.map = {.members = members, .count = count}};
}

static writ_status
read_map(
    struct value_json_reader *in, yyjson_val *val, struct w_value *out_value)
{
	size_t count = yyjson_obj_size(val);
	struct w_value_member *members = w_value_new_members(in->arena, count);
	yyjson_obj_iter iter;

	if (members == NULL)
		return w_fail_nomem(in->err, STAGE);
	(void)yyjson_obj_iter_init(val, &iter);
	for (size_t i = 0; i < count; i++) {
		yyjson_val *key = yyjson_obj_iter_next(&iter);
		writ_status status =
		    value_json_read_text(in, key, &members[i].name);

		members[i].len = yyjson_get_len(key);
		if (status == WRIT_OK)
			status = value_json_read_value(in,
			    yyjson_obj_iter_get_val(key), &members[i].value);
		if (status != WRIT_OK)
			return status;
	}
	*out_value = w_value_map(members, count);
	return WRIT_OK;
}

static writ_status
read_inner(
    struct value_json_reader *in, yyjson_val *val, struct w_value *out_value)
{
	if (in->depth == W_VALUE_DEPTH_MAX)
		return w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
		    "nested more than %d levels deep", W_VALUE_DEPTH_MAX);
	in->depth++;
	writ_status status = yyjson_is_arr(val)
				 ? value_json_read_list(in, val, out_value)
				 : read_map(in, val, out_value);
	in->depth--;
	return status;
}

static writ_status
value_json_read_value(
    struct value_json_reader *in, yyjson_val *val, struct w_value *out_value)
{
	if (yyjson_is_ctn(val))
		return read_inner(in, val, out_value);
	if (yyjson_is_str(val)) {
		const char *text;
		writ_status status = value_json_read_text(in, val, &text);

		if (status == WRIT_OK)
			*out_value = w_value_text(text, yyjson_get_len(val));
		return status;
	}
	if (yyjson_is_num(val))
		return value_json_read_number(in, val, out_value);
	*out_value = (struct w_value){.kind = W_VALUE_NULL};
	if (yyjson_is_bool(val))
		*out_value = (struct w_value){
		    .kind = W_VALUE_BOOL, .as.boolean = yyjson_get_bool(val)};
	return WRIT_OK;
}

writ_status
w_value_from_json(struct w_arena *arena, yyjson_val *val,
    struct w_value *out_value, writ_error *err)
{
	struct value_json_reader in = {.arena = arena, .err = err};

	return value_json_read_value(&in, val, out_value);
}
