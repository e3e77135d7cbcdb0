/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The argument grammar of a command as a whole: its parameters, lookup by key,
 * and their order.
 */

#include "command/grammar/grammar.h"

#include <stdlib.h>

#include "base/match.h"
#include "command/grammar/grammar_keyword.h"
#include "command/grammar/grammar_param.h"
#include "command/grammar/grammar_secret.h"

#define STAGE "binding"

static bool
make_lookup(struct w_grammar *grammar)
{
	for (size_t i = 0; i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];

		if (!w_hash_table_put(
			&grammar->lookup, param->key, param->key_len, param))
			return false;
	}
	return true;
}

const struct w_param *
w_grammar_find(const struct w_grammar *grammar, const char *key, size_t len)
{
	return w_hash_table_get(&grammar->lookup, key, len);
}

const char *
w_grammar_nearest(const struct w_grammar *grammar, const char *key)
{
	const char **keys = calloc(grammar->count + 1, sizeof(*keys));

	/* Without memory there is no suggestion. */
	if (keys == NULL)
		return NULL;
	for (size_t i = 0; i < grammar->count; i++)
		keys[i] = grammar->params[i].key;

	const char *near = w_match_nearest(key, keys);
	free(keys);
	return near;
}

/* In command-line order. Parameters of one slot keep the order of the schema,
 * except operands, which have an index. */
static int
by_position(const void *left, const void *right)
{
	const struct w_param *a = *(const struct w_param *const *)left;
	const struct w_param *b = *(const struct w_param *const *)right;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a > b) - (a < b);
}

static int
by_index(const void *left, const void *right)
{
	const struct w_param *a = *(const struct w_param *const *)left;
	const struct w_param *b = *(const struct w_param *const *)right;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a > b) - (a < b);
}

static size_t *
places_of(const struct w_grammar *grammar, const struct w_param **sorted,
    size_t count)
{
	size_t *places = calloc(count + 1, sizeof(*places));

	for (size_t i = 0; places != NULL && i < count; i++)
		places[i] = (size_t)(sorted[i] - grammar->params);
	return places;
}

static writ_status
check_indexes(struct w_grammar_builder *builder)
{
	const struct w_grammar *grammar = builder->grammar;

	for (size_t i = 1; i < grammar->operand_count; i++) {
		const struct w_param *a =
		    &grammar->params[grammar->operands[i - 1]];
		const struct w_param *b =
		    &grammar->params[grammar->operands[i]];

		if (a->index != b->index)
			continue;
		builder->at = yyjson_obj_get(b->schema, "x-apexe-positional");
		return w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "properties '%.64s' and '%.64s' are both operand %u",
		    a->key, b->key, a->index);
	}
	return WRIT_OK;
}

bool
w_grammar_make_order(struct w_grammar *grammar)
{
	const struct w_param **sorted =
	    calloc(grammar->count + 1, sizeof(struct w_param *));

	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < grammar->count; i++) {
		if (grammar->params[i].kind == W_PARAM_OPERAND)
			sorted[grammar->operand_count++] = &grammar->params[i];
	}
	qsort(
	    sorted, grammar->operand_count, sizeof(struct w_param *), by_index);
	grammar->operands = places_of(grammar, sorted, grammar->operand_count);

	for (size_t i = 0; i < grammar->count; i++)
		sorted[i] = &grammar->params[i];
	qsort(sorted, grammar->count, sizeof(struct w_param *), by_position);
	grammar->order = places_of(grammar, sorted, grammar->count);
	free((void *)sorted);
	return grammar->operands != NULL && grammar->order != NULL;
}

static void
mark_required(struct w_grammar *grammar, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *key;

	yyjson_arr_foreach(list, i, count, key)
	{
		const struct w_param *param = NULL;

		if (yyjson_is_str(key))
			param = w_grammar_find(
			    grammar, yyjson_get_str(key), yyjson_get_len(key));
		if (param != NULL)
			grammar->params[param - grammar->params].is_required =
			    true;
	}
}

