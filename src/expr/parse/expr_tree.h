/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_EXPR_TREE_H
#define W_EXPR_EXPR_TREE_H

#include "expr/expr.h"

/* The expression tree. It lives in an arena and is private to this layer. */
enum w_expr_node_kind {
	W_NODE_LITERAL, /* literal */
	W_NODE_ROOT,    /* Facts, Data, Environ */
	W_NODE_ELEMENT, /* # */
	W_NODE_INDEX,   /* #index */
	W_NODE_TOTAL,   /* #acc, in reduce() */
	W_NODE_LOCAL,   /* a name that let has given */
	W_NODE_LET,     /* let NAME = left; right */
	W_NODE_SLICE,   /* left[right:third]; each of the two may be NULL */
	W_NODE_ACCESS,  /* left.right, left[right] */
	W_NODE_LIST,    /* list */
	W_NODE_MAP,     /* list: name, value, name, value */
	W_NODE_CALL,    /* call */
	W_NODE_CHOOSE,  /* left ? right : third */
	W_NODE_NOT,     /* left */
	W_NODE_NEGATE,  /* left */
	/* The others have left and right. */
	W_NODE_COALESCE,
	W_NODE_OR,
	W_NODE_AND,
	W_NODE_EQUAL,
	W_NODE_UNEQUAL,
	W_NODE_LESS,
	W_NODE_LESS_EQUAL,
	W_NODE_MORE,
	W_NODE_MORE_EQUAL,
	W_NODE_IN,
	W_NODE_NOT_IN,
	W_NODE_CONTAINS,
	W_NODE_STARTS_WITH,
	W_NODE_ENDS_WITH,
	W_NODE_MATCHES,
	W_NODE_RANGE,
	W_NODE_ADD,
	W_NODE_SUBTRACT,
	W_NODE_MULTIPLY,
	W_NODE_DIVIDE,
	W_NODE_REMAINDER,
	W_NODE_POWER,
};

/* Access: a missing member is null (?. and the left side of ??). */
#define W_NODE_TOLERANT 1U
/* Access: a member of null is null (after a ?.). */
#define W_NODE_THROUGH 2U

struct w_expr_function;

struct w_expr_node {
	uint8_t kind;
	uint8_t height; /* W_EXPR_DEPTH_MAX at most */
	uint8_t flags;
	uint8_t root; /* of a root; of let and its name: which */
	uint32_t at;  /* offset in the text */
	union {
		struct w_value literal;
		struct {
			struct w_expr_node *left;
			struct w_expr_node *right;
			struct w_expr_node *third;
		} of;
		struct {
			struct w_expr_node **items;
			size_t count;
			const struct w_expr_function *function;
		} list;
	} as;
};

struct w_expr {
	const char *text; /* the text that offsets refer to */
	const struct w_expr_node *tree;
	unsigned uses;
};

#define W_EXPR_STAGE "expression"

/* Names that let, or a block of a text, may have given at one place. */
#define W_EXPR_LOCALS_MAX 32

struct w_expr_locals {
	struct {
		const char *name; /* in the text */
		size_t len;
	} items[W_EXPR_LOCALS_MAX];
	size_t count;
};

/* Compiles text[from..end), which must outlive the expression; positions refer
 * to the whole text. Checks the length. */
writ_status w_expr_compile_part(struct w_arena *arena, const char *text,
    size_t from, size_t end, const struct w_expr **out_expr, writ_error *err);

/* Likewise, where names are known already. */
struct w_expr_part {
	const char *text;
	size_t from;
	size_t end;
	const struct w_expr_locals *locals;
	bool has_element; /* # and .name are known */
};
writ_status w_expr_compile_within(struct w_arena *arena,
    const struct w_expr_part *part, const struct w_expr **out_expr,
    writ_error *err);

#endif /* W_EXPR_EXPR_TREE_H */
