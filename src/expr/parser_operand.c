/* SPDX-License-Identifier: Apache-2.0 */

/* Operands of expressions: literals, names, lists, maps, calls, and the
 * accesses behind them. */

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "expr/eval.h"
#include "expr/parser.h"

/* Items of one list, members of one map. */
#define ITEMS_MAX 4096

static const char *const root_names[] = {"Facts", "Data", "Environ", NULL};

/* ---- lists of parts ---- */

struct parts {
	w_node_ref *items;
	size_t count;
	size_t cap;
};

static writ_status
add_part(struct w_parser *in, struct parts *parts, w_node_ref node)
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

static writ_status
link_parts(
    struct w_parser *in, struct w_expr_node *node, const struct parts *parts)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < parts->count; i++)
		status = w_parse_link(in, node, parts->items[i], NULL, NULL);
	node->as.list.items = parts->items;
	node->as.list.count = parts->count;
	node->as.list.function = NULL;
	return status;
}

static writ_status
make_literal(struct w_parser *in, size_t at, const struct w_value *value,
    w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	writ_status status = w_parse_node(in, W_NODE_LITERAL, at, &node);

	if (status != WRIT_OK)
		return status;
	node->as.literal = *value;
	*out_node = node;
	return WRIT_OK;
}

/* The next token as a text that an expression can hold. */
static writ_status
name_literal(struct w_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;
	char *text = w_arena_text(
	    in->tokens.arena, in->tokens.text + token->at, token->len);

	if (text == NULL)
		return w_fail_nomem(in->tokens.err, W_EXPR_STAGE);
	struct w_value value = w_value_text(text, token->len);
	writ_status status = make_literal(in, token->at, &value, out_node);
	return status == WRIT_OK ? w_parse_advance(in) : status;
}

/* ---- lists and maps ---- */

/* Reads items up to the sign that closes; the opening one is behind. */
static writ_status
parse_items(struct w_parser *in, const char *close,
    writ_status (*parse)(struct w_parser *in, struct parts *parts),
    struct parts *parts)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && !w_parse_sees(in, close)) {
		status = parse(in, parts);
		if (status != WRIT_OK || w_parse_sees(in, close))
			break;
		if (!w_parse_sees(in, ","))
			return w_parse_unexpected(
			    in, close[0] == ']'   ? "',' or ']'"
				: close[0] == '}' ? "',' or '}'"
						  : "',' or ')'");
		status = w_parse_advance(in);
	}
	return status == WRIT_OK ? w_parse_advance(in) : status;
}

static writ_status
parse_item(struct w_parser *in, struct parts *parts)
{
	w_node_ref item = NULL;
	writ_status status = w_parse_expression(in, &item);

	return status == WRIT_OK ? add_part(in, parts, item) : status;
}

static writ_status
parse_key(struct w_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;

	if (token->kind == W_TOKEN_NAME)
		return name_literal(in, out_node);
	if (token->kind != W_TOKEN_VALUE || token->value.kind != W_VALUE_STRING)
		return w_parse_unexpected(in, "the name of a member");
	writ_status status =
	    make_literal(in, token->at, &token->value, out_node);
	return status == WRIT_OK ? w_parse_advance(in) : status;
}

static writ_status
check_key(struct w_parser *in, const struct parts *parts, w_node_ref key)
{
	const struct w_value *name = &key->as.literal;
	size_t cost = 0;

	for (size_t i = 0; i < parts->count; i += 2) {
		if (w_value_equal(&parts->items[i]->as.literal, name, &cost))
			return w_token_fail(&in->tokens, key->at,
			    "the member '%s' is there twice",
			    name->as.string.text);
	}
	return WRIT_OK;
}

static writ_status
parse_member(struct w_parser *in, struct parts *parts)
{
	w_node_ref key = NULL;
	writ_status status = parse_key(in, &key);

	if (status == WRIT_OK)
		status = check_key(in, parts, key);
	if (status == WRIT_OK)
		status = w_parse_expect(in, ":");
	if (status == WRIT_OK)
		status = add_part(in, parts, key);
	return status == WRIT_OK ? parse_item(in, parts) : status;
}

