/* SPDX-License-Identifier: Apache-2.0 */

/* Comma-separated parts: [1, 2], {a: 1} and call arguments. */

#include <assert.h>
#include <string.h>

#include "expr/parse/expr_parser.h"

/* Limit of items in a list or members of a map. */
#define ITEMS_MAX 4096

writ_status
w_expr_parse_add_part(struct w_expr_parser *in,
    struct w_expr_parser_parts *parts, w_node_ref node)
{
	if (parts->count == ITEMS_MAX)
		return w_token_fail(&in->tokens, node->at,
		    "a list of more than %d items", ITEMS_MAX);
	if (parts->count == parts->cap) {
		size_t cap = parts->cap == 0 ? 4 : parts->cap * 2;
		w_node_ref *items =
		    w_arena_alloc(in->tokens.arena, cap, sizeof(*items));

		if (items == NULL)
			return w_fail_nomem(in->tokens.err, W_EXPR_STAGE);
		if (parts->count > 0)
			memcpy(
			    items, parts->items, parts->count * sizeof(*items));
		parts->items = items;
		parts->cap = cap;
	}
	parts->items[parts->count++] = node;
	return WRIT_OK;
}

writ_status
w_expr_parse_link_parts(struct w_expr_parser *in, struct w_expr_node *node,
    const struct w_expr_parser_parts *parts)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < parts->count; i++)
		status =
		    w_expr_parse_link(in, node, parts->items[i], NULL, NULL);
	node->as.list.items = parts->items;
	node->as.list.count = parts->count;
	node->as.list.function = NULL;
	return status;
}

writ_status
w_expr_parse_literal(struct w_expr_parser *in, size_t at,
    const struct w_value *value, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	writ_status status = w_expr_parse_node(in, W_NODE_LITERAL, at, &node);

	if (status != WRIT_OK)
		return status;
	node->as.literal = *value;
	*out_node = node;
	return WRIT_OK;
}

/* Copies the next token as a string literal. */
writ_status
w_expr_parse_name(struct w_expr_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;
	char *text = w_arena_text(
	    in->tokens.arena, in->tokens.text + token->at, token->len);

	if (text == NULL)
		return w_fail_nomem(in->tokens.err, W_EXPR_STAGE);
	struct w_value value = w_value_text(text, token->len);
	writ_status status =
	    w_expr_parse_literal(in, token->at, &value, out_node);
	return status == WRIT_OK ? w_expr_parse_advance(in) : status;
}

/* ---- lists and maps ---- */

writ_status
w_expr_parse_items(struct w_expr_parser *in, const char *close,
    writ_status (*parse)(
	struct w_expr_parser *in, struct w_expr_parser_parts *parts),
    struct w_expr_parser_parts *parts)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && !w_expr_parse_sees(in, close)) {
		status = parse(in, parts);
		if (status != WRIT_OK || w_expr_parse_sees(in, close))
			break;
		if (!w_expr_parse_sees(in, ","))
			return w_expr_parse_unexpected(
			    in, close[0] == ']'   ? "',' or ']'"
				: close[0] == '}' ? "',' or '}'"
						  : "',' or ')'");
		status = w_expr_parse_advance(in);
	}
	return status == WRIT_OK ? w_expr_parse_advance(in) : status;
}

writ_status
w_expr_parse_item(struct w_expr_parser *in, struct w_expr_parser_parts *parts)
{
	w_node_ref item = NULL;
	writ_status status = w_expr_parse_expression(in, &item);

	return status == WRIT_OK ? w_expr_parse_add_part(in, parts, item)
				 : status;
}

static writ_status
parse_key(struct w_expr_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;

	if (token->kind == W_TOKEN_NAME)
		return w_expr_parse_name(in, out_node);
	if (token->kind != W_TOKEN_VALUE || token->value.kind != W_VALUE_STRING)
		return w_expr_parse_unexpected(in, "the name of a member");
	writ_status status =
	    w_expr_parse_literal(in, token->at, &token->value, out_node);
	return status == WRIT_OK ? w_expr_parse_advance(in) : status;
}

static writ_status
expr_list_check_key(struct w_expr_parser *in,
    const struct w_expr_parser_parts *parts, w_node_ref key)
{
	const struct w_value *name = &key->as.literal;
	size_t cost = 0;

	assert(key != NULL && (parts->count == 0 || parts->items != NULL));
	for (size_t i = 0; i < parts->count; i += 2) {
		if (w_value_equal(&parts->items[i]->as.literal, name, &cost))
			return w_token_fail(&in->tokens, key->at,
			    "the member '%s' is there twice",
			    name->as.string.text);
	}
	return WRIT_OK;
}

static writ_status
parse_member(struct w_expr_parser *in, struct w_expr_parser_parts *parts)
{
	w_node_ref key = NULL;
	writ_status status = parse_key(in, &key);

	if (status == WRIT_OK)
		status = expr_list_check_key(in, parts, key);
	if (status == WRIT_OK)
		status = w_expr_parse_expect(in, ":");
	if (status == WRIT_OK)
		status = w_expr_parse_add_part(in, parts, key);
	return status == WRIT_OK ? w_expr_parse_item(in, parts) : status;
}

writ_status
w_expr_parse_composite(
    struct w_expr_parser *in, bool is_list, w_node_ref *out_node)
{
	struct w_expr_parser_parts parts = {0};
	struct w_expr_node *node = NULL;
	writ_status status = w_expr_parse_node(
	    in, is_list ? W_NODE_LIST : W_NODE_MAP, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK)
		status = w_expr_parse_items(in, is_list ? "]" : "}",
		    is_list ? w_expr_parse_item : parse_member, &parts);
	if (status == WRIT_OK)
		status = w_expr_parse_link_parts(in, node, &parts);
	if (status == WRIT_OK)
		*out_node = node;
	return status;
}
