/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Operators, by precedence climbing. From the loosest to the tightest:
 *
 *     let    ?:    |    || or    && and    not    == < in contains matches …
 *     ..    + -    * / %    ! and - in front    ** ^    ??
 *
 * The height of a tree, and so the recursion, is bounded by W_EXPR_DEPTH_MAX.
 */

#include "expr/parse/expr_parser.h"

#include <string.h>

enum expr_parser_level {
	LEVEL_PIPE,
	LEVEL_OR,
	LEVEL_AND,
	LEVEL_COMPARE,
	LEVEL_RANGE,
	LEVEL_ADD,
	LEVEL_MULTIPLY,
	LEVEL_POWER,
	LEVEL_COALESCE
};

static const struct operator
{
	const char *spelling;
	enum expr_parser_level level;
	enum w_expr_node_kind kind;
}
operators[] = {
    {"|", LEVEL_PIPE, W_NODE_CALL},
    {"||", LEVEL_OR, W_NODE_OR},
    {"or", LEVEL_OR, W_NODE_OR},
    {"&&", LEVEL_AND, W_NODE_AND},
    {"and", LEVEL_AND, W_NODE_AND},
    {"==", LEVEL_COMPARE, W_NODE_EQUAL},
    {"!=", LEVEL_COMPARE, W_NODE_UNEQUAL},
    {"<", LEVEL_COMPARE, W_NODE_LESS},
    {"<=", LEVEL_COMPARE, W_NODE_LESS_EQUAL},
    {">", LEVEL_COMPARE, W_NODE_MORE},
    {">=", LEVEL_COMPARE, W_NODE_MORE_EQUAL},
    {"in", LEVEL_COMPARE, W_NODE_IN},
    {"not", LEVEL_COMPARE, W_NODE_NOT_IN},
    {"contains", LEVEL_COMPARE, W_NODE_CONTAINS},
    {"startsWith", LEVEL_COMPARE, W_NODE_STARTS_WITH},
    {"endsWith", LEVEL_COMPARE, W_NODE_ENDS_WITH},
    {"matches", LEVEL_COMPARE, W_NODE_MATCHES},
    {"..", LEVEL_RANGE, W_NODE_RANGE},
    {"+", LEVEL_ADD, W_NODE_ADD},
    {"-", LEVEL_ADD, W_NODE_SUBTRACT},
    {"*", LEVEL_MULTIPLY, W_NODE_MULTIPLY},
    {"/", LEVEL_MULTIPLY, W_NODE_DIVIDE},
    {"%", LEVEL_MULTIPLY, W_NODE_REMAINDER},
    {"**", LEVEL_POWER, W_NODE_POWER},
    {"^", LEVEL_POWER, W_NODE_POWER},
    {"??", LEVEL_COALESCE, W_NODE_COALESCE},
};

/* ---- shared helpers ---- */

writ_status
w_expr_parse_advance(struct w_expr_parser *in)
{
	return w_token_next(&in->tokens, &in->token);
}

bool
w_expr_parse_sees(const struct w_expr_parser *in, const char *spelling)
{
	return w_token_is(&in->tokens, &in->token, spelling);
}

writ_status
w_expr_parse_unexpected(struct w_expr_parser *in, const char *expected)
{
	const struct w_token *token = &in->token;
	size_t len = token->len < 40 ? token->len : 40;

	if (token->kind == W_TOKEN_END)
		return w_token_fail(&in->tokens, token->at,
		    "the expression ends where %s should be", expected);
	(void)w_token_fail(&in->tokens, token->at,
	    "unexpected '%.*s' where %s should be", (int)len,
	    in->tokens.text + token->at, expected);
	if (w_expr_parse_sees(in, "="))
		w_suggest(in->tokens.err, "compare with '=='");
	return WRIT_E_INVALID;
}

writ_status
w_expr_parse_expect(struct w_expr_parser *in, const char *spelling)
{
	char expected[8] = {'\''};

	if (w_expr_parse_sees(in, spelling))
		return w_expr_parse_advance(in);
	(void)strncat(expected, spelling, 4);
	(void)strncat(expected, "'", 2);
	return w_expr_parse_unexpected(in, expected);
}

static writ_status
refuse_depth(struct w_expr_parser *in, size_t at)
{
	return w_token_fail(&in->tokens, at,
	    "the expression is nested more than %d levels deep",
	    W_EXPR_DEPTH_MAX);
}

writ_status
w_expr_parse_enter(struct w_expr_parser *in)
{
	/* An operand in parentheses takes two levels: itself and its contents.
	 */
	if (in->depth == 2 * W_EXPR_DEPTH_MAX)
		return refuse_depth(in, in->token.at);
	in->depth++;
	return WRIT_OK;
}

