/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords that apply other schemas: to the same value, to items, to members.
 */

#include "schema/compile/keyword.h"

/* Without a place (contentSchema) it is not applied, but must be a schema. */
writ_status
w_keyword_sub(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	struct w_node *unused;

	(void)node;
	return w_compile_sub(compiler, value, place != NULL ? place : &unused);
}

writ_status
w_keyword_subs(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	return w_compile_subs(compiler, value, place);
}

/* An object whose members are all schemas. Without a place ($defs) they are not
 * applied. */
writ_status
w_keyword_map(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **object = place;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *member;

	if (object != NULL)
		*object = value;
	writ_status status = w_keyword_object(compiler, node, value, NULL);
	if (status != WRIT_OK)
		return status;
	yyjson_obj_foreach(value, i, count, key, member)
	{
		status = w_keyword_sub(compiler, node, member, NULL);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_keyword_items(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	if (yyjson_is_arr(value)) {
		writ_status status = w_compile_fail(compiler, value,
		    "must be a schema in draft 2020-12, got an array");
		w_suggest(compiler->err,
		    "write prefixItems for one schema for each item");
		return status;
	}
	return w_compile_sub(compiler, value, place);
}

writ_status
w_keyword_items_07(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	struct w_list_rules *rules =
	    w_keyword_rules(compiler, node, W_KEYWORD_HOME_LIST);

	(void)place;
	if (rules == NULL)
		return w_compile_nomem(compiler);
	if (yyjson_is_arr(value))
		return w_compile_subs(compiler, value, &rules->prefix);
	return w_compile_sub(compiler, value, &rules->rest);
}

writ_status
w_keyword_additional_items(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	compiler->parts.additional_items = value;
	return w_keyword_sub(compiler, node, value, place);
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

/* No rules for false: such a list needs no check. */
writ_status
w_keyword_unique_items(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	writ_status status = w_keyword_boolean(compiler, node, value, place);

	if (status != WRIT_OK || yyjson_is_false(value))
		return status;
	struct w_list_rules *rules =
	    w_keyword_rules(compiler, node, W_KEYWORD_HOME_LIST);
	if (rules == NULL)
		return w_compile_nomem(compiler);
	rules->is_unique = true;
	return WRIT_OK;
}

writ_status
w_keyword_ref(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	const struct w_anchor *anchor = NULL;

	writ_status status = w_keyword_string(compiler, node, value, NULL);
	if (status != WRIT_OK)
		return status;
	return w_reference_find(compiler, node, value, place, &anchor);
}

writ_status
w_keyword_dynamic_ref(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	struct w_dynamic **out_dynamic = place;
	struct w_dynamic *dynamic =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*dynamic));
	const struct w_anchor *anchor = NULL;

	if (dynamic == NULL)
		return w_compile_nomem(compiler);
	writ_status status = w_keyword_string(compiler, node, value, NULL);
	if (status == WRIT_OK)
		status = w_reference_find(
		    compiler, node, value, &dynamic->target, &anchor);
	if (status != WRIT_OK)
		return status;

	/* It is dynamic only if it initially resolves to a dynamic anchor. */
	if (anchor != NULL && anchor->is_dynamic) {
		dynamic->name = anchor->name;
		dynamic->len = anchor->len;
		compiler->schema->is_dynamic = true;
	}
	*out_dynamic = dynamic;
	return WRIT_OK;
}
