/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords that apply other schemas to the same value. */

#include "schema/compile/keyword.h"

struct w_logic *
w_logic(struct w_compiler *compiler, struct w_node *node)
{
	if (node->logic == NULL)
		node->logic = w_arena_alloc(
		    &compiler->schema->arena, 1, sizeof(*node->logic));
	return node->logic;
}

writ_status
w_keyword_ref(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);
	const struct w_anchor *anchor = NULL;

	if (logic == NULL)
		return w_compile_nomem(compiler);
	writ_status status = w_keyword_string(compiler, node, value);
	if (status != WRIT_OK)
		return status;
	return w_reference_find(compiler, node, value, &logic->ref, &anchor);
}

writ_status
w_keyword_dynamic_ref(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);
	struct w_dynamic *dynamic =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*dynamic));
	const struct w_anchor *anchor = NULL;

	if (logic == NULL || dynamic == NULL)
		return w_compile_nomem(compiler);
	writ_status status = w_keyword_string(compiler, node, value);
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
	logic->dynamic = dynamic;
	return WRIT_OK;
}

writ_status
w_keyword_all_of(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_subs(compiler, value, &logic->all);
}

writ_status
w_keyword_any_of(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_subs(compiler, value, &logic->any);
}

writ_status
w_keyword_one_of(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_subs(compiler, value, &logic->one);
}

writ_status
w_keyword_not(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &logic->negated);
}

writ_status
w_keyword_if(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &logic->condition);
}

writ_status
w_keyword_then(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &logic->consequence);
}

writ_status
w_keyword_else(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_logic *logic = w_logic(compiler, node);

	if (logic == NULL)
		return w_compile_nomem(compiler);
	return w_compile_sub(compiler, value, &logic->alternative);
}

writ_status
w_keyword_definitions(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *definition;

	writ_status status = w_keyword_object(compiler, node, value);
	if (status != WRIT_OK)
		return status;
	yyjson_obj_foreach(value, i, count, key, definition)
	{
		struct w_node *sub;
		status = w_compile_sub(compiler, definition, &sub);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Describes the content of a string, which is not validated; but it must be a
 * schema. */
writ_status
w_keyword_content_schema(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_node *sub;

	(void)node;
	return w_compile_sub(compiler, value, &sub);
}
