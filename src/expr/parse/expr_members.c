/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the members of a root that an expression names. */

#include "expr/parse/expr_tree.h"

struct expr_members {
	const struct w_expr *expr;
	enum w_expr_root root;
	bool (*fn)(void *ctx, const struct w_expr_member *member);
	void *ctx;
};

static bool walk_members(
    const struct expr_members *members, const struct w_expr_node *node);

static bool
walk_list(const struct expr_members *members, const struct w_expr_node *node)
{
	for (size_t i = 0; i < node->as.list.count; i++) {
		if (!walk_members(members, node->as.list.items[i]))
			return false;
	}
	return true;
}

/* Root.name and Root['name'], unless it may be missing. */
static bool
tell_member(const struct expr_members *members, const struct w_expr_node *node)
{
	const struct w_expr_node *of = node->as.of.left;
	const struct w_expr_node *name = node->as.of.right;

	if (of->kind != W_NODE_ROOT || of->root != members->root ||
	    name->kind != W_NODE_LITERAL ||
	    name->as.literal.kind != W_VALUE_STRING ||
	    (node->flags & W_NODE_TOLERANT) != 0)
		return true;
	const struct w_expr_member member = {
	    .name = name->as.literal.as.string.text,
	    .len = name->as.literal.as.string.len,
	    .text = members->expr->text,
	    .at = name->at,
	};
	return members->fn(members->ctx, &member);
}

/* No deeper than the parser allows. */
static bool
walk_members(const struct expr_members *members, const struct w_expr_node *node)
{
	if (node == NULL)
		return true;
	switch (node->kind) {
	case W_NODE_LITERAL:
	case W_NODE_ROOT:
	case W_NODE_ELEMENT:
	case W_NODE_INDEX:
	case W_NODE_TOTAL:
	case W_NODE_LOCAL:
		return true;
	case W_NODE_LIST:
	case W_NODE_MAP:
	case W_NODE_CALL:
		return walk_list(members, node);
	case W_NODE_ACCESS:
		if (!tell_member(members, node))
			return false;
		break;
	default:
		break;
	}
	return walk_members(members, node->as.of.left) &&
	       walk_members(members, node->as.of.right) &&
	       walk_members(members, node->as.of.third);
}

bool
w_expr_members(const struct w_expr *expr, enum w_expr_root root,
    bool (*fn)(void *ctx, const struct w_expr_member *member), void *ctx)
{
	const struct expr_members members = {
	    .expr = expr, .root = root, .fn = fn, .ctx = ctx};

	return walk_members(&members, expr->tree);
}
