/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a node does besides the effects of its values: its own effects,
 * conditional ones, those of given options and operands, the variables that
 * change its behaviour, and the programs that it executes on its own.
 *
 * Variables and helpers are inherited by sub-commands; effects are not.
 */

#include "base/match.h"
#include "command/description/command_builder.h"
#include "data/json_words.h"

static writ_status
command_rule_add_own(
    struct w_command_builder *builder, struct w_grammar_rule *rule)
{
	yyjson_val *list =
	    w_command_node_facts(builder->node)->vals[W_NODE_EFFECTS];

	if (w_command_texts_count(list) == 0)
		return WRIT_OK;
	builder->grammar->rule_count++;
	return w_command_effects(
	    builder, list, NULL, &rule->effects, &rule->effect_count);
}

static writ_status
check_condition(struct w_command_builder *builder, yyjson_val *map)
{
	static const char *const names[] = {
	    "has", "all", "lacks", "except", "effects", NULL};
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *key;

	if (!yyjson_is_obj(map))
		return w_command_refuse_type(
		    builder, map, "a condition", "a map");
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		size_t i = 0;

		while (names[i] != NULL && !yyjson_equals_str(key, names[i]))
			i++;
		if (names[i] != NULL)
			continue;
		builder->fault = (struct w_command_fault){.at = key};
		return w_json_unknown_key(key, "key of a condition", names,
		    W_COMMAND_STAGE, builder->err);
	}
	if (yyjson_obj_get(map, "effects") == NULL)
		return w_command_refuse(
		    builder, map, "a condition without effects");
	if (yyjson_obj_size(map) < 2) {
		(void)w_command_refuse(builder, map,
		    "a condition without has, all, lacks or except");
		w_suggest(builder->err,
		    "what always holds goes in 'effects' of the command");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* An empty list is a condition that could never be true. */
static writ_status
read_keys(struct w_command_builder *builder, yyjson_val *list,
    const size_t **out_places, size_t *out_count)
{
	if (list == NULL)
		return WRIT_OK;
	writ_status status =
	    w_command_places(builder, list, NULL, out_places, out_count);
	if (status == WRIT_OK && *out_count == 0)
		return w_command_refuse(builder, list, "there is no key here");
	return status;
}

static writ_status
read_except(struct w_command_builder *builder, yyjson_val *key,
    yyjson_val *glob, struct w_grammar_except *except)
{
	const size_t *places = NULL;
	size_t count = 0;
	writ_status status = w_command_check_text(builder, glob, "a pattern");

	if (status == WRIT_OK)
		status = w_command_places(builder, key, NULL, &places, &count);
	if (status != WRIT_OK)
		return status;
	const struct w_param *param = &builder->grammar->params[places[0]];
	if (param->values == NULL)
		return w_command_refuse(builder, key,
		    "'%.64s' has no value that could match", param->key);
	except->param = places[0];
	except->glob = yyjson_get_str(glob);
	return WRIT_OK;
}

static writ_status
read_excepts(struct w_command_builder *builder, yyjson_val *map,
    struct w_grammar_rule *rule)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (map == NULL)
		return WRIT_OK;
	if (!yyjson_is_obj(map) || yyjson_obj_size(map) == 0)
		return w_command_refuse_type(
		    builder, map, "except", "a map from keys to patterns");
	struct w_grammar_except *excepts = w_arena_alloc(
	    &builder->grammar->arena, yyjson_obj_size(map), sizeof(*excepts));
	if (excepts == NULL)
		return w_command_nomem(builder);
	rule->excepts = excepts;
	yyjson_obj_foreach(map, i, count, key, val)
	{
		writ_status status =
		    read_except(builder, key, val, &excepts[i]);

		if (status != WRIT_OK)
			return status;
	}
	rule->except_count = count;
	return WRIT_OK;
}

static writ_status
add_condition(struct w_command_builder *builder, yyjson_val *map,
    struct w_grammar_rule *rule)
{
	writ_status status = check_condition(builder, map);

	if (status == WRIT_OK)
		status = read_keys(builder, yyjson_obj_get(map, "has"),
		    &rule->has, &rule->has_count);
	if (status == WRIT_OK)
		status = read_keys(builder, yyjson_obj_get(map, "all"),
		    &rule->all, &rule->all_count);
	if (status == WRIT_OK)
		status = read_keys(builder, yyjson_obj_get(map, "lacks"),
		    &rule->lacks, &rule->lacks_count);
	if (status == WRIT_OK)
		status =
		    read_excepts(builder, yyjson_obj_get(map, "except"), rule);
	if (status == WRIT_OK)
		status =
		    w_command_effects(builder, yyjson_obj_get(map, "effects"),
			NULL, &rule->effects, &rule->effect_count);
	builder->grammar->rule_count++;
	return status;
}

/* The effects of a given option or operand. */
static writ_status
add_of_param(struct w_command_builder *builder, size_t place, yyjson_val *list,
    struct w_grammar_rule *rule)
{
	size_t *has = w_arena_alloc(&builder->grammar->arena, 1, sizeof(*has));

	if (has == NULL)
		return w_command_nomem(builder);
	*has = place;
	rule->has = has;
	rule->has_count = 1;
	builder->grammar->rule_count++;
	return w_command_effects(builder, list,
	    &builder->grammar->params[place], &rule->effects,
	    &rule->effect_count);
}

/* On a terminal it starts a pager, or is interactive: both run what the
 * configuration names or somebody types. The nearest level that sets it
 * applies. */
