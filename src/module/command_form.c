/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The form of a node: its own options and operands, and the options of the
 * levels above it.
 *
 * Keys are unique in a form, for they are members of one JSON object. Names of
 * options need not be: "-p" before the sub-command is another option than
 * behind it.
 */

#include "module/command_maker.h"

#include <stdlib.h>

#include "base/match.h"
#include "module/form_param.h"
#include "module/spelling.h"

/* Begins the next parameter with what its key says. */
static writ_status
begin_param(struct w_command_maker *maker, yyjson_val *key,
    struct w_spelling *spelling,
    writ_status (*read)(struct w_spelling *, struct w_param *))
{
	struct w_form *form = maker->form;
	struct w_param *param = &form->params[form->count];

	spelling->text = yyjson_get_str(key);
	spelling->len = yyjson_get_len(key);
	spelling->arena = &form->arena;
	spelling->err = maker->err;
	maker->params[form->count++].key = key;
	writ_status status = read(spelling, param);
	if (status != WRIT_OK)
		maker->fault =
		    (struct w_command_fault){.at = key, .offset = spelling->at};
	return status;
}

static writ_status
add_option(struct w_command_maker *maker, const struct w_command_node *level,
    yyjson_val *key, yyjson_val *val)
{
	struct w_param *param = &maker->form->params[maker->form->count];
	const struct w_node_facts *facts = w_command_facts(level);
	struct w_spelling spelling = {
	    .style = facts->style, .has_short_equals = facts->has_short_equals};
	writ_status status =
	    begin_param(maker, key, &spelling, w_spelling_option);

	if (status != WRIT_OK)
		return status;
	if (level != maker->node) {
		param->is_global = true;
		param->level = level->depth;
		if (!facts->are_globals_anywhere)
			param->slot = W_SLOT_BEFORE_SUBCOMMAND;
	}
	return w_command_read_param(maker, key, val, param);
}

