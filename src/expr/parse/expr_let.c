/* SPDX-License-Identifier: Apache-2.0 */

/* Names given by let, slices, and patterns that are known while parsing. */

#include <string.h>

#include "expr/parse/expr_parser.h"
#include "schema/pattern/pattern.h"

/* ---- let ---- */

static bool
is_reserved(const struct w_expr_parser *in, const struct w_token *name)
{
	static const char *const words[] = {"let", "if", "else", "not", "and",
	    "or", "in", "matches", "contains", "startsWith", "endsWith", "true",
	    "false", "null", "nil", NULL};

	for (size_t i = 0; words[i] != NULL; i++) {
		if (w_token_is(&in->tokens, name, words[i]))
			return true;
	}
	for (size_t i = 0; w_expr_parse_roots[i] != NULL; i++) {
		if (w_token_is(&in->tokens, name, w_expr_parse_roots[i]))
			return true;
	}
	return false;
}

static writ_status
add_local(struct w_expr_parser *in, const struct w_token *name)
{
	struct w_expr_locals *locals = &in->locals;

	if (name->kind != W_TOKEN_NAME)
		return w_expr_parse_unexpected(in, "a name");
	if (is_reserved(in, name))
		return w_token_fail(&in->tokens, name->at,
		    "'%.*s' cannot be the name of a value", (int)name->len,
		    in->tokens.text + name->at);
	if (locals->count == W_EXPR_LOCALS_MAX)
		return w_token_fail(&in->tokens, name->at,
		    "more than %d names at one place", W_EXPR_LOCALS_MAX);
	locals->items[locals->count].name = in->tokens.text + name->at;
	locals->items[locals->count].len = name->len;
	return WRIT_OK;
}

writ_status
w_expr_parse_let(struct w_expr_parser *in, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	w_node_ref value = NULL;
	w_node_ref body = NULL;
	writ_status status =
	    w_expr_parse_node(in, W_NODE_LET, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status != WRIT_OK)
		return status;
	struct w_token name = in->token;
	status = add_local(in, &name);
	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK)
		status = w_expr_parse_expect(in, "=");
	if (status == WRIT_OK)
		status = w_expr_parse_expression(in, &value);
	if (status == WRIT_OK)
		status = w_expr_parse_expect(in, ";");
	if (status != WRIT_OK)
		return status;
	/* The value itself does not see the name: a let in it took the same
	 * place. */
	status = add_local(in, &name);
	if (status != WRIT_OK)
		return status;
	node->root = (uint8_t)in->locals.count++;
	status = w_expr_parse_expression(in, &body);
	in->locals.count--;
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, value, body, NULL);
	*out_node = node;
	return status;
}

writ_status
w_expr_parse_local(
    struct w_expr_parser *in, const struct w_token *name, w_node_ref *out_node)
{
	*out_node = NULL;
	for (size_t i = in->locals.count; i-- > 0;) {
		struct w_expr_node *node = NULL;

		if (in->locals.items[i].len != name->len ||
		    memcmp(in->locals.items[i].name, in->tokens.text + name->at,
			name->len) != 0)
			continue;
		writ_status status =
		    w_expr_parse_node(in, W_NODE_LOCAL, name->at, &node);
		if (status != WRIT_OK)
			return status;
		node->root = (uint8_t)i;
		*out_node = node;
		return WRIT_OK;
	}
	return WRIT_OK;
}

/* ---- slices ---- */

writ_status
w_expr_parse_slice(struct w_expr_parser *in, size_t at, w_node_ref object,
    w_node_ref from, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	w_node_ref to = NULL;
	writ_status status = w_expr_parse_node(in, W_NODE_SLICE, at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK && !w_expr_parse_sees(in, "]"))
		status = w_expr_parse_expression(in, &to);
	if (status == WRIT_OK)
		status = w_expr_parse_expect(in, "]");
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, object, from, to);
	*out_node = node;
	return status;
}

/* ---- patterns ---- */

writ_status
w_expr_parse_check_pattern(
    struct w_expr_parser *in, const struct w_expr_node *pattern)
{
	struct w_pattern *compiled;
	writ_error err = {0};

	if (pattern->kind != W_NODE_LITERAL ||
	    pattern->as.literal.kind != W_VALUE_STRING)
		return WRIT_OK;
	writ_status status =
	    w_pattern_compile(pattern->as.literal.as.string.text,
		pattern->as.literal.as.string.len, &compiled, &err);
	if (status == WRIT_OK) {
		w_pattern_free(compiled);
		return WRIT_OK;
	}
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(in->tokens.err, W_EXPR_STAGE);
	return w_token_fail(&in->tokens, pattern->at, "%s", err.message);
}
