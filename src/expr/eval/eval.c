/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Evaluates expressions. Every node costs a step, and so does every KiB of text
 * and every element that an operator or a function looks at; running out of
 * steps or memory is an error. The recursion is as deep as the tree.
 *
 * The secret mark propagates from inputs to results, also from the condition of
 * a choice to the chosen value.
 */

#include "expr/eval/eval.h"

#include <string.h>

#include "base/position.h"

/* ---- limits, memory and marks ---- */

writ_status
w_eval_locate(const struct w_eval *eval, const struct w_expr_node *node)
{
	w_locate_offset(eval->err, eval->expr->text, node->at);
	return WRIT_E_INVALID;
}

writ_status
w_eval_spend(struct w_eval *eval, const struct w_expr_node *node, size_t steps)
{
	if (steps > eval->steps)
		return w_eval_fail(
		    eval, node, "the expression takes too long to evaluate");
	eval->steps -= steps;
	return WRIT_OK;
}

writ_status
w_eval_alloc(struct w_eval *eval, const struct w_expr_node *node, size_t count,
    size_t size, void *out)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total) || total > eval->memory)
		return w_eval_fail(eval, node,
		    "the expression needs more than %zu MiB of memory",
		    W_EXPR_MEMORY_MAX >> 20);
	void *memory = w_arena_alloc(eval->arena, count, size);
	if (memory == NULL)
		return w_fail_nomem(eval->err, W_EXPR_STAGE);
	eval->memory -= total;
	memcpy(out, &memory, sizeof(memory));
	return WRIT_OK;
}

writ_status
w_eval_text(struct w_eval *eval, const struct w_expr_node *node, size_t len,
    char **out_text)
{
	if (len > W_VALUE_TEXT_MAX)
		return w_eval_fail(eval, node, "a text of more than %zu MiB",
		    W_VALUE_TEXT_MAX >> 20);
	writ_status status = w_eval_spend(eval, node, len >> 10);
	if (status != WRIT_OK)
		return status;
	return w_eval_alloc(eval, node, len + 1, 1, out_text);
}

writ_status
w_eval_copy(struct w_eval *eval, const struct w_expr_node *node,
    const char *from, size_t len, struct w_value *out_text)
{
	char *text = NULL;
	writ_status status = w_eval_text(eval, node, len, &text);

	if (status != WRIT_OK)
		return status;
	memcpy(text, from, len);
	*out_text = w_value_text(text, len);
	return WRIT_OK;
}

static void
look_for_secret(const struct w_value *value, size_t *cost, bool *io_found)
{
	*cost += 1;
	*io_found = *io_found || value->is_secret;
	if (value->kind == W_VALUE_LIST) {
		for (size_t i = 0; !*io_found && i < value->as.list.count; i++)
			look_for_secret(
			    &value->as.list.items[i], cost, io_found);
	} else if (value->kind == W_VALUE_MAP) {
		for (size_t i = 0; !*io_found && i < value->as.map.count; i++)
			look_for_secret(
			    &value->as.map.members[i].value, cost, io_found);
	}
}

writ_status
w_eval_taint(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *value, bool *io_is_secret)
{
	size_t cost = 0;

	look_for_secret(value, &cost, io_is_secret);
	return w_eval_spend(eval, node, cost);
}

/* How many values marking has to copy. */
static size_t
count_values(const struct w_value *value)
{
	size_t count = 1;

	if (value->kind == W_VALUE_LIST) {
		for (size_t i = 0; i < value->as.list.count; i++)
			count += count_values(&value->as.list.items[i]);
	} else if (value->kind == W_VALUE_MAP) {
		for (size_t i = 0; i < value->as.map.count; i++)
			count += count_values(&value->as.map.members[i].value);
	}
	return count;
}

writ_status
w_eval_mark(struct w_eval *eval, const struct w_expr_node *node, bool is_secret,
    struct w_value *io_value)
{
	struct w_value hidden = *io_value;

	if (!is_secret || io_value->is_secret)
		return WRIT_OK;
	writ_status status = w_eval_spend(eval, node, count_values(io_value));
	if (status == WRIT_OK)
		status =
		    w_value_hide(eval->arena, io_value, &hidden, eval->err);
	if (status == WRIT_OK)
		*io_value = hidden;
	return status;
}

/* ---- nodes ---- */

static writ_status
eval_root(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	const struct w_value *root = eval->scope->root(
	    eval->scope->ctx, (enum w_expr_root)node->root, eval->err);

	if (root == NULL) {
		(void)w_eval_locate(eval, node);
		return eval->err == NULL ? WRIT_E_INVALID : eval->err->status;
	}
	*out_value = *root;
	return WRIT_OK;
}

static writ_status
eval_list(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	size_t count = node->as.list.count;
	struct w_value *items = NULL;
	writ_status status =
	    w_eval_alloc(eval, node, count, sizeof(*items), &items);

	for (size_t i = 0; status == WRIT_OK && i < count; i++)
		status = w_eval_node(eval, node->as.list.items[i], &items[i]);
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_LIST,
		    .as.list = {.items = items, .count = count}};
	return status;
}

static writ_status
eval_map(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	size_t count = node->as.list.count / 2;
	struct w_value_member *members = NULL;
	writ_status status =
	    w_eval_alloc(eval, node, count, sizeof(*members), &members);

	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		struct w_expr_node **pair = node->as.list.items + 2 * i;

		members[i].name = pair[0]->as.literal.as.string.text;
		members[i].len = pair[0]->as.literal.as.string.len;
		status = w_eval_node(eval, pair[1], &members[i].value);
	}
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_MAP,
		    .as.map = {.members = members, .count = count}};
	return status;
}