static writ_status
add_options(struct w_command_maker *maker, const struct w_command_node *level,
    yyjson_val *map)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (map == NULL)
		return WRIT_OK;
	yyjson_obj_foreach(map, i, count, key, val)
	{
		writ_status status = add_option(maker, level, key, val);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* The options of a group that a node uses; NULL with the error. */
static yyjson_val *
find_group(struct w_command_maker *maker, yyjson_val *name)
{
	yyjson_val *groups = maker->node->command->facts[0].vals[W_NODE_GROUPS];
	yyjson_val *group =
	    yyjson_obj_getn(groups, yyjson_get_str(name), yyjson_get_len(name));

	if (group == NULL) {
		(void)w_command_refuse(maker, name, "there is no group '%.64s'",
		    yyjson_get_str(name));
		w_command_suggest_key(maker, groups, yyjson_get_str(name));
	} else if (!yyjson_is_obj(group)) {
		(void)w_command_refuse_type(maker, group, "a group", "a map");
		group = NULL;
	}
	return group;
}

static writ_status
add_level(struct w_command_maker *maker, const struct w_command_node *level)
{
	const struct w_node_facts *facts = w_command_facts(level);
	struct w_command_texts names = w_command_texts(facts->vals[W_NODE_USE]);
	writ_status status =
	    add_options(maker, level, facts->vals[W_NODE_OPTIONS]);
	yyjson_val *name;

	while (status == WRIT_OK &&
	       (name = w_command_texts_next(&names)) != NULL) {
		yyjson_val *group = find_group(maker, name);

		status = group != NULL ? add_options(maker, level, group)
				       : WRIT_E_INVALID;
	}
	return status;
}

static writ_status
add_operand(struct w_command_maker *maker, yyjson_val *key, yyjson_val *val)
{
	struct w_form *form = maker->form;
	struct w_param *param = &form->params[form->count];
	struct w_spelling spelling = {.style = form->style};
	writ_status status =
	    begin_param(maker, key, &spelling, w_spelling_operand);

	if (status != WRIT_OK)
		return status;
	param->index = (unsigned)form->operand_count++;
	if (form->style == W_STYLE_LEADING)
		param->slot = W_SLOT_LEADING;
	param->may_begin_with_dash = form->style == W_STYLE_LITERAL;
	return w_command_read_param(maker, key, val, param);
}

static writ_status
add_operands(struct w_command_maker *maker)
{
	yyjson_val *map = w_command_facts(maker->node)->vals[W_NODE_OPERANDS];
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (map == NULL)
		return WRIT_OK;
	yyjson_obj_foreach(map, i, count, key, val)
	{
		writ_status status = add_operand(maker, key, val);

		if (status != WRIT_OK)
			return status;
	}
	/* It is counted again with the order of all. */
	maker->form->operand_count = 0;
	return WRIT_OK;
}

static void
add_sequence(struct w_command_maker *maker)
{
	yyjson_val *key = w_command_facts(maker->node)->vals[W_NODE_ORDERED];
	struct w_form *form = maker->form;

	if (key == NULL)
		return;
	form->sequence = form->count;
	maker->params[form->count].key = key;
	form->params[form->count++] =
	    (struct w_param){.key = yyjson_get_str(key),
		.key_len = yyjson_get_len(key),
		.kind = W_PARAM_SEQUENCE,
		.slot = W_SLOT_FLAGS,
		.types = W_TYPE_ARRAY,
		.item_types = W_TYPE_OBJECT,
		.arity = 1};
}

/* How many parameters there will be, at most. */
static size_t
count_params(const struct w_command_node *node)
{
	yyjson_val *groups = node->command->facts[0].vals[W_NODE_GROUPS];
	const struct w_node_facts *facts = w_command_facts(node);
	size_t count = yyjson_obj_size(facts->vals[W_NODE_OPERANDS]) + 1;

	for (; node != NULL; node = node->parent) {
		facts = w_command_facts(node);
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
read_params(struct w_command_maker *maker)
{
	const struct w_command_node *path[16];
	size_t depth = 0;
	writ_status status = WRIT_OK;

	for (const struct w_command_node *node = maker->node; node != NULL;
	     node = node->parent)
		path[depth++] = node;
	while (depth > 0 && status == WRIT_OK)
		status = add_level(maker, path[--depth]);
	if (status == WRIT_OK)
		status = add_operands(maker);
	if (status == WRIT_OK)
		add_sequence(maker);
	return status;
}

static writ_status
find_keys(struct w_command_maker *maker)
{
	struct w_form *form = maker->form;

	for (size_t i = 0; i < form->count; i++) {
		struct w_param *param = &form->params[i];

		if (w_form_find(form, param->key, param->key_len) != NULL) {
			(void)w_command_refuse(maker, maker->params[i].key,
			    "%.64s: two parameters have the key '%.64s'",
			    maker->node->id, param->key);
			w_suggest(maker->err,
			    "give one of them another one with 'key:'");
			return WRIT_E_INVALID;
		}
		if (!w_lookup_put(
			&form->lookup, param->key, param->key_len, param))
			return w_command_nomem(maker);
	}
	return WRIT_OK;
}

/* Two of the node's own options with one name. */
static writ_status
check_names(struct w_command_maker *maker, size_t place)
{
	const struct w_form *form = maker->form;
	const struct w_param *param = &form->params[place];

	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];

		if (w_lookup_get(&form->names, name->token, name->len) == param)
			continue;
		return w_command_refuse(maker, maker->params[place].key,
		    "%.64s: two options have the name '%.64s'", maker->node->id,
		    name->token);
	}
	return WRIT_OK;
}

static writ_status
find_names(struct w_command_maker *maker)
{
	struct w_form *form = maker->form;
	writ_status status = WRIT_OK;

	if (!w_form_index_names(form))
		return w_command_nomem(maker);
	for (size_t i = 0; i < form->count && status == WRIT_OK; i++) {
		if (!form->params[i].is_global)
			status = check_names(maker, i);
	}
	return status;
}

static void
note_secrets(struct w_form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct w_param *param = &form->params[i];

		form->has_secrets |= param->is_secret;
		for (size_t k = 0; param->values != NULL && k < param->arity;
		     k++)
			form->has_secrets |=
			    param->values[k].kind == W_VALUE_HEADER;
	}
}

