/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_PARSER_H
#define W_EXPR_PARSER_H

#include "expr/token.h"
#include "expr/tree.h"

struct w_parser {
	struct w_tokens tokens;
	struct w_token token; /* the one that is next */
	unsigned depth;
	unsigned predicates; /* that are being read: # has a meaning */
	unsigned uses;
};

typedef struct w_expr_node *w_node_ref;

writ_status w_parse_expression(struct w_parser *in, w_node_ref *out_node);

/* What stands between operators, with what follows it: .name [i]. */
writ_status w_parse_operand(struct w_parser *in, w_node_ref *out_node);

/* A call of the function of that name, its parentheses next. piped is its
 * first argument, or NULL. */
writ_status w_parse_call(struct w_parser *in, const struct w_token *name,
    w_node_ref piped, w_node_ref *out_node);

/* What both halves use. */
writ_status w_parse_advance(struct w_parser *in);
bool w_parse_sees(const struct w_parser *in, const char *spelling);
writ_status w_parse_expect(struct w_parser *in, const char *spelling);

/* Says what was expected instead of the next token. */
writ_status w_parse_unexpected(struct w_parser *in, const char *expected);
writ_status w_parse_enter(struct w_parser *in);

/* A new node: its parts make its height. */
writ_status w_parse_node(struct w_parser *in, enum w_node_kind kind, size_t at,
    struct w_expr_node **out_node);
writ_status w_parse_link(struct w_parser *in, struct w_expr_node *node,
    w_node_ref left, w_node_ref right, w_node_ref third);

/* What is missing in it is null: it is on the left of ??. */
void w_parse_tolerate(w_node_ref node);

#endif /* W_EXPR_PARSER_H */