static writ_status
read_properties(struct w_grammar_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;
	yyjson_val *properties = yyjson_obj_get(builder->schema, "properties");
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	builder->at = properties;
	if (properties != NULL && !yyjson_is_obj(properties))
		return w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "properties of the input_schema is not an object");
	count = yyjson_obj_size(properties);
	if (count > W_GRAMMAR_PARAMS_MAX)
		return w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "the input_schema has %zu properties, the limit is %d",
		    count, W_GRAMMAR_PARAMS_MAX);
	grammar->params = calloc(count + 1, sizeof(*grammar->params));
	if (grammar->params == NULL)
		return w_fail_nomem(builder->err, STAGE);
	if (properties == NULL)
		return WRIT_OK;

	yyjson_obj_foreach(properties, i, count, key, val)
	{
		struct w_param *param = &grammar->params[grammar->count++];
		writ_status status =
		    w_grammar_param_read(builder, key, val, param);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
grammar_make(struct w_grammar_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;
	yyjson_val *schema = builder->schema;

	builder->at = schema;
	if (schema != NULL && !yyjson_is_obj(schema))
		return w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "the input_schema is not an object");
	grammar->has_end_of_options =
	    yyjson_is_true(yyjson_obj_get(schema, "x-apexe-end-of-options"));
	grammar->is_open =
	    schema != NULL &&
	    !yyjson_is_false(yyjson_obj_get(schema, "additionalProperties"));

	writ_status status = WRIT_OK;
	if (schema != NULL)
		status = w_grammar_check_root(builder);
	if (status == WRIT_OK)
		status = read_properties(builder);
	if (status == WRIT_OK)
		w_grammar_mark_secrets(grammar, schema);
	if (status == WRIT_OK &&
	    (!make_lookup(grammar) || !w_grammar_make_order(grammar)))
		status = w_fail_nomem(builder->err, STAGE);
	if (status == WRIT_OK)
		status = check_indexes(builder);
	if (status == WRIT_OK)
		status = w_grammar_link(builder);
	if (status != WRIT_OK)
		return status;
	mark_required(grammar, yyjson_obj_get(schema, "required"));
	return w_grammar_complete(grammar) ? WRIT_OK
					   : w_fail_nomem(builder->err, STAGE);
}

writ_status
w_grammar_new(yyjson_val *schema, struct w_grammar **out_grammar,
    yyjson_val **out_at, writ_error *err)
{
	struct w_grammar *grammar = calloc(1, sizeof(*grammar));
	struct w_grammar_builder builder = {
	    .grammar = grammar, .schema = schema, .err = err};

	if (grammar == NULL)
		return w_fail_nomem(err, STAGE);
	grammar->sequence = W_GRAMMAR_NONE;
	grammar->number = W_GRAMMAR_NONE;
	writ_status status = grammar_make(&builder);
	if (status != WRIT_OK) {
		if (out_at != NULL)
			*out_at = builder.at;
		w_grammar_free(grammar);
		return status;
	}
	*out_grammar = grammar;
	return WRIT_OK;
}

void
w_grammar_set_aside(struct w_grammar *grammar, const struct w_param *param)
{
	if (param->kind == W_PARAM_OPTION &&
	    yyjson_obj_get(param->schema, "x-apexe-flag") == NULL)
		grammar->params[param - grammar->params].is_aside = true;
}

void
w_grammar_free(struct w_grammar *grammar)
{
	if (grammar == NULL)
		return;
	for (size_t i = 0; i < grammar->count; i++) {
		free(grammar->params[i].flag);
		free(grammar->params[i].conflicts);
		free(grammar->params[i].requires);
	}
	free(grammar->params);
	free(grammar->operands);
	free(grammar->order);
	w_hash_table_done(&grammar->lookup);
	w_hash_table_done(&grammar->names);
	w_arena_done(&grammar->arena);
	free(grammar);
}
