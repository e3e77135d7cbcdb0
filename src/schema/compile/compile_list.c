/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords for arrays. */

#include <stdint.h>

#include "schema/compile/keyword.h"

struct w_list_rules *
w_list_rules(struct w_compiler *compiler, struct w_node *node)
{
	if (node->list != NULL)
		return node->list;
	node->list =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*node->list));
	if (node->list != NULL) {
		node->list->size.max = SIZE_MAX;
		node->list->found = (struct w_size_range){1, SIZE_MAX};
		node->list->marks_found =
		    node->resource->draft != W_SCHEMA_DRAFT_07;
	}
	return node->list;
}

writ_status
w_keyword_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	if (yyjson_is_arr(value)) {
		writ_status status = w_compile_fail(compiler, value,
		    "must be a schema in draft 2020-12, got an array");
		w_suggest(compiler->err,
		    "write prefixItems for one schema for each item");
		return status;
	}
	return w_compile_sub(compiler, value, &rules->rest);
}

writ_status
w_keyword_items_07(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	if (yyjson_is_arr(value))
		return w_compile_subs(compiler, value, &rules->prefix);
	return w_compile_sub(compiler, value, &rules->rest);
}

writ_status
w_keyword_prefix_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_subs(compiler, value, &rules->prefix);
}

writ_status
w_keyword_additional_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_node *sub;

	(void)node;
	compiler->parts.additional_items = value;
	return w_compile_sub(compiler, value, &sub);
}

/* additionalItems applies after an array of items; without one it is ignored.
 */
writ_status
w_compile_list_end(struct w_compiler *compiler, struct w_node *node)
{
	yyjson_val *additional = compiler->parts.additional_items;

	if (additional == NULL || node->list == NULL ||
	    node->list->prefix.count == 0)
		return WRIT_OK;
	return w_compile_sub(compiler, additional, &node->list->rest);
}

writ_status
w_keyword_contains(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &rules->contains);
}

writ_status
w_keyword_min_contains(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->found.min);
}

writ_status
w_keyword_max_contains(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->found.max);
}

writ_status
w_keyword_min_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->size.min);
}

writ_status
w_keyword_max_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->size.max);
}

writ_status
w_keyword_unique_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	writ_status status = w_keyword_boolean(compiler, node, value);

	if (status != WRIT_OK || yyjson_is_false(value))
		return status;
	struct w_list_rules *rules = w_list_rules(compiler, node);
	if (rules == NULL)
		return w_compile_nomem(compiler);
	rules->is_unique = true;
	return WRIT_OK;
}

writ_status
w_keyword_unevaluated_items(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_list_rules *rules = w_list_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &rules->unevaluated);
}
