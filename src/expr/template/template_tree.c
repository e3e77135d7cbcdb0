/* SPDX-License-Identifier: Apache-2.0 */

/* Renders all strings of a tree. The depth is that of a value. */

#include <string.h>

#include "expr/template/template_fill.h"

struct filling {
	struct w_arena *arena;
	const struct w_expr_scope *scope;
	yyjson_val *failed; /* the string that failed */
	size_t depth;
	writ_error *err;
};

static writ_status fill_value(
    struct filling *in, yyjson_val *val, struct w_value *out_value);

/* The document may be freed before the value, so texts are copied. */
static writ_status
template_tree_fill_text(
    struct filling *in, yyjson_val *val, struct w_value *out_value)
{
	struct w_template template;
	size_t len = yyjson_get_len(val);
	writ_status status = w_template_parse(
	    in->arena, yyjson_get_str(val), len, &template, in->err);

	if (status == WRIT_OK && template.count == 0)
		return w_value_from_json(in->arena, val, out_value, in->err);
	if (status == WRIT_OK)
		status = w_template_value(
		    &template, in->scope, in->arena, out_value, in->err);
	if (status != WRIT_OK && in->failed == NULL)
		in->failed = val;
	return status;
}

static writ_status
fill_list(struct filling *in, yyjson_val *val, struct w_value *out_value)
{
	size_t count = yyjson_arr_size(val);
	struct w_value *items = w_arena_alloc(in->arena, count, sizeof(*items));
	yyjson_arr_iter iter;
	writ_status status = WRIT_OK;

	if (items == NULL)
		return w_fail_nomem(in->err, W_TEMPLATE_STAGE);
	(void)yyjson_arr_iter_init(val, &iter);
	for (size_t i = 0; status == WRIT_OK && i < count; i++)
		status = fill_value(in, yyjson_arr_iter_next(&iter), &items[i]);
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_LIST,
		    .as.list = {.items = items, .count = count}};
	return status;
}

static writ_status
fill_map(struct filling *in, yyjson_val *val, struct w_value *out_value)
{
	size_t count = yyjson_obj_size(val);
	struct w_value_member *members = w_value_new_members(in->arena, count);
	yyjson_obj_iter iter;
	writ_status status = WRIT_OK;

	if (members == NULL)
		return w_fail_nomem(in->err, W_TEMPLATE_STAGE);
	(void)yyjson_obj_iter_init(val, &iter);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		yyjson_val *key = yyjson_obj_iter_next(&iter);
		struct w_value name;

		status = w_value_from_json(in->arena, key, &name, in->err);
		if (status != WRIT_OK)
			break;
		members[i].name = name.as.string.text;
		members[i].len = name.as.string.len;
		status = fill_value(
		    in, yyjson_obj_iter_get_val(key), &members[i].value);
	}
	if (status == WRIT_OK)
		*out_value = w_value_map(members, count);
	return status;
}

static writ_status
fill_value(struct filling *in, yyjson_val *val, struct w_value *out_value)
{
	if (yyjson_is_str(val))
		return template_tree_fill_text(in, val, out_value);
	if (!yyjson_is_ctn(val))
		return w_value_from_json(in->arena, val, out_value, in->err);
	if (in->depth == W_VALUE_DEPTH_MAX)
		return w_fail(in->err, WRIT_E_INVALID, W_TEMPLATE_STAGE, 0,
		    "nested more than %d levels deep", W_VALUE_DEPTH_MAX);
	in->depth++;
	writ_status status = yyjson_is_arr(val) ? fill_list(in, val, out_value)
						: fill_map(in, val, out_value);
	in->depth--;
	return status;
}

writ_status
w_template_tree_at(struct w_arena *arena, yyjson_val *val,
    const struct w_expr_scope *scope, struct w_value *out_value,
    yyjson_val **out_val, writ_error *err)
{
	struct filling in = {.arena = arena, .scope = scope, .err = err};
	struct w_value value;
	writ_status status = fill_value(&in, val, &value);

	if (status == WRIT_OK)
		*out_value = value;
	else
		*out_val = in.failed;
	return status;
}

writ_status
w_template_tree(struct w_arena *arena, yyjson_val *val,
    const struct w_expr_scope *scope, struct w_value *out_value,
    writ_error *err)
{
	yyjson_val *failed;

	return w_template_tree_at(arena, val, scope, out_value, &failed, err);
}
