/* SPDX-License-Identifier: Apache-2.0 */

/* References between the options and operands of a grammar. */

#include "command/description/command_builder.h"
#include "command/grammar/grammar_param.h"

typedef bool note_fn(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar);

static writ_status
link_peers(struct w_command_builder *builder, struct w_param *param,
    yyjson_val *list, note_fn *note)
{
	struct w_grammar *grammar = builder->grammar;
	const size_t *places = NULL;
	size_t count = 0;

	if (list == NULL)
		return WRIT_OK;
	writ_status status =
	    w_command_places(builder, list, param, &places, &count);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		struct w_param *peer = &grammar->params[places[i]];

		if (peer == param)
			return w_command_refuse(
			    builder, list, "'%.64s' names itself", param->key);
		if (!note(param, peer, grammar))
			return w_command_nomem(builder);
	}
	return status;
}

static writ_status
read_cases(
    struct w_command_builder *builder, struct w_param *param, yyjson_val *map)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (map == NULL)
		return WRIT_OK;
	if (!yyjson_is_obj(map))
		return w_command_refuse_type(builder, map, "cases", "a map");
	if (param->values == NULL)
		return w_command_refuse(builder, map,
		    "'%.64s' has no value that there could be cases of",
		    param->key);
	struct w_value_case *cases = w_arena_alloc(
	    &builder->grammar->arena, yyjson_obj_size(map), sizeof(*cases));
	if (cases == NULL)
		return w_command_nomem(builder);
	param->cases = cases;
	yyjson_obj_foreach(map, i, count, key, val)
	{
		writ_status status =
		    w_command_check_text(builder, key, "a pattern");

		cases[i].glob = yyjson_get_str(key);
		if (status == WRIT_OK)
			status = w_command_effects(builder, val, param,
			    &cases[i].effects, &cases[i].effect_count);
		if (status != WRIT_OK)
			return status;
	}
	param->case_count = count;
	return WRIT_OK;
}

/* Options whose values are placeholders in a nested command. */
static writ_status
link_placeholders(
    struct w_command_builder *builder, struct w_param *param, yyjson_val *list)
{
	if (list == NULL)
		return WRIT_OK;
	if (param->values[0].kind != W_VALUE_COMMAND)
		return w_command_refuse(
		    builder, list, "placeholder belongs to the type command");
	writ_status status = w_command_places(builder, list, param,
	    &param->placeholders, &param->placeholder_count);
	for (size_t i = 0; status == WRIT_OK && i < param->placeholder_count;
	     i++) {
		const struct w_param *peer =
		    &builder->grammar->params[param->placeholders[i]];

		if (peer->kind != W_PARAM_OPTION || peer->values == NULL)
			return w_command_refuse(builder, list,
			    "'%.64s' is not an option with a value", peer->key);
	}
	return status;
}

static writ_status
link_operand(
    struct w_command_builder *builder, struct w_param *param, yyjson_val *map)
{
	yyjson_val *unless = yyjson_obj_get(map, "unless");
	yyjson_val *only = yyjson_obj_get(map, "only");
	writ_status status = WRIT_OK;

	if (unless != NULL)
		status = w_command_places(builder, unless, param,
		    &param->unless, &param->unless_count);
	if (status == WRIT_OK && only != NULL)
		status = w_command_places(
		    builder, only, param, &param->only, &param->only_count);
	if (status == WRIT_OK)
		status = link_placeholders(
		    builder, param, yyjson_obj_get(map, "placeholder"));
	return status;
}

static writ_status
link_param(
    struct w_command_builder *builder, struct w_param *param, yyjson_val *map)
{
	writ_status status = link_peers(builder, param,
	    yyjson_obj_get(map, "conflicts"), w_grammar_note_conflict);

	if (status == WRIT_OK)
		status = link_peers(builder, param,
		    yyjson_obj_get(map, "requires"), w_grammar_note_need);
	if (status == WRIT_OK)
		status =
		    read_cases(builder, param, yyjson_obj_get(map, "cases"));
	if (status == WRIT_OK && param->kind == W_PARAM_OPERAND)
		status = link_operand(builder, param, map);
	return status;
}

writ_status
w_command_link(struct w_command_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;
	bool has_links = false;

	for (size_t i = 0; i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];
		yyjson_val *map = builder->params[i].links;

		if (map != NULL) {
			writ_status status = link_param(builder, param, map);

			if (status != WRIT_OK)
				return status;
			has_links = true;
		}
		param->is_required = param->min_count > 0 &&
				     param->unless_count == 0 &&
				     param->only_count == 0;
	}
	if (has_links)
		w_grammar_sort_links(grammar);
	return WRIT_OK;
}