/* [1, 2] or {a: 1}. */
static writ_status
parse_composite(struct w_parser *in, bool is_list, w_node_ref *out_node)
{
	struct parts parts = {0};
	struct w_expr_node *node = NULL;
	writ_status status = w_parse_node(
	    in, is_list ? W_NODE_LIST : W_NODE_MAP, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_parse_advance(in);
	if (status == WRIT_OK)
		status = parse_items(in, is_list ? "]" : "}",
		    is_list ? parse_item : parse_member, &parts);
	if (status == WRIT_OK)
		status = link_parts(in, node, &parts);
	if (status == WRIT_OK)
		*out_node = node;
	return status;
}

/* ---- calls ---- */

static writ_status
check_count(struct w_parser *in, const struct w_token *name,
    const struct w_expr_function *function, size_t count)
{
	if (count >= function->min && count <= function->max)
		return WRIT_OK;
	if (function->min == function->max)
		return w_token_fail(&in->tokens, name->at,
		    "%s() takes %u argument%s, not %zu", function->name,
		    function->min, function->min == 1 ? "" : "s", count);
	return w_token_fail(&in->tokens, name->at,
	    "%s() takes %u to %u arguments, not %zu", function->name,
	    function->min, function->max, count);
}

static writ_status
refuse_name(struct w_parser *in, const struct w_token *token, bool is_function)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "%.*s",
	    (int)(token->len < 60 ? token->len : 60),
	    in->tokens.text + token->at);
	(void)w_token_fail(&in->tokens, token->at, "unknown %s '%s'",
	    is_function ? "function" : "name", name);
	const char *nearest = is_function ? w_function_nearest(name)
					  : w_match_nearest(name, root_names);
	if (nearest != NULL)
		w_match_suggest(nearest, in->tokens.err);
	else if (strcmp(name, "matches") == 0)
		w_suggest(
		    in->tokens.err, "use contains, startsWith or endsWith");
	else if (!is_function)
		w_suggest(in->tokens.err,
		    "the names are Facts, Data and Environ; a text needs "
		    "quotes");
	return WRIT_E_INVALID;
}

/* Whether the brace that is next opens a map, not the braces that may stand
 * around a predicate. */
static bool
opens_map(const struct w_parser *in)
{
	struct w_parser ahead = *in;

	ahead.tokens.err = NULL;
	if (w_parse_advance(&ahead) != WRIT_OK || w_parse_sees(&ahead, "}"))
		return true;
	return (ahead.token.kind == W_TOKEN_NAME ||
		   ahead.token.kind == W_TOKEN_VALUE) &&
	       w_parse_advance(&ahead) == WRIT_OK && w_parse_sees(&ahead, ":");
}

static writ_status
parse_predicate(struct w_parser *in, struct parts *parts)
{
	bool has_braces = w_parse_sees(in, "{") && !opens_map(in);
	writ_status status = has_braces ? w_parse_advance(in) : WRIT_OK;

	in->predicates++;
	if (status == WRIT_OK)
		status = parse_item(in, parts);
	in->predicates--;
	if (status == WRIT_OK && has_braces)
		status = w_parse_expect(in, "}");
	return status;
}

/* Behind the opening parenthesis. */
static writ_status
parse_arguments(struct w_parser *in, const struct w_expr_function *function,
    struct parts *parts)
{
	writ_status status = WRIT_OK;

	/* The first was piped in, or is read here. */
	if (function->has_predicate && parts->count == 0 &&
	    !w_parse_sees(in, ")")) {
		status = parse_item(in, parts);
		if (status == WRIT_OK && w_parse_sees(in, ","))
			status = w_parse_advance(in);
		else if (status == WRIT_OK)
			return w_parse_expect(in, ")");
	}
	if (status != WRIT_OK)
		return status;
	return parse_items(in, ")",
	    function->has_predicate ? parse_predicate : parse_item, parts);
}

static void
note_call(struct w_parser *in, const struct w_expr_function *function,
    const struct parts *parts)
{
	if (function->lazy == w_function_lookup && parts->count > 0)
		in->uses |= w_lookup_uses(parts->items[0]);
	if (function->lazy == w_function_default)
		w_parse_tolerate(parts->items[0]);
	in->uses |= function->uses;
}

writ_status
w_parse_call(struct w_parser *in, const struct w_token *name, w_node_ref piped,
    w_node_ref *out_node)
{
	const struct w_expr_function *function =
	    w_function_find(in->tokens.text + name->at, name->len);
	struct parts parts = {0};
	struct w_expr_node *node = NULL;

	if (function == NULL)
		return refuse_name(in, name, true);
	writ_status status = w_parse_node(in, W_NODE_CALL, name->at, &node);
	if (status == WRIT_OK && piped != NULL)
		status = add_part(in, &parts, piped);
	/* x | upper needs no parentheses. */
	if (status == WRIT_OK && (piped == NULL || w_parse_sees(in, "("))) {
		status = w_parse_expect(in, "(");
		if (status == WRIT_OK)
			status = parse_arguments(in, function, &parts);
	}
	if (status == WRIT_OK)
		status = check_count(in, name, function, parts.count);
	if (status == WRIT_OK)
		status = link_parts(in, node, &parts);
	if (status != WRIT_OK)
		return status;
	note_call(in, function, &parts);
	node->as.list.function = function;
	*out_node = node;
	return WRIT_OK;
}

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
    struct w_parser *in, const struct w_token *token, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;

	for (unsigned i = 0; i < W_ROOT_COUNT; i++) {
		if (!w_token_is(&in->tokens, token, root_names[i]))
			continue;
		writ_status status =
		    w_parse_node(in, W_NODE_ROOT, token->at, &node);
		if (status != WRIT_OK)
			return status;
		node->root = (uint8_t)i;
		in->uses |= 1U << i;
		*out_node = node;
		return WRIT_OK;
	}
	return refuse_name(in, token, false);
}