static writ_status
add_pages(struct w_command_builder *builder, struct w_grammar_rule *rule)
{
	static const struct w_effect code = {.bit = W_EFFECT_CODE};
	const struct w_command_node *node = builder->node;
	yyjson_val *list = NULL;

	for (; node != NULL && list == NULL; node = node->parent)
		list = w_command_node_facts(node)->vals[W_NODE_PAGES];
	if (list == NULL)
		return WRIT_OK;
	rule->needs_terminal = true;
	rule->effects = &code;
	rule->effect_count = 1;
	builder->grammar->rule_count++;
	return w_command_places(
	    builder, list, NULL, &rule->lacks, &rule->lacks_count);
}

static writ_status
command_rule_add_effects(
    struct w_command_builder *builder, struct w_grammar_rule *rules)
{
	struct w_grammar *grammar = builder->grammar;
	yyjson_val *when =
	    w_command_node_facts(builder->node)->vals[W_NODE_WHEN];
	writ_status status = command_rule_add_own(builder, rules);
	size_t i;
	size_t count;
	yyjson_val *map;

	yyjson_arr_foreach(when, i, count, map)
	{
		if (status == WRIT_OK)
			status = add_condition(
			    builder, map, &rules[grammar->rule_count]);
	}
	for (i = 0; i < grammar->count && status == WRIT_OK; i++) {
		yyjson_val *list =
		    yyjson_obj_get(builder->params[i].links, "effects");

		if (list != NULL)
			status = add_of_param(
			    builder, i, list, &rules[grammar->rule_count]);
	}
	return status == WRIT_OK
		   ? add_pages(builder, &rules[grammar->rule_count])
		   : status;
}

/* Effects without targets. */
static writ_status
command_rule_read_words(struct w_command_builder *builder, yyjson_val *list,
    const char *what, unsigned *out_effects)
{
	struct w_command_texts texts = w_command_texts(list);
	writ_status status = w_command_check_texts(builder, list, what);
	yyjson_val *word;

	while (status == WRIT_OK &&
	       (word = w_command_texts_next(&texts)) != NULL) {
		unsigned bit =
		    w_effect_named(yyjson_get_str(word), yyjson_get_len(word));

		*out_effects |= bit;
		if (bit != 0)
			continue;
		(void)w_command_refuse(builder, word,
		    "there is no effect '%.64s'", yyjson_get_str(word));
		w_match_suggest(
		    w_match_nearest(yyjson_get_str(word), w_effect_words),
		    builder->err);
		return WRIT_E_INVALID;
	}
	return status;
}

static writ_status
command_rule_add_variables(struct w_command_builder *builder, yyjson_val *map,
    struct w_grammar_variable *variables)
{
	struct w_grammar *grammar = builder->grammar;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(map, i, count, key, val)
	{
		struct w_grammar_variable *variable =
		    &variables[grammar->variable_count++];
		writ_status status =
		    w_command_check_text(builder, key, "a variable");

		variable->glob = yyjson_get_str(key);
		if (status == WRIT_OK)
			status = command_rule_read_words(builder, val,
			    "effects of a variable", &variable->effects);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* From this node and all above it. */
static writ_status
add_inherited(struct w_command_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;
	writ_status status = WRIT_OK;
	size_t count = 0;

	for (const struct w_command_node *node = builder->node; node != NULL;
	     node = node->parent)
		count += yyjson_obj_size(
		    w_command_node_facts(node)->vals[W_NODE_ENVIRONMENT]);
	struct w_grammar_variable *variables =
	    w_arena_alloc(&grammar->arena, count + 1, sizeof(*variables));
	if (variables == NULL)
		return w_command_nomem(builder);
	grammar->variables = variables;
	for (const struct w_command_node *node = builder->node;
	     node != NULL && status == WRIT_OK; node = node->parent) {
		yyjson_val *const *vals = w_command_node_facts(node)->vals;

		if (vals[W_NODE_ENVIRONMENT] != NULL)
			status = command_rule_add_variables(
			    builder, vals[W_NODE_ENVIRONMENT], variables);
		if (status == WRIT_OK && vals[W_NODE_HELPERS] != NULL)
			status = w_command_save_texts(
			    builder, vals[W_NODE_HELPERS], &grammar->helpers);
	}
	return status;
}

/* From the nearest level that sets it. */
static writ_status
add_incidental(struct w_command_builder *builder)
{
	const struct w_command_node *node = builder->node;
	yyjson_val *list = NULL;

	for (; node != NULL && list == NULL; node = node->parent)
		list = w_command_node_facts(node)->vals[W_NODE_INCIDENTAL];
	return list == NULL ? WRIT_OK
			    : command_rule_read_words(builder, list,
				  "incidental", &builder->grammar->incidental);
}

writ_status
w_command_add_rules(struct w_command_builder *builder)
{
	const struct w_node_facts *facts = w_command_node_facts(builder->node);
	size_t count = 2 + yyjson_arr_size(facts->vals[W_NODE_WHEN]);

	for (size_t i = 0; i < builder->grammar->count; i++)
		count += builder->params[i].links != NULL;
	struct w_grammar_rule *rules =
	    w_arena_alloc(&builder->grammar->arena, count, sizeof(*rules));
	if (rules == NULL)
		return w_command_nomem(builder);
	builder->grammar->rules = rules;
	writ_status status = command_rule_add_effects(builder, rules);
	if (status == WRIT_OK)
		status = add_inherited(builder);
	if (status == WRIT_OK)
		status = add_incidental(builder);
	return status;
}
