/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From the grammar of a command to the input schema of its module, for callers
 * to write arguments and for checking them before rendering.
 */

#include "command/grammar/grammar_schema.h"

#include "command/grammar/grammar_keyword.h"
#include "command/grammar/property_facts.h"

/* The schema while it is built. A failed allocation is remembered; later calls
 * do nothing. */
struct making {
	yyjson_mut_doc *doc;
	const struct w_grammar *grammar;
	bool has_failed;
};

static void
grammar_schema_add(struct making *making, yyjson_mut_val *to, const char *name,
    yyjson_mut_val *val)
{
	if (!yyjson_mut_obj_add_val(making->doc, to, name, val))
		making->has_failed = true;
}

static void
grammar_schema_add_text(struct making *making, yyjson_mut_val *to,
    const char *name, const char *text)
{
	grammar_schema_add(making, to, name, yyjson_mut_str(making->doc, text));
}

static void
add_true(struct making *making, yyjson_mut_val *to, const char *name)
{
	grammar_schema_add(making, to, name, yyjson_mut_true(making->doc));
}

static void
grammar_schema_append(
    struct making *making, yyjson_mut_val *to, yyjson_mut_val *val)
{
	if (!yyjson_mut_arr_append(to, val))
		making->has_failed = true;
}

/* ---- types ---- */

static void
add_types(struct making *making, yyjson_mut_val *to, unsigned types)
{
	yyjson_mut_val *names = yyjson_mut_arr(making->doc);
	const char *last = NULL;

	if (types == W_TYPE_ANY || types == 0)
		return;
	/* Every integer is a number. */
	if ((types & W_TYPE_NUMBER) != 0)
		types &= ~(unsigned)W_TYPE_INTEGER;
	for (size_t i = 0; w_type_names[i].name != NULL; i++) {
		if ((types & w_type_names[i].bit) == 0)
			continue;
		last = w_type_names[i].name;
		grammar_schema_append(
		    making, names, yyjson_mut_str(making->doc, last));
	}
	if (yyjson_mut_arr_size(names) == 1)
		grammar_schema_add_text(making, to, "type", last);
	else
		grammar_schema_add(making, to, "type", names);
}

/* The only type of the words of a value; NULL: none, or several words. */
static const struct w_value_type *
single_value(const struct w_param *param)
{
	return param->values != NULL && param->arity == 1 ? param->values
							  : NULL;
}

/* What applies to one value, with its types. */
static void
grammar_schema_add_scalar(struct making *making, yyjson_mut_val *to,
    const struct w_value_type *value, unsigned types)
{
	add_types(making, to, types);
	if (value == NULL)
		return;
	if (value->kind == W_VALUE_INTEGER && value->min != INT64_MIN)
		grammar_schema_add(making, to, "minimum",
		    yyjson_mut_sint(making->doc, value->min));
	if (value->kind == W_VALUE_INTEGER && value->max != INT64_MAX)
		grammar_schema_add(making, to, "maximum",
		    yyjson_mut_sint(making->doc, value->max));
	if (value->kind != W_VALUE_CHOICE)
		return;
	yyjson_mut_val *words = yyjson_mut_arr(making->doc);
	for (size_t i = 0; value->choices[i] != NULL; i++)
		grammar_schema_append(making, words,
		    yyjson_mut_str(making->doc, value->choices[i]));
	if ((types & W_TYPE_BOOLEAN) != 0)
		grammar_schema_append(
		    making, words, yyjson_mut_true(making->doc));
	if ((types & W_TYPE_BOOLEAN) != 0)
		grammar_schema_append(
		    making, words, yyjson_mut_false(making->doc));
	grammar_schema_add(making, to, "enum", words);
}

static yyjson_mut_val *
list_schema(struct making *making, const struct w_param *param)
{
	yyjson_mut_val *list = yyjson_mut_obj(making->doc);
	yyjson_mut_val *items = yyjson_mut_obj(making->doc);

	add_types(making, list, W_TYPE_ARRAY);
	grammar_schema_add_scalar(
	    making, items, single_value(param), param->item_types);
	grammar_schema_add(making, list, "items", items);
	return list;
}

/* A list of values, or one by itself. */
static void
grammar_schema_add_value(
    struct making *making, yyjson_mut_val *to, const struct w_param *param)
{
	const unsigned alone = param->types & ~(unsigned)W_TYPE_ARRAY;

	if ((param->types & W_TYPE_ARRAY) == 0) {
		grammar_schema_add_scalar(
		    making, to, single_value(param), param->types);
		return;
	}
	if (alone == 0 || param->types == W_TYPE_ANY) {
		yyjson_mut_val *items = yyjson_mut_obj(making->doc);

		add_types(making, to, param->types);
		grammar_schema_add_scalar(
		    making, items, single_value(param), param->item_types);
		grammar_schema_add(making, to, "items", items);
		return;
	}
	yyjson_mut_val *ways = yyjson_mut_arr(making->doc);
	yyjson_mut_val *scalar = yyjson_mut_obj(making->doc);
	grammar_schema_add_scalar(making, scalar, single_value(param), alone);
	grammar_schema_append(making, ways, scalar);
	grammar_schema_append(making, ways, list_schema(making, param));
	grammar_schema_add(making, to, "anyOf", ways);
}

