/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a schema says about how options are written and which values they have,
 * for parsing an argv.
 *
 * A schema describes JSON values, so little of it applies here: integers with
 * their range, numbers, a list of texts, paths. Everything else is text. A
 * schema that accepts true as well as a value, without saying that the value is
 * optional, does not tell whether the next word belongs to the option: such an
 * option matches only with '='.
 */

#include <string.h>

#include "command/description/spelling_type.h"
#include "command/grammar/grammar_keyword.h"

/* A value that can only be one of these. */
#define SWITCH ((unsigned)W_TYPE_NULL | (unsigned)W_TYPE_BOOLEAN)

/* A grammar while it is completed. */
struct completing {
	struct w_grammar *grammar;
	struct w_hash_table tokens; /* to their names, to find duplicates */
};

/* Types of one word, without true and null. */
static unsigned
types_of_one(const struct w_param *param)
{
	unsigned types = param->types;

	if ((types & W_TYPE_ARRAY) != 0)
		types |= param->item_types;
	return types & ~(SWITCH | (unsigned)W_TYPE_ARRAY);
}

static bool
is_switch(const struct w_param *param)
{
	return param->kind == W_PARAM_OPTION && param->arity == 1 &&
	       types_of_one(param) == 0;
}

static unsigned
spellings_of(const struct w_param *param, const char *token, size_t len)
{
	bool is_long = len > 2 && token[1] == '-';
	unsigned all = param->types | param->item_types;
	unsigned bare = 0;

	if (is_switch(param))
		return W_SPELL_BARE;
	if ((all & W_TYPE_BOOLEAN) != 0 && param->arity == 1)
		bare = W_SPELL_BARE;
	if (param->attach == W_ATTACH_EQUALS)
		return bare | W_SPELL_EQUALS;
	if (param->attach == W_ATTACH_JOINED)
		return bare | W_SPELL_JOINED;
	if (param->arity > 1)
		return W_SPELL_SEPARATE;
	if (is_long)
		return bare | W_SPELL_SEPARATE | W_SPELL_EQUALS;
	return bare | W_SPELL_SEPARATE | (len == 2 ? W_SPELL_JOINED : 0U);
}

/* If two options share a name, it is ambiguous: neither matches by it. */
static bool
set_name(struct completing *in, const struct w_param *param,
    struct w_flag_name *name, const char *token)
{
	name->token = token;
	name->len = strlen(token);
	name->spellings = spellings_of(param, token, name->len);

	struct w_flag_name *twin =
	    w_hash_table_get(&in->tokens, token, name->len);
	if (twin == NULL)
		return w_hash_table_put(&in->tokens, token, name->len, name);
	twin->spellings = 0;
	name->spellings = 0;
	return true;
}

static bool
make_names(struct completing *in, struct w_param *param)
{
	yyjson_val *others = yyjson_obj_get(param->schema, W_KEY_NAMES);
	struct w_flag_name *names = w_arena_alloc(
	    &in->grammar->arena, yyjson_arr_size(others) + 1, sizeof(*names));
	size_t i;
	size_t count;
	yyjson_val *other;

	if (names == NULL || !set_name(in, param, &names[0], param->flag))
		return false;
	yyjson_arr_foreach(others, i, count, other)
	{
		if (!set_name(in, param, &names[i + 1], yyjson_get_str(other)))
			return false;
	}
	param->names = names;
	param->name_count = yyjson_arr_size(others) + 1;
	return true;
}

/* Only if all choices are texts. */
static bool
read_choices(
    struct w_grammar *grammar, yyjson_val *schema, struct w_value_type *type)
{
	yyjson_val *list = yyjson_obj_get(schema, "enum");
	const char **choices = w_arena_alloc(
	    &grammar->arena, yyjson_arr_size(list) + 1, sizeof(*choices));
	size_t i;
	size_t count;
	yyjson_val *choice;

	if (choices == NULL)
		return false;
	yyjson_arr_foreach(list, i, count, choice)
	{
		choices[i] = yyjson_get_str(choice);
		if (choices[i] == NULL ||
		    strlen(choices[i]) != yyjson_get_len(choice))
			return true;
	}
	if (yyjson_arr_size(list) == 0)
		return true;
	type->kind = W_VALUE_CHOICE;
	type->choices = choices;
	return true;
}

static int64_t
bound_of(yyjson_val *schema, const char *keyword, int64_t otherwise)
{
	yyjson_val *bound = yyjson_obj_get(schema, keyword);

	if (yyjson_is_uint(bound) && yyjson_get_uint(bound) <= INT64_MAX)
		return (int64_t)yyjson_get_uint(bound);
	return yyjson_is_sint(bound) ? yyjson_get_sint(bound) : otherwise;
}

static bool
grammar_values_read_type(struct w_grammar *grammar, const struct w_param *param,
    struct w_value_type *type)
{
	yyjson_val *items = yyjson_obj_get(param->schema, "items");
	yyjson_val *schema = yyjson_is_obj(items) ? items : param->schema;
	unsigned types = types_of_one(param);