static writ_status
find_number(struct w_command_maker *maker)
{
	yyjson_val *key = w_command_facts(maker->node)->vals[W_NODE_NUMBER];
	const size_t *places = NULL;
	size_t count = 0;

	if (key == NULL)
		return WRIT_OK;
	writ_status status =
	    w_command_places(maker, key, NULL, &places, &count);
	if (status != WRIT_OK)
		return status;
	const struct w_param *param = &maker->form->params[places[0]];
	if (param->kind != W_PARAM_OPTION || param->values == NULL ||
	    param->arity != 1 || param->values[0].kind == W_VALUE_COMMAND)
		return w_command_refuse(maker, key,
		    "'%.64s' is no option with one value", param->key);
	maker->form->number = places[0];
	return WRIT_OK;
}

static writ_status
check_effects(struct w_command_maker *maker)
{
	const struct w_node_facts *facts = w_command_facts(maker->node);

	maker->form->are_effects_known = facts->vals[W_NODE_EFFECTS] != NULL;
	if (!maker->node->is_runnable || maker->form->are_effects_known)
		return WRIT_OK;
	yyjson_val *at = facts->vals[W_NODE_ABOUT];
	if (at == NULL)
		at = maker->node->command->facts[0].vals[W_NODE_COMMAND];
	(void)w_command_refuse(
	    maker, at, "%.64s says nothing about its effects", maker->node->id);
	w_suggest(maker->err,
	    "effects: [] when it does nothing besides what its values and "
	    "options say");
	return WRIT_E_INVALID;
}

static writ_status
fill_form(struct w_command_maker *maker)
{
	writ_status status = read_params(maker);

	if (status == WRIT_OK)
		status = find_keys(maker);
	if (status == WRIT_OK)
		status = find_names(maker);
	if (status == WRIT_OK && !w_form_make_order(maker->form))
		status = w_command_nomem(maker);
	if (status == WRIT_OK)
		status = w_command_link(maker);
	if (status == WRIT_OK)
		status = w_command_check_operands(maker);
	if (status == WRIT_OK)
		status = find_number(maker);
	if (status == WRIT_OK)
		status = check_effects(maker);
	if (status == WRIT_OK)
		status = w_command_add_rules(maker);
	if (status == WRIT_OK)
		note_secrets(maker->form);
	return status;
}

writ_status
w_command_make_form(struct w_command_maker *maker)
{
	const struct w_node_facts *facts = w_command_facts(maker->node);
	size_t count = count_params(maker->node);
	struct w_form *form = calloc(1, sizeof(*form));

	if (form == NULL)
		return w_command_nomem(maker);
	if (count > W_FORM_PARAMS_MAX) {
		free(form);
		return w_command_refuse(maker, facts->vals[W_NODE_OPTIONS],
		    "%.64s has more than %d parameters", maker->node->id,
		    W_FORM_PARAMS_MAX - 1);
	}
	form->params = calloc(count, sizeof(*form->params));
	maker->params = calloc(count, sizeof(*maker->params));
	form->style = facts->style;
	form->honours_dashes = facts->honours_dashes;
	form->has_end_of_options = facts->honours_dashes;
	form->are_globals_anywhere = facts->are_globals_anywhere;
	form->sequence = W_FORM_NONE;
	form->number = W_FORM_NONE;
	maker->form = form;
	writ_status status = form->params != NULL && maker->params != NULL
				 ? fill_form(maker)
				 : w_command_nomem(maker);
	free(maker->params);
	maker->params = NULL;
	if (status != WRIT_OK) {
		w_form_free(form);
		maker->form = NULL;
	}
	return status;
}
