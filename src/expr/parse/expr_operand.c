/* SPDX-License-Identifier: Apache-2.0 */

/* Operands: literals, names, parentheses, and the accesses after them. */

#include <string.h>

#include "expr/parse/expr_parser.h"

const char *const w_expr_parse_roots[] = {
    "Facts", "Data", "Environ", "Results", "item", "key", "value", NULL};

/* ---- names ---- */

static const struct {
	const char *name;
	struct w_value value;
} constants[] = {
    {"null", {.kind = W_VALUE_NULL}},
    {"nil", {.kind = W_VALUE_NULL}},
    {"true", {.kind = W_VALUE_BOOL, .as.boolean = true}},
    {"false", {.kind = W_VALUE_BOOL, .as.boolean = false}},
};

static writ_status
parse_root(
    struct w_expr_parser *in, const struct w_token *token, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;

	for (unsigned i = 0; i < W_ROOT_COUNT; i++) {
		if (!w_token_is(&in->tokens, token, w_expr_parse_roots[i]))
			continue;
		writ_status status =
		    w_expr_parse_node(in, W_NODE_ROOT, token->at, &node);
		if (status != WRIT_OK)
			return status;
		node->root = (uint8_t)i;
		in->uses |= 1U << i;
		*out_node = node;
		return WRIT_OK;
	}
	return w_expr_parse_refuse_name(in, token, false);
}

static writ_status
parse_name(struct w_expr_parser *in, w_node_ref *out_node)
{
	struct w_token token = in->token;
	writ_status status = w_expr_parse_advance(in);

	if (status != WRIT_OK)
		return status;
	if (w_expr_parse_sees(in, "("))
		return w_expr_parse_call(in, &token, NULL, out_node);
	status = w_expr_parse_local(in, &token, out_node);
	if (status != WRIT_OK || *out_node != NULL)
		return status;
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		if (w_token_is(&in->tokens, &token, constants[i].name))
			return w_expr_parse_literal(
			    in, token.at, &constants[i].value, out_node);
	}
	return parse_root(in, &token, out_node);
}

static writ_status
parse_number(struct w_expr_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;

	if (token->magnitude > INT64_MAX)
		return w_token_fail(
		    &in->tokens, token->at, "the number is too large");
	struct w_value value = {
	    .kind = W_VALUE_INT, .as.integer = (int64_t)token->magnitude};
	writ_status status =
	    w_expr_parse_literal(in, token->at, &value, out_node);
	return status == WRIT_OK ? w_expr_parse_advance(in) : status;
}

/* Behind a #, without a blank: acc or index. */
static writ_status
parse_walk_name(struct w_expr_parser *in, struct w_expr_node *node)
{
	if (in->token.kind != W_TOKEN_NAME || in->token.at != node->at + 1U)
		return WRIT_OK;
	if (w_expr_parse_sees(in, "acc"))
		node->kind = W_NODE_TOTAL;
	else if (w_expr_parse_sees(in, "index"))
		node->kind = W_NODE_INDEX;
	else
		return w_expr_parse_unexpected(in, "'acc' or 'index'");
	return w_expr_parse_advance(in);
}

/* # or, before a dot, nothing. */
static writ_status
parse_element(struct w_expr_parser *in, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	bool is_written = w_expr_parse_sees(in, "#");

	if (in->predicates == 0) {
		(void)w_expr_parse_unexpected(in, "a value");
		if (is_written)
			w_suggest(in->tokens.err,
			    "'#' is the element in any(list, # == 1)");
		return WRIT_E_INVALID;
	}
	writ_status status =
	    w_expr_parse_node(in, W_NODE_ELEMENT, in->token.at, &node);
	if (status != WRIT_OK)
		return status;
	*out_node = node;
	/* In .name the access follows; a point alone is the element. */
	struct w_expr_parser ahead = *in;
	status = w_expr_parse_advance(&ahead);
	if (status != WRIT_OK ||
	    (!is_written && ahead.token.kind == W_TOKEN_NAME))
		return status;
	*in = ahead;
	return is_written ? parse_walk_name(in, node) : WRIT_OK;
}

static writ_status
parse_value(struct w_expr_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;

	if (token->kind == W_TOKEN_NAME)
		return parse_name(in, out_node);
	if (token->kind == W_TOKEN_INTEGER)
		return parse_number(in, out_node);
	if (token->kind == W_TOKEN_VALUE) {
		writ_status status = w_expr_parse_literal(
		    in, token->at, &token->value, out_node);
		return status == WRIT_OK ? w_expr_parse_advance(in) : status;
	}
	if (w_expr_parse_sees(in, "(")) {
		writ_status status = w_expr_parse_advance(in);

		if (status == WRIT_OK)
			status = w_expr_parse_expression(in, out_node);
		return status == WRIT_OK ? w_expr_parse_expect(in, ")")
					 : status;
	}
	if (w_expr_parse_sees(in, "[") || w_expr_parse_sees(in, "{"))
		return w_expr_parse_composite(
		    in, w_expr_parse_sees(in, "["), out_node);
	if (w_expr_parse_sees(in, "#") || w_expr_parse_sees(in, "."))
		return parse_element(in, out_node);
	return w_expr_parse_unexpected(in, "a value");
}

/* ---- accesses ---- */

/* Its first sign is next. */
static writ_status
parse_access(struct w_expr_parser *in, w_node_ref *io_node)
{
	w_node_ref object = *io_node;
	struct w_expr_node *node = NULL;
	w_node_ref key = NULL;
	bool is_index = w_expr_parse_sees(in, "[");
	bool is_optional = w_expr_parse_sees(in, "?.");
	writ_status status =
	    w_expr_parse_node(in, W_NODE_ACCESS, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK && is_optional && w_expr_parse_sees(in, "[")) {
		is_index = true;
		status = w_expr_parse_advance(in);
	}
	if (status != WRIT_OK)
		return status;
	if (is_index) {
		if (!w_expr_parse_sees(in, ":"))
			status = w_expr_parse_expression(in, &key);
		if (status == WRIT_OK && w_expr_parse_sees(in, ":"))
			return w_expr_parse_slice(
			    in, node->at, object, key, io_node);
		if (status == WRIT_OK)
			status = w_expr_parse_expect(in, "]");
	} else if (in->token.kind == W_TOKEN_NAME) {
		status = w_expr_parse_name(in, &key);
	} else {
		status = w_expr_parse_unexpected(in, "the name of a member");
	}
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, object, key, NULL);
	if (is_optional)
		node->flags = W_NODE_TOLERANT | W_NODE_THROUGH;
	*io_node = node;
	return status;
}

writ_status
w_expr_parse_operand(struct w_expr_parser *in, w_node_ref *out_node)
{
	w_node_ref node = NULL;
	writ_status status = parse_value(in, &node);
	bool goes_through = false;

	while (status == WRIT_OK &&
	       (w_expr_parse_sees(in, ".") || w_expr_parse_sees(in, "?.") ||
		   w_expr_parse_sees(in, "["))) {
		status = parse_access(in, &node);
		if (status != WRIT_OK)
			break;
		if (goes_through)
			node->flags |= W_NODE_THROUGH;
		goes_through = (node->flags & W_NODE_THROUGH) != 0;
	}
	*out_node = node;
	return status;
}
