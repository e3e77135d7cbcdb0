/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads data: its texts are filled in with facts and the environment, once,
 * before everything else. Over it goes what the hierarchy chooses, then the
 * sources of --hiera, then what another manifest gives (apply).
 */

#include <string.h>

#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

static const struct w_value *
no_data(void *ctx, enum w_expr_root root, writ_error *err)
{
	const struct w_manifest_input *input = ctx;

	if (root != W_ROOT_DATA)
		return input->scope->root(input->scope->ctx, root, err);
	(void)w_fail(err, WRIT_E_INVALID, "manifest", 0,
	    "data cannot be made from other data");
	return NULL;
}

static bool copy_value(struct w_parser *parser,
    const struct w_manifest_location *at, const struct w_value *from,
    struct w_value *out_value);

static bool
manifest_data_copy_list(struct w_parser *parser,
    const struct w_manifest_location *at, const struct w_value *from,
    struct w_value *out_value)
{
	const size_t count = from->as.list.count;
	struct w_value *items = w_parse_alloc(parser, count, sizeof(*items));

	if (items == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!copy_value(parser, at, &from->as.list.items[i], &items[i]))
			return false;
	}
	out_value->as.list.items = items;
	return true;
}

static bool
copy_map(struct w_parser *parser, const struct w_manifest_location *at,
    const struct w_value *from, struct w_value *out_value)
{
	const size_t count = from->as.map.count;
	struct w_value_member *members =
	    w_value_new_members(&parser->manifest->arena, count);

	if (members == NULL) {
		parser->is_out_of_memory = true;
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const struct w_value_member *member = &from->as.map.members[i];

		members[i].len = member->len;
		members[i].name =
		    w_parse_copy(parser, member->name, member->len);
		if (members[i].name == NULL ||
		    !copy_value(parser, at, &member->value, &members[i].value))
			return false;
	}
	*out_value = w_value_map(members, count);
	out_value->is_secret = from->is_secret;
	return true;
}

/* Copies the result of an expression out of the scratch arena. Recursion is
 * bounded by the depth limit of values. */
static bool
copy_value(struct w_parser *parser, const struct w_manifest_location *at,
    const struct w_value *from, struct w_value *out_value)
{
	const bool is_text = from->kind == W_VALUE_STRING;

	*out_value = *from;
	if (!w_parse_spend(parser, at,
		sizeof(*from) + (is_text ? from->as.string.len : 0)))
		return false;
	if (from->kind == W_VALUE_LIST)
		return manifest_data_copy_list(parser, at, from, out_value);
	if (from->kind == W_VALUE_MAP)
		return copy_map(parser, at, from, out_value);
	if (is_text)
		out_value->as.string.text = w_parse_copy(
		    parser, from->as.string.text, from->as.string.len);
	return !is_text || out_value->as.string.text != NULL;
}

static bool
manifest_data_evaluate(struct w_parser *parser,
    const struct w_expr_scope *scope, const struct w_property *property,
    struct w_value *out_value)
{
	struct w_arena scratch = {.chunks = NULL};
	struct w_value value;
	writ_error err = {.status = WRIT_OK};
	bool is_filled;

	if (w_template_value(
		&property->template, scope, &scratch, &value, &err) == WRIT_OK)
		is_filled =
		    copy_value(parser, &property->at, &value, out_value);
	else
		is_filled = w_parse_refuse_within(parser, &property->at,
		    property->template.text, "data", &err);
	w_arena_done(&scratch);
	return is_filled;
}

static bool
manifest_data_fill_text(struct w_parser *parser,
    const struct w_expr_scope *scope, yyjson_val *val,
    struct w_value *out_value)
{
	struct w_property property;

	if (!w_parse_template(parser, val, "data", &property))
		return false;
	if (!w_template_is_plain(&property.template))
		return parser->filled <= W_MANIFEST_FILLED_MAX &&
		       manifest_data_evaluate(
			   parser, scope, &property, out_value);
	if (w_template_text(&property.template, scope, &parser->manifest->arena,
		out_value, NULL) == WRIT_OK)
		return true;
	parser->is_out_of_memory = true;
	return false;
}

static bool
fill_list(struct w_parser *parser, const struct w_expr_scope *scope,
    yyjson_val *val, struct w_value *out_value)
{
	const size_t size = yyjson_arr_size(val);
	struct w_value *items = w_parse_alloc(parser, size, sizeof(*items));
	bool is_whole = true;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (items == NULL)
		return false;
	yyjson_arr_foreach(val, i, count, item)
	{
		is_whole &= w_parse_value(parser, scope, item, &items[i]);
	}
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = size}};
	return is_whole;
}

static bool
fill_map(struct w_parser *parser, const struct w_expr_scope *scope,
    yyjson_val *val, struct w_value *out_value)
{
	struct w_value_member *members =
	    w_value_new_members(&parser->manifest->arena, yyjson_obj_size(val));
	bool is_whole = true;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (members == NULL) {
		parser->is_out_of_memory = true;
		return false;
	}
	yyjson_obj_foreach(val, i, count, key, item)
	{
		members[i].name = w_parse_word(key);
		members[i].len = yyjson_get_len(key);
		if (!w_json_is_text(key))
			is_whole = w_parse_refuse(parser, key,
			    "a key of data has a NUL character in it");
		is_whole &=
		    w_parse_value(parser, scope, item, &members[i].value);
	}
	*out_value = w_value_map(members, yyjson_obj_size(val));
	return is_whole;
}

/* Recursion is bounded by the depth limit of the document. */
bool
w_parse_value(struct w_parser *parser, const struct w_expr_scope *scope,
    yyjson_val *val, struct w_value *out_value)
{
	const struct w_manifest_location location =
	    w_parse_location(parser, val);
	writ_error err = {.status = WRIT_OK};

	if (yyjson_is_str(val))
		return manifest_data_fill_text(parser, scope, val, out_value);
	if (yyjson_is_arr(val))
		return fill_list(parser, scope, val, out_value);
	if (yyjson_is_obj(val))
		return fill_map(parser, scope, val, out_value);
	return w_value_from_json(
		   &parser->manifest->arena, val, out_value, &err) == WRIT_OK ||
	       w_parse_refuse_error(parser, &location, "data", &err);
}

bool
w_parse_copy_value(struct w_parser *parser,
    const struct w_manifest_location *at, const struct w_value *from,
    struct w_value *out_value)
{
	return copy_value(parser, at, from, out_value);
}

void
w_parse_data(struct w_parser *parser, yyjson_val *root)
{
	yyjson_val *val = yyjson_obj_get(root, "data");
	/* ctx is not const, but the input is not modified. */
	union {
		const struct w_manifest_input *input;
		void *ctx;
	} own = {.input = parser->input};
	const struct w_expr_scope scope = {
	    .root = no_data, .missing_is_empty = true, .ctx = own.ctx};
	bool is_whole = true;

	parser->manifest->data = w_value_map(NULL, 0);
	if (val != NULL && !yyjson_is_null(val) && !yyjson_is_obj(val))
		is_whole = w_parse_refuse(parser, val,
		    "data must be a map, not %s", w_json_type_words(val));
	else if (val != NULL && !yyjson_is_null(val))
		is_whole =
		    fill_map(parser, &scope, val, &parser->manifest->data);
	is_whole &= w_parse_hierarchy(parser, root, &scope);
	is_whole &= w_parse_hiera(parser, &scope);
	if (is_whole && !w_parse_given_data(parser))
		is_whole = false;
	if (is_whole)
		is_whole = w_parse_annotations(parser, val);
	if (!is_whole)
		parser->early = NULL;
}
