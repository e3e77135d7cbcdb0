/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of all property names in a schema, so that an object is validated
 * in one pass over its members. A name that is required, or on which something
 * depends, has a bit in the set of tracked keys.
 */

#include <stdint.h>

#include "schema/compile/compiler.h"
#include "schema/compile/property_names.h"

static size_t
count_listed(yyjson_val *object)
{
	size_t total = yyjson_obj_size(object);
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *names;

	yyjson_obj_foreach(object, i, count, key, names) total +=
	    yyjson_arr_size(names);
	return total;
}

static writ_status
make_table(struct w_compiler *compiler, struct w_object_rules *rules)
{
	const struct w_parts *parts = &compiler->parts;
	struct w_arena *arena = &compiler->schema->arena;
	size_t max = yyjson_obj_size(parts->properties) +
		     yyjson_arr_size(parts->required) +
		     yyjson_obj_size(parts->dependent_schemas) +
		     count_listed(parts->dependent_required) +
		     count_listed(parts->dependencies);
	size_t slot_count = 4;

	if (max == 0)
		return WRIT_OK;
	if (max > UINT32_MAX / 4)
		return w_compile_nomem(compiler);
	while (slot_count < 2 * max)
		slot_count *= 2;
	rules->names = w_arena_alloc(arena, max, sizeof(*rules->names));
	rules->slots = w_arena_alloc(arena, slot_count, sizeof(uint32_t));
	rules->slot_mask = slot_count - 1;
	if (rules->names == NULL || rules->slots == NULL)
		return w_compile_nomem(compiler);
	return WRIT_OK;
}

/* The entry of a name, created on first use; make_table() has reserved room. */
static struct w_name *
compile_names_add_name(struct w_object_rules *rules, yyjson_val *text)
{
	const char *key = yyjson_get_str(text);
	size_t len = yyjson_get_len(text);
	struct w_name *name = w_names_find(rules, key, len);

	if (name != NULL)
		return name;
	struct w_ends ends = w_ends_of(key, len);
	size_t at = w_hash_ends(&ends, len) & rules->slot_mask;
	while (rules->slots[at] != 0)
		at = (at + 1) & rules->slot_mask;
	name = &rules->names[rules->name_count++];
	rules->slots[at] = (uint32_t)rules->name_count;
	name->ends = ends;
	name->text = key;
	name->len = len;
	return name;
}

static unsigned
compile_names_note_name(struct w_object_rules *rules, yyjson_val *text)
{
	struct w_name *name = compile_names_add_name(rules, text);

	if (name->bit == 0)
		name->bit = (unsigned)++rules->noted;
	return name->bit;
}

static writ_status
add_properties(struct w_compiler *compiler, struct w_object_rules *rules)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	yyjson_obj_foreach(compiler->parts.properties, i, count, key, value)
	{
		struct w_name *name = compile_names_add_name(rules, key);
		writ_status status =
		    w_compile_sub(compiler, value, &name->node);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_patterns(struct w_compiler *compiler, struct w_object_rules *rules)
{
	yyjson_val *patterns = compiler->parts.patterns;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	if (yyjson_obj_size(patterns) == 0)
		return WRIT_OK;
	rules->patterns = w_arena_alloc(&compiler->schema->arena,
	    yyjson_obj_size(patterns), sizeof(*rules->patterns));
	if (rules->patterns == NULL)
		return w_compile_nomem(compiler);
	yyjson_obj_foreach(patterns, i, count, key, value)
	{
		struct w_pattern_rule *rule = &rules->patterns[i];
		rule->source = key;
		writ_status status =
		    w_compile_pattern(compiler, key, &rule->pattern);
		if (status == WRIT_OK)
			status = w_compile_sub(compiler, value, &rule->node);
		if (status != WRIT_OK)
			return status;
	}
	rules->pattern_count = count;
	return WRIT_OK;
}

/* One member of dependentRequired, dependentSchemas or dependencies. */
static writ_status
add_dependency(struct w_compiler *compiler, struct w_object_rules *rules,
    struct w_dependency *dependency, yyjson_val *value)
{
	size_t i;
	size_t count;
	yyjson_val *need;

	dependency->bit = compile_names_note_name(rules, dependency->key);
	if (!yyjson_is_arr(value))
		return w_compile_sub(compiler, value, &dependency->node);
	dependency->needs = w_arena_alloc(&compiler->schema->arena,
	    yyjson_arr_size(value), sizeof(*dependency->needs));
	if (dependency->needs == NULL)
		return w_compile_nomem(compiler);
	yyjson_arr_foreach(value, i, count, need) dependency->needs[i] =
	    compile_names_note_name(rules, need);
	dependency->need_count = count;
	dependency->names = value;
	return WRIT_OK;
}

static writ_status
add_dependencies(struct w_compiler *compiler, struct w_object_rules *rules,
    bool is_old, yyjson_val *object)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	yyjson_obj_foreach(object, i, count, key, value)
	{
		struct w_dependency *dependency =
		    &rules->dependencies[rules->dependency_count++];
		dependency->key = key;
		dependency->is_old = is_old;
		writ_status status =
		    add_dependency(compiler, rules, dependency, value);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_all_dependencies(struct w_compiler *compiler, struct w_object_rules *rules)
{
	const struct w_parts *parts = &compiler->parts;
	size_t max = yyjson_obj_size(parts->dependent_required) +
		     yyjson_obj_size(parts->dependent_schemas) +
		     yyjson_obj_size(parts->dependencies);

	if (max == 0)
		return WRIT_OK;
	rules->dependencies = w_arena_alloc(
	    &compiler->schema->arena, max, sizeof(*rules->dependencies));
	if (rules->dependencies == NULL)
		return w_compile_nomem(compiler);
	writ_status status =
	    add_dependencies(compiler, rules, false, parts->dependent_required);
	if (status == WRIT_OK)
		status = add_dependencies(
		    compiler, rules, false, parts->dependent_schemas);
	if (status == WRIT_OK)
		status = add_dependencies(
		    compiler, rules, true, parts->dependencies);
	return status;
}

/* Runs after the dependencies: the set covers all tracked names. */
static writ_status
add_required(struct w_compiler *compiler, struct w_object_rules *rules)
{
	yyjson_val *required = compiler->parts.required;
	size_t i;
	size_t count;
	yyjson_val *text;

	yyjson_arr_foreach(required, i, count, text)(void)
	    compile_names_note_name(rules, text);
	rules->required = w_arena_alloc(
	    &compiler->schema->arena, rules->noted / 64 + 1, sizeof(uint64_t));
	if (rules->required == NULL)
		return w_compile_nomem(compiler);
	yyjson_arr_foreach(required, i, count, text)
	{
		unsigned bit = compile_names_note_name(rules, text) - 1;
		uint64_t *word = &rules->required[bit / 64];
		if ((*word >> bit % 64 & 1) != 0)
			return w_compile_fail(compiler, text,
			    "the key '%s' is given twice",
			    yyjson_get_str(text));
		*word |= UINT64_C(1) << bit % 64;
	}
	return WRIT_OK;
}

writ_status
w_compile_object_end(struct w_compiler *compiler, struct w_node *node)
{
	struct w_object_rules *rules = node->object;

	if (rules == NULL)
		return WRIT_OK;
	writ_status status = make_table(compiler, rules);
	if (status == WRIT_OK)
		status = add_properties(compiler, rules);
	if (status == WRIT_OK)
		status = add_patterns(compiler, rules);
	if (status == WRIT_OK)
		status = add_all_dependencies(compiler, rules);
	if (status == WRIT_OK)
		status = add_required(compiler, rules);
	return status;
}
