/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords for objects. compile_names.c combines what they say about property
 * names. */

#include <stdint.h>

#include "schema/compile/keyword.h"

struct w_object_rules *
w_object_rules(struct w_compiler *compiler, struct w_node *node)
{
	if (node->object != NULL)
		return node->object;
	node->object =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*node->object));
	if (node->object != NULL)
		node->object->size.max = SIZE_MAX;
	return node->object;
}

/* An object whose members are all schemas. */
static writ_status
compile_object_check_map(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	if (w_object_rules(compiler, node) == NULL)
		return w_compile_nomem(compiler);
	return w_keyword_definitions(compiler, node, value);
}

writ_status
w_keyword_properties(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	compiler->parts.properties = value;
	return compile_object_check_map(compiler, node, value);
}

writ_status
w_keyword_pattern_properties(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	compiler->parts.patterns = value;
	return compile_object_check_map(compiler, node, value);
}

writ_status
w_keyword_dependent_schemas(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	compiler->parts.dependent_schemas = value;
	return compile_object_check_map(compiler, node, value);
}

writ_status
w_keyword_additional_properties(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_object_rules *rules = w_object_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &rules->additional);
}

writ_status
w_keyword_property_names(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_object_rules *rules = w_object_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &rules->key);
}

static writ_status
compile_object_check_names(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	size_t i;
	size_t count;
	yyjson_val *name;

	if (w_object_rules(compiler, node) == NULL)
		return w_compile_nomem(compiler);
	if (!yyjson_is_arr(value))
		return w_compile_fail_type(compiler, value, "an array of keys");
	yyjson_arr_foreach(value, i, count, name)
	{
		if (!yyjson_is_str(name))
			return w_compile_fail(compiler, name,
			    "a key must be a string, got %s",
			    w_compile_type_name(name));
	}
	return WRIT_OK;
}

writ_status
w_keyword_required(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	compiler->parts.required = value;
	return compile_object_check_names(compiler, node, value);
}

writ_status
w_keyword_dependent_required(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *names;

	compiler->parts.dependent_required = value;
	writ_status status = w_keyword_object(compiler, node, value);
	if (status != WRIT_OK)
		return status;
	yyjson_obj_foreach(value, i, count, key, names)
	{
		status = compile_object_check_names(compiler, node, names);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_keyword_dependencies(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *needs;
	struct w_node *sub;

	compiler->parts.dependencies = value;
	writ_status status = w_keyword_object(compiler, node, value);
	if (status != WRIT_OK)
		return status;
	if (w_object_rules(compiler, node) == NULL)
		return w_compile_nomem(compiler);
	yyjson_obj_foreach(value, i, count, key, needs)
	{
		status = yyjson_is_arr(needs)
			     ? compile_object_check_names(compiler, node, needs)
			     : w_compile_sub(compiler, needs, &sub);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_keyword_min_properties(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_object_rules *rules = w_object_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->size.min);
}

writ_status
w_keyword_max_properties(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_object_rules *rules = w_object_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->size.max);
}

writ_status
w_keyword_unevaluated_properties(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_object_rules *rules = w_object_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &rules->unevaluated);
}