writ_status
w_expr_parse_node(struct w_expr_parser *in, enum w_expr_node_kind kind,
    size_t at, struct w_expr_node **out_node)
{
	struct w_expr_node *node =
	    w_arena_alloc(in->tokens.arena, 1, sizeof(*node));

	if (node == NULL)
		return w_fail_nomem(in->tokens.err, W_EXPR_STAGE);
	node->kind = (uint8_t)kind;
	node->height = 1;
	node->at = (uint32_t)at;
	*out_node = node;
	return WRIT_OK;
}

writ_status
w_expr_parse_link(struct w_expr_parser *in, struct w_expr_node *node,
    w_node_ref left, w_node_ref right, w_node_ref third)
{
	const w_node_ref parts[] = {left, right, third};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i] != NULL && parts[i]->height >= node->height)
			node->height = (uint8_t)(parts[i]->height + 1);
	}
	node->as.of.left = left;
	node->as.of.right = right;
	node->as.of.third = third;
	if (node->height > W_EXPR_DEPTH_MAX)
		return refuse_depth(in, node->at);
	return WRIT_OK;
}

void
w_expr_parse_tolerate(w_node_ref node)
{
	while (node->kind == W_NODE_ACCESS || node->kind == W_NODE_SLICE ||
	       node->kind == W_NODE_COALESCE) {
		bool is_access = node->kind != W_NODE_COALESCE;

		node->flags |= W_NODE_TOLERANT;
		/* In a ?? b, a is already tolerant. */
		node = is_access ? node->as.of.left : node->as.of.right;
	}
	if (node->kind == W_NODE_CALL)
		node->flags |= W_NODE_TOLERANT;
}

/* ---- operators ---- */

static writ_status parse_first(struct w_expr_parser *in, w_node_ref *out_node);

static writ_status parse_level(struct w_expr_parser *in,
    enum expr_parser_level level, w_node_ref *out_node);

/* The operator itself is next. */
static writ_status
parse_unary(struct w_expr_parser *in, enum w_expr_node_kind kind,
    enum expr_parser_level level, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	w_node_ref operand = NULL;
	writ_status status = w_expr_parse_node(in, kind, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK)
		status = parse_level(in, level, &operand);
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, operand, NULL, NULL);
	*out_node = node;
	return status;
}

/* -9223372036854775808 has no positive counterpart to negate. */
static writ_status
parse_minus(struct w_expr_parser *in, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	size_t at = in->token.at;
	struct w_expr_parser ahead = *in;
	writ_status status = w_expr_parse_advance(&ahead);

	if (status != WRIT_OK)
		return status;
	if (ahead.token.kind != W_TOKEN_INTEGER ||
	    ahead.token.magnitude != (uint64_t)INT64_MAX + 1)
		return parse_unary(in, W_NODE_NEGATE, LEVEL_POWER, out_node);
	*in = ahead;
	status = w_expr_parse_node(in, W_NODE_LITERAL, at, &node);
	if (status != WRIT_OK)
		return status;
	node->as.literal =
	    (struct w_value){.kind = W_VALUE_INT, .as.integer = INT64_MIN};
	*out_node = node;
	return w_expr_parse_advance(in);
}

static writ_status
parse_braced(struct w_expr_parser *in, w_node_ref *out_node)
{
	writ_status status = w_expr_parse_expect(in, "{");

	if (status == WRIT_OK)
		status = w_expr_parse_expression(in, out_node);
	return status == WRIT_OK ? w_expr_parse_expect(in, "}") : status;
}

/* if c { a } else { b }; another if may follow else. It is next. */
static writ_status
parse_if(struct w_expr_parser *in, w_node_ref *out_node)
{
	struct w_expr_node *node = NULL;
	w_node_ref condition = NULL;
	w_node_ref yes = NULL;
	w_node_ref no = NULL;
	writ_status status =
	    w_expr_parse_node(in, W_NODE_CHOOSE, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK)
		status = w_expr_parse_expression(in, &condition);
	if (status == WRIT_OK)
		status = parse_braced(in, &yes);
	if (status == WRIT_OK)
		status = w_expr_parse_expect(in, "else");
	if (status == WRIT_OK)
		status = w_expr_parse_sees(in, "if") ? parse_first(in, &no)
						     : parse_braced(in, &no);
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, condition, yes, no);
	*out_node = node;
	return status;
}

static writ_status
parse_first(struct w_expr_parser *in, w_node_ref *out_node)
{
	writ_status status = w_expr_parse_enter(in);

	if (status != WRIT_OK)
		return status;
	if (w_expr_parse_sees(in, "not"))
		status = parse_unary(in, W_NODE_NOT, LEVEL_COMPARE, out_node);
	else if (w_expr_parse_sees(in, "!"))
		status = parse_unary(in, W_NODE_NOT, LEVEL_COALESCE, out_node);
	else if (w_expr_parse_sees(in, "-"))
		status = parse_minus(in, out_node);
	else if (w_expr_parse_sees(in, "if"))
		status = parse_if(in, out_node);
	else
		status = w_expr_parse_operand(in, out_node);
	in->depth--;
	return status;
}