static writ_status
eval_bool(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_expr_node *part, struct w_value *out_value)
{
	writ_status status = w_eval_node(eval, part, out_value);

	if (status != WRIT_OK || out_value->kind == W_VALUE_BOOL)
		return status;
	return w_eval_fail(eval, part, "%s must be true or false, and is %s",
	    node->kind == W_NODE_CHOOSE ? "what is before '?'"
					: "an operand of this operator",
	    w_value_kind_words(out_value->kind));
}

static writ_status
eval_choice(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	struct w_value condition;
	writ_status status =
	    eval_bool(eval, node, node->as.of.left, &condition);

	if (status != WRIT_OK)
		return status;
	status = w_eval_node(eval,
	    condition.as.boolean ? node->as.of.right : node->as.of.third,
	    out_value);
	if (status != WRIT_OK)
		return status;
	return w_eval_mark(eval, node, condition.is_secret, out_value);
}

/* && and ||: the right side is evaluated only if it matters. */
static writ_status
eval_logic(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	struct w_value left;
	struct w_value right;
	writ_status status = eval_bool(eval, node, node->as.of.left, &left);

	if (status != WRIT_OK)
		return status;
	if (left.as.boolean == (node->kind == W_NODE_OR)) {
		*out_value = left;
		return WRIT_OK;
	}
	status = eval_bool(eval, node, node->as.of.right, &right);
	if (status != WRIT_OK)
		return status;
	right.is_secret = right.is_secret || left.is_secret;
	*out_value = right;
	return WRIT_OK;
}

static writ_status
eval_coalesce(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	writ_status status = w_eval_node(eval, node->as.of.left, out_value);

	if (status != WRIT_OK || out_value->kind != W_VALUE_NULL)
		return status;
	bool is_secret = out_value->is_secret;
	status = w_eval_node(eval, node->as.of.right, out_value);
	if (status != WRIT_OK)
		return status;
	return w_eval_mark(eval, node, is_secret, out_value);
}

/* let: the value is seen by the body alone. */
static writ_status
eval_let(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	struct w_value value = {.kind = W_VALUE_NULL};
	writ_status status = WRIT_OK;

	if (eval->locals == NULL)
		status = w_eval_alloc(eval, node, W_EXPR_LOCALS_MAX,
		    sizeof(*eval->locals), &eval->locals);
	if (status == WRIT_OK)
		status = w_eval_node(eval, node->as.of.left, &value);
	if (status != WRIT_OK)
		return status;
	eval->locals[node->root] = value;
	return w_eval_node(eval, node->as.of.right, out_value);
}

/* # and what belongs to it. */
static writ_status
eval_walk(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	if (node->kind == W_NODE_ELEMENT && eval->element != NULL)
		*out_value = *eval->element;
	else if (node->kind == W_NODE_INDEX && eval->element != NULL)
		*out_value = (struct w_value){
		    .kind = W_VALUE_INT, .as.integer = (int64_t)eval->index};
	else if (node->kind == W_NODE_TOTAL && eval->total != NULL)
		*out_value = *eval->total;
	else
		return w_eval_fail(eval, node, "%s",
		    node->kind == W_NODE_TOTAL
			? "'#acc' is there in reduce() alone"
			: "there is no element here");
	return WRIT_OK;
}

static writ_status
eval_pair(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	struct w_value left = {0};
	struct w_value right = {0};
	writ_status status = w_eval_node(eval, node->as.of.left, &left);

	/* Negation has no right operand. */
	if (status == WRIT_OK && node->kind != W_NODE_NEGATE)
		status = w_eval_node(eval, node->as.of.right, &right);
	if (status != WRIT_OK)
		return status;
	if (node->kind == W_NODE_RANGE)
		return w_eval_range(eval, node, &left, &right, out_value);
	if (node->kind >= W_NODE_ADD || node->kind == W_NODE_NEGATE)
		return w_eval_arithmetic(eval, node, &left, &right, out_value);
	return w_eval_compare(eval, node, &left, &right, out_value);
}

/* Nodes that are not operators. */
static writ_status
eval_operand(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	switch (node->kind) {
	case W_NODE_LITERAL:
		*out_value = node->as.literal;
		return WRIT_OK;
	case W_NODE_ELEMENT:
	case W_NODE_INDEX:
	case W_NODE_TOTAL:
		return eval_walk(eval, node, out_value);
	case W_NODE_LOCAL:
		*out_value = eval->locals[node->root];
		return WRIT_OK;
	case W_NODE_LET:
		return eval_let(eval, node, out_value);
	case W_NODE_SLICE:
		return w_eval_slice(eval, node, out_value);
	case W_NODE_ROOT:
		return eval_root(eval, node, out_value);
	case W_NODE_ACCESS:
		return w_eval_access(eval, node, out_value);
	case W_NODE_LIST:
		return eval_list(eval, node, out_value);
	case W_NODE_MAP:
		return eval_map(eval, node, out_value);
	default:
		return w_function_call(eval, node, out_value);
	}
}

writ_status
w_eval_node(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	writ_status status = w_eval_spend(eval, node, 1);

	if (status != WRIT_OK)
		return status;
	if (node->kind <= W_NODE_CALL)
		return eval_operand(eval, node, out_value);
	switch (node->kind) {
	case W_NODE_CHOOSE:
		return eval_choice(eval, node, out_value);
	case W_NODE_NOT:
		status = eval_bool(eval, node, node->as.of.left, out_value);
		if (status == WRIT_OK)
			out_value->as.boolean = !out_value->as.boolean;
		return status;
	case W_NODE_COALESCE:
		return eval_coalesce(eval, node, out_value);
	case W_NODE_OR:
	case W_NODE_AND:
		return eval_logic(eval, node, out_value);
	default:
		return eval_pair(eval, node, out_value);
	}
}