static writ_status
parse_name(struct w_parser *in, w_node_ref *out_node)
{
	struct w_token token = in->token;
	writ_status status = w_parse_advance(in);

	if (status != WRIT_OK)
		return status;
	if (w_parse_sees(in, "("))
		return w_parse_call(in, &token, NULL, out_node);
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		if (w_token_is(&in->tokens, &token, constants[i].name))
			return make_literal(
			    in, token.at, &constants[i].value, out_node);
	}
	return parse_root(in, &token, out_node);
}

static writ_status
parse_number(struct w_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;

	if (token->magnitude > INT64_MAX)
		return w_token_fail(
		    &in->tokens, token->at, "the number is too large");
	struct w_value value = {
	    .kind = W_VALUE_INT, .as.integer = (int64_t)token->magnitude};
	writ_status status = make_literal(in, token->at, &value, out_node);
	return status == WRIT_OK ? w_parse_advance(in) : status;
}

/* # or, in front of a point that is next, nothing at all. */
static writ_status
parse_element(struct w_parser *in, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	bool is_written = w_parse_sees(in, "#");

	if (in->predicates == 0) {
		(void)w_parse_unexpected(in, "a value");
		if (is_written)
			w_suggest(in->tokens.err,
			    "'#' is the element in any(list, # == 1)");
		return WRIT_E_INVALID;
	}
	writ_status status =
	    w_parse_node(in, W_NODE_ELEMENT, in->token.at, &node);
	if (status != WRIT_OK)
		return status;
	*out_node = node;
	return is_written ? w_parse_advance(in) : WRIT_OK;
}

static writ_status
parse_group(struct w_parser *in, w_node_ref *out_node)
{
	writ_status status = w_parse_advance(in);

	if (status == WRIT_OK)
		status = w_parse_expression(in, out_node);
	return status == WRIT_OK ? w_parse_expect(in, ")") : status;
}

static writ_status
parse_value(struct w_parser *in, w_node_ref *out_node)
{
	const struct w_token *token = &in->token;

	if (token->kind == W_TOKEN_NAME)
		return parse_name(in, out_node);
	if (token->kind == W_TOKEN_INTEGER)
		return parse_number(in, out_node);
	if (token->kind == W_TOKEN_VALUE) {
		writ_status status =
		    make_literal(in, token->at, &token->value, out_node);
		return status == WRIT_OK ? w_parse_advance(in) : status;
	}
	if (w_parse_sees(in, "("))
		return parse_group(in, out_node);
	if (w_parse_sees(in, "[") || w_parse_sees(in, "{"))
		return parse_composite(in, w_parse_sees(in, "["), out_node);
	if (w_parse_sees(in, "#") || w_parse_sees(in, "."))
		return parse_element(in, out_node);
	return w_parse_unexpected(in, "a value");
}

/* ---- accesses ---- */

static writ_status
parse_index(struct w_parser *in, w_node_ref *out_key)
{
	writ_status status = w_parse_expression(in, out_key);

	return status == WRIT_OK ? w_parse_expect(in, "]") : status;
}

/* The sign that begins it is next. */
static writ_status
parse_access(struct w_parser *in, w_node_ref *io_node)
{
	w_node_ref object = *io_node;
	struct w_expr_node *node = NULL;
	w_node_ref key = NULL;
	bool is_index = w_parse_sees(in, "[");
	bool is_optional = w_parse_sees(in, "?.");
	writ_status status =
	    w_parse_node(in, W_NODE_ACCESS, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_parse_advance(in);
	if (status == WRIT_OK && is_optional && w_parse_sees(in, "[")) {
		is_index = true;
		status = w_parse_advance(in);
	}
	if (status != WRIT_OK)
		return status;
	if (is_index)
		status = parse_index(in, &key);
	else if (in->token.kind == W_TOKEN_NAME)
		status = name_literal(in, &key);
	else
		status = w_parse_unexpected(in, "the name of a member");
	if (status == WRIT_OK)
		status = w_parse_link(in, node, object, key, NULL);
	if (is_optional)
		node->flags = W_NODE_TOLERANT | W_NODE_THROUGH;
	*io_node = node;
	return status;
}

writ_status
w_parse_operand(struct w_parser *in, w_node_ref *out_node)
{
	w_node_ref node = NULL;
	writ_status status = parse_value(in, &node);
	bool goes_through = false;

	while (status == WRIT_OK &&
	       (w_parse_sees(in, ".") || w_parse_sees(in, "?.") ||
		   w_parse_sees(in, "["))) {
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
