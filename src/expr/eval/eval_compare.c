/* SPDX-License-Identifier: Apache-2.0 */

/* Comparisons: == != < <= > >= in contains startsWith endsWith
 * matches. */

#include <string.h>

#include "expr/eval/eval.h"

static int
order_texts(const struct w_value *left, const struct w_value *right)
{
	size_t left_len = left->as.string.len;
	size_t right_len = right->as.string.len;
	int way = memcmp(left->as.string.text, right->as.string.text,
	    left_len < right_len ? left_len : right_len);

	if (way != 0)
		return way;
	return (left_len > right_len) - (left_len < right_len);
}

static bool
eval_compare_is_number(const struct w_value *value)
{
	return value->kind == W_VALUE_INT || value->kind == W_VALUE_FLOAT;
}

static writ_status
compare_order(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right, bool *out_holds)
{
	int way;

	if (eval_compare_is_number(left) && eval_compare_is_number(right))
		way = w_value_order_numbers(left, right);
	else if (left->kind == W_VALUE_STRING && right->kind == W_VALUE_STRING)
		way = order_texts(left, right);
	else
		return w_eval_fail(eval, node,
		    "%s and %s have no order: two numbers or two strings do",
		    w_value_kind_words(left->kind),
		    w_value_kind_words(right->kind));
	if (node->kind == W_NODE_LESS)
		*out_holds = way < 0;
	else if (node->kind == W_NODE_LESS_EQUAL)
		*out_holds = way <= 0;
	else if (node->kind == W_NODE_MORE)
		*out_holds = way > 0;
	else
		*out_holds = way >= 0;
	return left->kind == W_VALUE_STRING
		   ? w_eval_spend(eval, node, left->as.string.len >> 10)
		   : WRIT_OK;
}

static writ_status
eval_compare_find_in(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right, bool *out_holds)
{
	size_t cost = 0;
	bool found = false;

	if (right->kind == W_VALUE_MAP && left->kind == W_VALUE_STRING) {
		found = w_value_member(right, left->as.string.text,
			    left->as.string.len) != NULL;
		cost = right->is_indexed ? 1 : right->as.map.count;
	} else if (right->kind == W_VALUE_LIST) {
		for (size_t i = 0; !found && i < right->as.list.count; i++)
			found = w_value_equal(
			    left, &right->as.list.items[i], &cost);
	} else {
		(void)w_eval_fail(eval, node,
		    "'in' looks for %s in a list, or for a name in a map, "
		    "not in %s",
		    w_value_kind_words(left->kind),
		    w_value_kind_words(right->kind));
		if (right->kind == W_VALUE_STRING)
			w_suggest(eval->err,
			    "write 'text contains part' for strings");
		return WRIT_E_INVALID;
	}
	*out_holds = found == (node->kind == W_NODE_IN);
	return w_eval_spend(eval, node, cost);
}

static writ_status
find_text(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right, bool *out_holds)
{
	const char *text = left->as.string.text;
	const char *part = right->as.string.text;
	size_t len = left->as.string.len;
	size_t part_len = right->as.string.len;

	if (left->kind != W_VALUE_STRING || right->kind != W_VALUE_STRING) {
		(void)w_eval_fail(eval, node,
		    "both sides of it must be strings, and are %s and %s",
		    w_value_kind_words(left->kind),
		    w_value_kind_words(right->kind));
		if (left->kind == W_VALUE_LIST)
			w_suggest(eval->err, "write 'x in list' for lists");
		return WRIT_E_INVALID;
	}
	if (node->kind == W_NODE_CONTAINS)
		*out_holds = memmem(text, len, part, part_len) != NULL;
	else if (part_len > len)
		*out_holds = false;
	else if (node->kind == W_NODE_STARTS_WITH)
		*out_holds = memcmp(text, part, part_len) == 0;
	else
		*out_holds = memcmp(text + len - part_len, part, part_len) == 0;
	return w_eval_spend(eval, node, len >> 10);
}

static writ_status
eval_compare(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right, bool *out_holds)
{
	size_t cost = 0;

	switch (node->kind) {
	case W_NODE_EQUAL:
	case W_NODE_UNEQUAL:
		*out_holds = w_value_equal(left, right, &cost) ==
			     (node->kind == W_NODE_EQUAL);
		return w_eval_spend(eval, node, cost);
	case W_NODE_IN:
	case W_NODE_NOT_IN:
		return eval_compare_find_in(eval, node, left, right, out_holds);
	case W_NODE_MATCHES:
		return w_eval_matches(eval, node, left, right, out_holds);
	case W_NODE_CONTAINS:
	case W_NODE_STARTS_WITH:
	case W_NODE_ENDS_WITH:
		return find_text(eval, node, left, right, out_holds);
	default:
		return compare_order(eval, node, left, right, out_holds);
	}
}

writ_status
w_eval_compare(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value)
{
	struct w_value result = {
	    .kind = W_VALUE_BOOL, .is_secret = right->is_secret};
	bool is_member = node->kind == W_NODE_IN || node->kind == W_NODE_NOT_IN;
	writ_status status =
	    eval_compare(eval, node, left, right, &result.as.boolean);

	if (status == WRIT_OK)
		status = w_eval_taint(eval, node, left, &result.is_secret);
	/* Looking up a name in a map reveals nothing of its values. */
	if (status == WRIT_OK && !(is_member && right->kind == W_VALUE_MAP))
		status = w_eval_taint(eval, node, right, &result.is_secret);
	if (status == WRIT_OK)
		*out_value = result;
	return status;
}
