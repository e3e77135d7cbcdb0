/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The grammar of a node: its own options and operands, and the options of the
 * levels above it.
 *
 * Keys are unique in a grammar, since they are members of one JSON object.
 * Names of options need not be: "-p" before the sub-command is another option
 * than after it.
 */

#include "command/description/command_builder.h"

#include <stdlib.h>

#include "base/match.h"
#include "command/description/spelling.h"
#include "command/grammar/grammar_param.h"

/* Begins the next parameter, from its spelling. */
static writ_status
begin_param(struct w_command_builder *builder, yyjson_val *key,
    struct w_spelling *spelling,
    writ_status (*read)(struct w_spelling *, struct w_param *))
{
	struct w_grammar *grammar = builder->grammar;
	struct w_param *param = &grammar->params[grammar->count];

	spelling->text = yyjson_get_str(key);
	spelling->len = yyjson_get_len(key);
	spelling->arena = &grammar->arena;
	spelling->err = builder->err;
	builder->params[grammar->count++].key = key;
	writ_status status = read(spelling, param);
	if (status != WRIT_OK)
		builder->fault =
		    (struct w_command_fault){.at = key, .offset = spelling->at};
	return status;
}

static writ_status
command_grammar_add_option(struct w_command_builder *builder,
    const struct w_command_node *level, yyjson_val *key, yyjson_val *val)
{
	struct w_param *param =
	    &builder->grammar->params[builder->grammar->count];
	const struct w_node_facts *facts = w_command_node_facts(level);
	struct w_spelling spelling = {
	    .style = facts->style, .has_short_equals = facts->has_short_equals};
	writ_status status =
	    begin_param(builder, key, &spelling, w_spelling_option);

	if (status != WRIT_OK)
		return status;
	if (level != builder->node) {
		param->is_global = true;
		param->level = level->depth;
		if (!facts->are_globals_anywhere)
			param->slot = W_SLOT_BEFORE_SUBCOMMAND;
	}
	return w_command_read_param(builder, key, val, param);
}

