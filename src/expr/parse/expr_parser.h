/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_EXPR_PARSER_H
#define W_EXPR_EXPR_PARSER_H

#include "expr/parse/expr_tree.h"
#include "expr/parse/token.h"

struct w_expr_parser {
	struct w_tokens tokens;
	struct w_token token; /* the next token */
	unsigned depth;
	unsigned predicates; /* nesting of predicates; # is valid inside */
	unsigned uses;
	struct w_expr_locals locals; /* what let has named so far */
};

typedef struct w_expr_node *w_node_ref;

writ_status w_expr_parse_expression(
    struct w_expr_parser *in, w_node_ref *out_node);

/* let NAME = value; body. It is next. */
writ_status w_expr_parse_let(struct w_expr_parser *in, w_node_ref *out_node);

/* A name that let has given; *out_node is NULL if it has not. */
writ_status w_expr_parse_local(
    struct w_expr_parser *in, const struct w_token *name, w_node_ref *out_node);

/* The pattern of matches is checked here if it is a literal. */
writ_status w_expr_parse_check_pattern(
    struct w_expr_parser *in, const struct w_expr_node *pattern);

/* The part of a slice behind its '['; from is NULL in x[:2]. The ':' is next.
 */
writ_status w_expr_parse_slice(struct w_expr_parser *in, size_t at,
    w_node_ref object, w_node_ref from, w_node_ref *out_node);

/* An operand with the accesses after it: .name [i]. */
writ_status w_expr_parse_operand(
    struct w_expr_parser *in, w_node_ref *out_node);

/* Parses a call; its parentheses are next. piped: its first argument, or NULL.
 */
writ_status w_expr_parse_call(struct w_expr_parser *in,
    const struct w_token *name, w_node_ref piped, w_node_ref *out_node);

/* Shared helpers. */
writ_status w_expr_parse_advance(struct w_expr_parser *in);
bool w_expr_parse_sees(const struct w_expr_parser *in, const char *spelling);
writ_status w_expr_parse_expect(struct w_expr_parser *in, const char *spelling);

/* Fails: the next token is not what was expected. */
writ_status w_expr_parse_unexpected(
    struct w_expr_parser *in, const char *expected);
writ_status w_expr_parse_enter(struct w_expr_parser *in);

/* Creates a node; linking its parts sets its height. */
writ_status w_expr_parse_node(struct w_expr_parser *in,
    enum w_expr_node_kind kind, size_t at, struct w_expr_node **out_node);
writ_status w_expr_parse_link(struct w_expr_parser *in,
    struct w_expr_node *node, w_node_ref left, w_node_ref right,
    w_node_ref third);

/* ---- for operands ---- */

struct w_expr_parser_parts {
	w_node_ref *items;
	size_t count;
	size_t cap;
};

writ_status w_expr_parse_add_part(struct w_expr_parser *in,
    struct w_expr_parser_parts *parts, w_node_ref node);
writ_status w_expr_parse_link_parts(struct w_expr_parser *in,
    struct w_expr_node *node, const struct w_expr_parser_parts *parts);

/* Parses one more part, an expression. */
writ_status w_expr_parse_item(
    struct w_expr_parser *in, struct w_expr_parser_parts *parts);

/* Parses parts up to the closing sign; the opening one was read. */
writ_status w_expr_parse_items(struct w_expr_parser *in, const char *close,
    writ_status (*parse)(
	struct w_expr_parser *in, struct w_expr_parser_parts *parts),
    struct w_expr_parser_parts *parts);

/* [1, 2] or {a: 1}. */
writ_status w_expr_parse_composite(
    struct w_expr_parser *in, bool is_list, w_node_ref *out_node);

writ_status w_expr_parse_literal(struct w_expr_parser *in, size_t at,
    const struct w_value *value, w_node_ref *out_node);

/* The next token as a string. */
writ_status w_expr_parse_name(struct w_expr_parser *in, w_node_ref *out_node);

/* Names of the roots; NULL-ended. */
extern const char *const w_expr_parse_roots[];

writ_status w_expr_parse_refuse_name(
    struct w_expr_parser *in, const struct w_token *token, bool is_function);

/* Makes missing members null: for the left side of ??. */
void w_expr_parse_tolerate(w_node_ref node);

#endif /* W_EXPR_EXPR_PARSER_H */