	if (types == W_TYPE_INTEGER) {
		type->kind = W_VALUE_INTEGER;
		type->min = bound_of(schema, "minimum", INT64_MIN);
		type->max = bound_of(schema, "maximum", INT64_MAX);
		return true;
	}
	if (types == W_TYPE_NUMBER) {
		type->kind = W_VALUE_NUMBER;
		return true;
	}
	type->kind = param->is_path ? W_VALUE_PATH : W_VALUE_TEXT;
	return types != W_TYPE_STRING || read_choices(grammar, schema, type);
}

static bool
make_values(struct w_grammar *grammar, struct w_param *param)
{
	struct w_value_type *values;

	if (param->values != NULL)
		return true;
	values = w_arena_alloc(&grammar->arena, param->arity, sizeof(*values));
	if (values == NULL)
		return false;
	/* The schemas of the words of a tuple are ignored. */
	if (param->arity == 1 &&
	    !grammar_values_read_type(grammar, param, &values[0]))
		return false;
	param->values = values;
	return true;
}

/* Whether the property's own JSON types fit that type. */
static bool
goes_with(const struct w_param *param, enum w_value_type_kind kind)
{
	unsigned want = w_spelling_json_types(kind);
	unsigned have = types_of_one(param);

	if (kind == W_VALUE_COMMAND)
		return false;
	if ((have & W_TYPE_NUMBER) != 0)
		have |= W_TYPE_INTEGER;
	return have != 0 && (have & want) != 0;
}

writ_status
w_grammar_read_type(const struct w_grammar_reader *in)
{
	struct w_param *param = in->param;
	yyjson_val *val = yyjson_obj_get(param->schema, W_KEY_TYPE);
	struct w_spelling spelling = {.text = yyjson_get_str(val),
	    .len = yyjson_get_len(val),
	    .arena = &in->builder->grammar->arena,
	    .err = in->builder->err};

	if (val == NULL)
		return WRIT_OK;
	struct w_value_type *values =
	    w_arena_alloc(spelling.arena, param->arity, sizeof(*values));
	if (values == NULL)
		return w_fail_nomem(in->builder->err, "binding");
	in->builder->at = val;
	writ_status status =
	    w_spelling_type(&spelling, 0, spelling.len, &values[0]);
	if (status != WRIT_OK)
		return status;
	if (values[0].kind == W_VALUE_SECRET ||
	    values[0].kind == W_VALUE_HEADER) {
		(void)w_grammar_refuse(
		    in, val, "%s is not how a secret is marked", W_KEY_TYPE);
		w_suggest(in->builder->err, "x-sensitive: true");
		return WRIT_E_INVALID;
	}
	if (!goes_with(param, values[0].kind))
		return w_grammar_refuse(in, val,
		    W_KEY_TYPE " does not go with the type of its values");
	for (size_t i = 1; i < param->arity; i++)
		values[i] = values[0];
	param->values = values;
	param->is_path |= values[0].kind == W_VALUE_PATH;
	return WRIT_OK;
}

static bool
complete_param(struct completing *in, struct w_param *param)
{
	if (param->kind == W_PARAM_SEQUENCE)
		return true;
	if (param->kind == W_PARAM_OPTION && !make_names(in, param))
		return false;
	param->is_repeatable = (param->types & W_TYPE_ARRAY) != 0;
	if (param->arity > 1)
		param->is_repeatable = (param->item_types & W_TYPE_ARRAY) != 0;
	if (param->kind == W_PARAM_OPERAND)
		param->min_count = param->is_required ? 1 : 0;
	return is_switch(param) || make_values(in->grammar, param);
}

/* The list of steps, if there is exactly one, takes everything it can contain,
 * so the order of the words is kept. */
static void
find_sequence(struct w_grammar *grammar)
{
	size_t count = 0;

	for (size_t i = 0; i < grammar->count; i++) {
		if (grammar->params[i].kind != W_PARAM_SEQUENCE)
			continue;
		grammar->sequence = i;
		count++;
	}
	if (count != 1 ||
	    grammar->params[grammar->sequence].slot != W_SLOT_FLAGS)
		grammar->sequence = W_GRAMMAR_NONE;
}

/* Only what the schema of a step allows. */
static void
narrow_steps(struct w_grammar *grammar)
{
	if (grammar->sequence == W_GRAMMAR_NONE)
		return;
	yyjson_val *items =
	    yyjson_obj_get(grammar->params[grammar->sequence].schema, "items");
	yyjson_val *members = yyjson_obj_get(items, "properties");
	for (size_t i = 0; members != NULL && i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];

		if (yyjson_obj_getn(members, param->key, param->key_len) ==
		    NULL)
			param->is_step = false;
	}
}

bool
w_grammar_complete(struct w_grammar *grammar)
{
	struct completing in = {.grammar = grammar};
	bool is_done = true;

	for (size_t i = 0; is_done && i < grammar->count; i++)
		is_done = complete_param(&in, &grammar->params[i]);
	w_hash_table_done(&in.tokens);
	grammar->honours_dashes = grammar->has_end_of_options;
	find_sequence(grammar);
	if (!is_done || !w_grammar_index_names(grammar))
		return false;
	narrow_steps(grammar);
	return true;
}