static const struct operator* next_operator(const struct w_expr_parser *in)
{
	if (in->token.kind != W_TOKEN_NAME && in->token.kind != W_TOKEN_SIGN)
		return NULL;
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (w_expr_parse_sees(in, operators[i].spelling))
			return &operators[i];
	}
	return NULL;
}

static writ_status
parse_pipe(struct w_expr_parser *in, w_node_ref *io_left)
{
	struct w_token name = in->token;

	if (name.kind != W_TOKEN_NAME)
		return w_expr_parse_unexpected(in, "a function");
	writ_status status = w_expr_parse_advance(in);
	if (status != WRIT_OK)
		return status;
	return w_expr_parse_call(in, &name, *io_left, io_left);
}

/* What follows the not of an operator: x not in y, x not matches y. */
static writ_status
parse_negated(struct w_expr_parser *in, enum w_expr_node_kind *out_kind)
{
	const struct operator* way = next_operator(in);

	if (way == NULL || way->kind < W_NODE_IN ||
	    way->kind > W_NODE_MATCHES || way->kind == W_NODE_NOT_IN)
		return w_expr_parse_unexpected(in, "'in'");
	*out_kind = way->kind == W_NODE_IN ? W_NODE_NOT_IN : way->kind;
	return w_expr_parse_advance(in);
}

static writ_status
negate(struct w_expr_parser *in, w_node_ref *io_node)
{
	struct w_expr_node *node = NULL;
	writ_status status =
	    w_expr_parse_node(in, W_NODE_NOT, (*io_node)->at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, *io_node, NULL, NULL);
	*io_node = node;
	return status;
}

/* An operator is next. */
static writ_status
parse_rest(
    struct w_expr_parser *in, const struct operator* way, w_node_ref *io_left)
{
	struct w_expr_node *node = NULL;
	w_node_ref right = NULL;
	size_t at = in->token.at;
	bool is_negated = way->kind == W_NODE_NOT_IN;
	enum w_expr_node_kind kind = way->kind;
	/* 2 ** 3 ** 2 is 2 ** 9; the others group from the left. */
	enum expr_parser_level level =
	    way->level == LEVEL_POWER ? way->level : way->level + 1;
	writ_status status = w_expr_parse_advance(in);

	if (status == WRIT_OK && is_negated)
		status = parse_negated(in, &kind);
	if (status == WRIT_OK && way->level == LEVEL_PIPE)
		return parse_pipe(in, io_left);
	if (status == WRIT_OK)
		status = parse_level(in, level, &right);
	if (status == WRIT_OK)
		status = w_expr_parse_node(in, kind, at, &node);
	if (status != WRIT_OK)
		return status;
	if (kind == W_NODE_COALESCE)
		w_expr_parse_tolerate(*io_left);
	if (kind == W_NODE_MATCHES)
		status = w_expr_parse_check_pattern(in, right);
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, *io_left, right, NULL);
	*io_left = node;
	if (status == WRIT_OK && is_negated && kind != W_NODE_NOT_IN)
		status = negate(in, io_left);
	return status;
}

static writ_status
parse_level(struct w_expr_parser *in, enum expr_parser_level level,
    w_node_ref *out_node)
{
	w_node_ref left = NULL;
	writ_status status = parse_first(in, &left);

	while (status == WRIT_OK) {
		const struct operator* way = next_operator(in);

		if (way == NULL || way->level < level)
			break;
		status = parse_rest(in, way, &left);
	}
	*out_node = left;
	return status;
}

/* condition ? yes : no. The question mark is next. */
static writ_status
parse_choice(struct w_expr_parser *in, w_node_ref *io_node)
{
	struct w_expr_node *node = NULL;
	w_node_ref yes = NULL;
	w_node_ref no = NULL;
	writ_status status =
	    w_expr_parse_node(in, W_NODE_CHOOSE, in->token.at, &node);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(in);
	if (status == WRIT_OK)
		status = w_expr_parse_expression(in, &yes);
	if (status == WRIT_OK)
		status = w_expr_parse_expect(in, ":");
	if (status == WRIT_OK)
		status = w_expr_parse_expression(in, &no);
	if (status == WRIT_OK)
		status = w_expr_parse_link(in, node, *io_node, yes, no);
	*io_node = node;
	return status;
}

writ_status
w_expr_parse_expression(struct w_expr_parser *in, w_node_ref *out_node)
{
	w_node_ref node = NULL;
	writ_status status = w_expr_parse_enter(in);

	if (status != WRIT_OK)
		return status;
	if (w_expr_parse_sees(in, "let"))
		status = w_expr_parse_let(in, &node);
	else
		status = parse_level(in, LEVEL_PIPE, &node);
	if (status == WRIT_OK && w_expr_parse_sees(in, "?"))
		status = parse_choice(in, &node);
	in->depth--;
	*out_node = node;
	return status;
}