static writ_status
command_grammar_add_options(struct w_command_builder *builder,
    const struct w_command_node *level, yyjson_val *map)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (map == NULL)
		return WRIT_OK;
	yyjson_obj_foreach(map, i, count, key, val)
	{
		writ_status status =
		    command_grammar_add_option(builder, level, key, val);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* The options of a group that a node uses; NULL: failed. */
static yyjson_val *
find_group(struct w_command_builder *builder, yyjson_val *name)
{
	yyjson_val *groups =
	    builder->node->command->facts[0].vals[W_NODE_GROUPS];
	yyjson_val *group =
	    yyjson_obj_getn(groups, yyjson_get_str(name), yyjson_get_len(name));

	if (group == NULL) {
		(void)w_command_refuse(builder, name,
		    "there is no group '%.64s'", yyjson_get_str(name));
		w_command_suggest_key(builder, groups, yyjson_get_str(name));
	} else if (!yyjson_is_obj(group)) {
		(void)w_command_refuse_type(builder, group, "a group", "a map");
		group = NULL;
	}
	return group;
}

static writ_status
add_level(struct w_command_builder *builder, const struct w_command_node *level)
{
	const struct w_node_facts *facts = w_command_node_facts(level);
	struct w_command_texts names = w_command_texts(facts->vals[W_NODE_USE]);
	writ_status status = command_grammar_add_options(
	    builder, level, facts->vals[W_NODE_OPTIONS]);
	yyjson_val *name;

	while (status == WRIT_OK &&
	       (name = w_command_texts_next(&names)) != NULL) {
		yyjson_val *group = find_group(builder, name);

		status = group != NULL ? command_grammar_add_options(
					     builder, level, group)
				       : WRIT_E_INVALID;
	}
	return status;
}

static writ_status
add_operand(struct w_command_builder *builder, yyjson_val *key, yyjson_val *val)
{
	struct w_grammar *grammar = builder->grammar;
	struct w_param *param = &grammar->params[grammar->count];
	struct w_spelling spelling = {.style = grammar->style};
	writ_status status =
	    begin_param(builder, key, &spelling, w_spelling_operand);

	if (status != WRIT_OK)
		return status;
	param->index = (unsigned)grammar->operand_count++;
	if (grammar->style == W_STYLE_LEADING)
		param->slot = W_SLOT_LEADING;
	param->may_begin_with_dash = grammar->style == W_STYLE_LITERAL;
	return w_command_read_param(builder, key, val, param);
}

static writ_status
add_operands(struct w_command_builder *builder)
{
	yyjson_val *map =
	    w_command_node_facts(builder->node)->vals[W_NODE_OPERANDS];
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (map == NULL)
		return WRIT_OK;
	yyjson_obj_foreach(map, i, count, key, val)
	{
		writ_status status = add_operand(builder, key, val);

		if (status != WRIT_OK)
			return status;
	}
	/* Counted again in w_grammar_make_order(). */
	builder->grammar->operand_count = 0;
	return WRIT_OK;
}

static void
add_sequence(struct w_command_builder *builder)
{
	yyjson_val *key =
	    w_command_node_facts(builder->node)->vals[W_NODE_ORDERED];
	struct w_grammar *grammar = builder->grammar;

	if (key == NULL)
		return;
	grammar->sequence = grammar->count;
	builder->params[grammar->count].key = key;
	grammar->params[grammar->count++] =
	    (struct w_param){.key = yyjson_get_str(key),
		.key_len = yyjson_get_len(key),
		.kind = W_PARAM_SEQUENCE,
		.slot = W_SLOT_FLAGS,
		.types = W_TYPE_ARRAY,
		.item_types = W_TYPE_OBJECT,
		.arity = 1};
}

/* The maximum number of parameters. */
static size_t
count_params(const struct w_command_node *node)
{
	yyjson_val *groups = node->command->facts[0].vals[W_NODE_GROUPS];
	const struct w_node_facts *facts = w_command_node_facts(node);
	size_t count = yyjson_obj_size(facts->vals[W_NODE_OPERANDS]) + 1;

	for (; node != NULL; node = node->parent) {
		facts = w_command_node_facts(node);
		struct w_command_texts names =
		    w_command_texts(facts->vals[W_NODE_USE]);
		yyjson_val *name;

		count += yyjson_obj_size(facts->vals[W_NODE_OPTIONS]);
		while ((name = w_command_texts_next(&names)) != NULL)
			count += yyjson_obj_size(yyjson_obj_getn(groups,
			    yyjson_get_str(name), yyjson_get_len(name)));
	}
	return count;
}

static writ_status
read_params(struct w_command_builder *builder)
{
	const struct w_command_node *path[16];
	size_t depth = 0;
	writ_status status = WRIT_OK;

	for (const struct w_command_node *node = builder->node; node != NULL;
	     node = node->parent)
		path[depth++] = node;
	while (depth > 0 && status == WRIT_OK)
		status = add_level(builder, path[--depth]);
	if (status == WRIT_OK)
		status = add_operands(builder);
	if (status == WRIT_OK)
		add_sequence(builder);
	return status;
}

static writ_status
find_keys(struct w_command_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;

	for (size_t i = 0; i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];

		if (w_grammar_find(grammar, param->key, param->key_len) !=
		    NULL) {
			(void)w_command_refuse(builder, builder->params[i].key,
			    "%.64s: two parameters have the key '%.64s'",
			    builder->node->id, param->key);
			w_suggest(builder->err,
			    "give one of them another one with 'key:'");
			return WRIT_E_INVALID;
		}
		if (!w_hash_table_put(
			&grammar->lookup, param->key, param->key_len, param))
			return w_command_nomem(builder);
	}
	return WRIT_OK;
}

/* Whether two of the node's own options share a name. */
static writ_status
command_grammar_check_names(struct w_command_builder *builder, size_t place)
{
	const struct w_grammar *grammar = builder->grammar;
	const struct w_param *param = &grammar->params[place];

	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];

		if (w_hash_table_get(&grammar->names, name->token, name->len) ==
		    param)
			continue;
		return w_command_refuse(builder, builder->params[place].key,
		    "%.64s: two options have the name '%.64s'",
		    builder->node->id, name->token);
	}
	return WRIT_OK;
}

static writ_status
find_names(struct w_command_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;
	writ_status status = WRIT_OK;

	if (!w_grammar_index_names(grammar))
		return w_command_nomem(builder);
	for (size_t i = 0; i < grammar->count && status == WRIT_OK; i++) {
		if (!grammar->params[i].is_global)
			status = command_grammar_check_names(builder, i);
	}
	return status;
}