/* ---- keywords ---- */

static void
grammar_schema_add_keys(struct making *making, yyjson_mut_val *to,
    const char *name, const size_t *places, size_t count)
{
	yyjson_mut_val *keys = yyjson_mut_arr(making->doc);

	for (size_t i = 0; i < count; i++) {
		const struct w_param *param =
		    &making->grammar->params[places[i]];

		grammar_schema_append(making, keys,
		    yyjson_mut_strn(making->doc, param->key, param->key_len));
	}
	if (count > 0)
		grammar_schema_add(making, to, name, keys);
}

static void
grammar_schema_add_option(
    struct making *making, yyjson_mut_val *to, const struct w_param *param)
{
	static const char *const attach_words[] = {
	    [W_ATTACH_SEPARATE] = "separate",
	    [W_ATTACH_EQUALS] = "equals",
	    [W_ATTACH_JOINED] = "joined",
	};

	if (param->flag != NULL)
		grammar_schema_add_text(making, to,
		    param->flag[0] == '-' ? W_KEY_FLAG : W_KEY_TOKEN,
		    param->flag);
	if (param->is_value_optional)
		add_true(making, to, W_KEY_VALUE_OPTIONAL);
	if (param->attach != W_ATTACH_SEPARATE)
		grammar_schema_add_text(
		    making, to, W_KEY_ATTACH, attach_words[param->attach]);
	if (param->arity > 1)
		grammar_schema_add(making, to, W_KEY_ARITY,
		    yyjson_mut_uint(making->doc, param->arity));
}

static void
grammar_schema_add_place(
    struct making *making, yyjson_mut_val *to, const struct w_param *param)
{
	if (param->kind == W_PARAM_OPERAND)
		grammar_schema_add(making, to, W_KEY_POSITIONAL,
		    yyjson_mut_uint(making->doc, param->index));
	if (param->kind == W_PARAM_OPERAND && param->slot == W_SLOT_LEADING)
		grammar_schema_add_text(
		    making, to, W_KEY_OPERAND_AT, "before-flags");
	if (param->kind == W_PARAM_SEQUENCE)
		add_true(making, to, W_KEY_SEQUENCE);
	if (param->slot == W_SLOT_BEFORE_OPERANDS)
		grammar_schema_add_text(
		    making, to, W_KEY_FLAG_AT, "before-operands");
	if (param->slot == W_SLOT_BEFORE_SUBCOMMAND)
		grammar_schema_add_text(
		    making, to, W_KEY_FLAG_AT, "before-subcommand");
}

static yyjson_mut_val *
property(struct making *making, const struct w_param *param)
{
	yyjson_mut_val *to = yyjson_mut_obj(making->doc);

	grammar_schema_add_value(making, to, param);
	if (param->help != NULL && param->help[0] != '\0')
		grammar_schema_add_text(making, to, "description", param->help);
	if (param->standard != NULL)
		grammar_schema_add_text(making, to, "default", param->standard);
	if (param->kind == W_PARAM_OPTION)
		grammar_schema_add_option(making, to, param);
	grammar_schema_add_place(making, to, param);
	if (param->is_path)
		add_true(making, to, "x-apexe-path");
	if (param->is_secret)
		add_true(making, to, "x-sensitive");
	if (param->is_long_running)
		add_true(making, to, W_KEY_LONG_RUNNING);
	if (param->may_begin_with_dash && param->kind != W_PARAM_SEQUENCE)
		grammar_schema_add_text(making, to, W_KEY_DASH, "allow");
	grammar_schema_add_keys(making, to, "x-apexe-conflicts-with",
	    param->conflicts, param->conflict_count);
	grammar_schema_add_keys(making, to, "x-writ-requires", param->requires,
	    param->require_count);
	return to;
}

yyjson_mut_val *
w_grammar_schema(yyjson_mut_doc *doc, const struct w_grammar *grammar)
{
	struct making making = {.doc = doc, .grammar = grammar};
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	yyjson_mut_val *properties = yyjson_mut_obj(doc);
	yyjson_mut_val *required = yyjson_mut_arr(doc);

	grammar_schema_add_text(&making, root, "type", "object");
	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];
		yyjson_mut_val *key =
		    yyjson_mut_strn(doc, param->key, param->key_len);

		if (!yyjson_mut_obj_add(
			properties, key, property(&making, param)))
			making.has_failed = true;
		if (param->is_required)
			grammar_schema_append(&making, required,
			    yyjson_mut_strn(doc, param->key, param->key_len));
	}
	grammar_schema_add(&making, root, "properties", properties);
	if (yyjson_mut_arr_size(required) > 0)
		grammar_schema_add(&making, root, "required", required);
	grammar_schema_add(
	    &making, root, "additionalProperties", yyjson_mut_false(doc));
	if (grammar->has_end_of_options)
		add_true(&making, root, "x-apexe-end-of-options");
	return making.has_failed ? NULL : root;
}