static void
note_secrets(struct w_grammar *grammar)
{
	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		grammar->has_secrets |= param->is_secret;
		for (size_t k = 0; param->values != NULL && k < param->arity;
		     k++)
			grammar->has_secrets |=
			    param->values[k].kind == W_VALUE_HEADER;
	}
}

static writ_status
find_number(struct w_command_builder *builder)
{
	yyjson_val *key =
	    w_command_node_facts(builder->node)->vals[W_NODE_NUMBER];
	const size_t *places = NULL;
	size_t count = 0;

	if (key == NULL)
		return WRIT_OK;
	writ_status status =
	    w_command_places(builder, key, NULL, &places, &count);
	if (status != WRIT_OK)
		return status;
	const struct w_param *param = &builder->grammar->params[places[0]];
	if (param->kind != W_PARAM_OPTION || param->values == NULL ||
	    param->arity != 1 || param->values[0].kind == W_VALUE_COMMAND)
		return w_command_refuse(builder, key,
		    "'%.64s' is not an option with one value", param->key);
	builder->grammar->number = places[0];
	return WRIT_OK;
}

static writ_status
check_effects(struct w_command_builder *builder)
{
	const struct w_node_facts *facts = w_command_node_facts(builder->node);

	builder->grammar->are_effects_known =
	    facts->vals[W_NODE_EFFECTS] != NULL;
	if (!builder->node->is_runnable || builder->grammar->are_effects_known)
		return WRIT_OK;
	yyjson_val *at = facts->vals[W_NODE_ABOUT];
	if (at == NULL)
		at = builder->node->command->facts[0].vals[W_NODE_COMMAND];
	(void)w_command_refuse(builder, at,
	    "%.64s says nothing about its effects", builder->node->id);
	w_suggest(builder->err,
	    "effects: [] if it does nothing more than its values and "
	    "options say");
	return WRIT_E_INVALID;
}

static writ_status
fill_grammar(struct w_command_builder *builder)
{
	writ_status status = read_params(builder);

	if (status == WRIT_OK)
		status = find_keys(builder);
	if (status == WRIT_OK)
		status = find_names(builder);
	if (status == WRIT_OK && !w_grammar_make_order(builder->grammar))
		status = w_command_nomem(builder);
	if (status == WRIT_OK)
		status = w_command_link(builder);
	if (status == WRIT_OK)
		status = w_command_check_operands(builder);
	if (status == WRIT_OK)
		status = find_number(builder);
	if (status == WRIT_OK)
		status = check_effects(builder);
	if (status == WRIT_OK)
		status = w_command_add_rules(builder);
	if (status == WRIT_OK)
		note_secrets(builder->grammar);
	return status;
}

writ_status
w_command_make_grammar(struct w_command_builder *builder)
{
	const struct w_node_facts *facts = w_command_node_facts(builder->node);
	size_t count = count_params(builder->node);
	struct w_grammar *grammar = calloc(1, sizeof(*grammar));

	if (grammar == NULL)
		return w_command_nomem(builder);
	if (count > W_GRAMMAR_PARAMS_MAX) {
		free(grammar);
		return w_command_refuse(builder, facts->vals[W_NODE_OPTIONS],
		    "%.64s has more than %d parameters", builder->node->id,
		    W_GRAMMAR_PARAMS_MAX - 1);
	}
	grammar->params = calloc(count, sizeof(*grammar->params));
	builder->params = calloc(count, sizeof(*builder->params));
	grammar->style = facts->style;
	grammar->honours_dashes = facts->honours_dashes;
	grammar->has_end_of_options = facts->honours_dashes;
	grammar->are_globals_anywhere = facts->are_globals_anywhere;
	grammar->sequence = W_GRAMMAR_NONE;
	grammar->number = W_GRAMMAR_NONE;
	builder->grammar = grammar;
	writ_status status = grammar->params != NULL && builder->params != NULL
				 ? fill_grammar(builder)
				 : w_command_nomem(builder);
	free(builder->params);
	builder->params = NULL;
	if (status != WRIT_OK) {
		w_grammar_free(grammar);
		builder->grammar = NULL;
	}
	return status;
}
