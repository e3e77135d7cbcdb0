/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Arithmetic: + - * / % ** and negation. Integers stay integers where the
 * result is one (6 / 3 is, 7 / 2 is not), and overflow is an error. + also
 * joins strings and lists.
 */

#include <math.h>
#include <string.h>

#include "expr/eval/eval.h"

static writ_status
refuse_kinds(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right)
{
	static const char *const signs[] = {"+", "-", "*", "/", "%", "**"};
	const char *kind = w_value_kind_words(left->kind);

	if (node->kind == W_NODE_NEGATE)
		return w_eval_fail(
		    eval, node, "'-' comes before a number, not %s", kind);
	(void)w_eval_fail(eval, node, "'%s' cannot take %s and %s",
	    signs[node->kind - W_NODE_ADD], kind,
	    w_value_kind_words(right->kind));
	if (node->kind == W_NODE_ADD &&
	    (left->kind == W_VALUE_STRING || right->kind == W_VALUE_STRING))
		w_suggest(
		    eval->err, "string(x) makes a string, int(x) a number");
	return WRIT_E_INVALID;
}

static writ_status
eval_arithmetic_refuse_size(struct w_eval *eval, const struct w_expr_node *node)
{
	return w_eval_fail(eval, node, "the result is too large a number");
}

static writ_status
refuse_zero(struct w_eval *eval, const struct w_expr_node *node)
{
	return w_eval_fail(eval, node, "division by zero");
}

static writ_status
put_float(struct w_eval *eval, const struct w_expr_node *node, double number,
    struct w_value *out_value)
{
	if (!isfinite(number))
		return eval_arithmetic_refuse_size(eval, node);
	*out_value =
	    (struct w_value){.kind = W_VALUE_FLOAT, .as.number = number};
	return WRIT_OK;
}

static writ_status
divide_integers(struct w_eval *eval, const struct w_expr_node *node, int64_t a,
    int64_t b, struct w_value *out_value)
{
	if (b == 0)
		return refuse_zero(eval, node);
	if (b == -1 && a == INT64_MIN && node->kind == W_NODE_DIVIDE)
		return eval_arithmetic_refuse_size(eval, node);
	if (node->kind == W_NODE_DIVIDE && b != -1 && a % b != 0)
		return put_float(eval, node, (double)a / (double)b, out_value);
	*out_value = (struct w_value){.kind = W_VALUE_INT};
	if (node->kind == W_NODE_DIVIDE)
		out_value->as.integer = a / b;
	else
		out_value->as.integer = b == -1 ? 0 : a % b;
	return WRIT_OK;
}

/* By squaring: this needs no library of mathematics. */
static double
raise_whole(double base, uint64_t power)
{
	double result = 1;

	for (; power > 0; power >>= 1) {
		if ((power & 1) != 0)
			result *= base;
		base *= base;
	}
	return result;
}

static writ_status
raise_float(struct w_eval *eval, const struct w_expr_node *node, double base,
    double power, struct w_value *out_value)
{
	const bool is_small = power > -1e9 && power < 1e9;
	const int64_t whole = is_small ? (int64_t)power : 0;

	if (!is_small || (double)whole < power || (double)whole > power)
		return w_eval_fail(
		    eval, node, "a power is a whole number below 1e9");
	return put_float(eval, node,
	    whole < 0 ? 1 / raise_whole(base, (uint64_t)-whole)
		      : raise_whole(base, (uint64_t)whole),
	    out_value);
}

/* Whole as long as it fits; a negative power is a fraction. */
static writ_status
raise_integer(struct w_eval *eval, const struct w_expr_node *node, int64_t base,
    int64_t power, struct w_value *out_value)
{
	int64_t result = 1;

	if (power < 0)
		return raise_float(
		    eval, node, (double)base, (double)power, out_value);
	/* Any other base is too large long before. */
	if (base >= -1 && base <= 1 && power > 2)
		power = 2 + power % 2;
	for (; power > 0; power--) {
		if (__builtin_mul_overflow(result, base, &result))
			return eval_arithmetic_refuse_size(eval, node);
	}
	*out_value =
	    (struct w_value){.kind = W_VALUE_INT, .as.integer = result};
	return WRIT_OK;
}

static writ_status
of_integers(struct w_eval *eval, const struct w_expr_node *node, int64_t a,
    int64_t b, struct w_value *out_value)
{
	int64_t result = 0;
	bool is_over;

	if (node->kind == W_NODE_ADD)
		is_over = __builtin_add_overflow(a, b, &result);
	else if (node->kind == W_NODE_SUBTRACT)
		is_over = __builtin_sub_overflow(a, b, &result);
	else if (node->kind == W_NODE_MULTIPLY)
		is_over = __builtin_mul_overflow(a, b, &result);
	else if (node->kind == W_NODE_NEGATE)
		is_over = __builtin_sub_overflow(0, a, &result);
	else if (node->kind == W_NODE_POWER)
		return raise_integer(eval, node, a, b, out_value);
	else
		return divide_integers(eval, node, a, b, out_value);
	if (is_over)
		return eval_arithmetic_refuse_size(eval, node);
	*out_value =
	    (struct w_value){.kind = W_VALUE_INT, .as.integer = result};
	return WRIT_OK;
}

static double
as_float(const struct w_value *value)
{
	return value->kind == W_VALUE_INT ? (double)value->as.integer
					  : value->as.number;
}

static writ_status
of_floats(struct w_eval *eval, const struct w_expr_node *node, double a,
    double b, struct w_value *out_value)
{
	switch (node->kind) {
	case W_NODE_ADD:
		return put_float(eval, node, a + b, out_value);
	case W_NODE_SUBTRACT:
		return put_float(eval, node, a - b, out_value);
	case W_NODE_MULTIPLY:
		return put_float(eval, node, a * b, out_value);
	case W_NODE_NEGATE:
		return put_float(eval, node, -a, out_value);
	case W_NODE_POWER:
		return raise_float(eval, node, a, b, out_value);
	default:
		if (fpclassify(b) == FP_ZERO)
			return refuse_zero(eval, node);
		return put_float(eval, node, a / b, out_value);
	}
}

static writ_status
join_texts(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value)
{
	size_t left_len = left->as.string.len;
	size_t right_len = right->as.string.len;
	char *text = NULL;
	writ_status status =
	    w_eval_text(eval, node, left_len + right_len, &text);

	if (status != WRIT_OK)
		return status;
	memcpy(text, left->as.string.text, left_len);
	memcpy(text + left_len, right->as.string.text, right_len);
	*out_value = w_value_text(text, left_len + right_len);
	return WRIT_OK;
}

static writ_status
join_lists(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value)
{
	size_t left_count = left->as.list.count;
	size_t count = left_count + right->as.list.count;
	struct w_value *items = NULL;
	writ_status status = w_eval_spend(eval, node, count);

	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, node, count, sizeof(*items), &items);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < count; i++)
		items[i] = i < left_count
			       ? left->as.list.items[i]
			       : right->as.list.items[i - left_count];
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	return WRIT_OK;
}

static bool
eval_arithmetic_is_number(const struct w_value *value)
{
	return value->kind == W_VALUE_INT || value->kind == W_VALUE_FLOAT;
}

static writ_status
compute(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value)
{
	bool is_single = node->kind == W_NODE_NEGATE;
	bool are_whole = left->kind == W_VALUE_INT &&
			 (is_single || right->kind == W_VALUE_INT);
	bool are_numbers = eval_arithmetic_is_number(left) &&
			   (is_single || eval_arithmetic_is_number(right));
	bool are_joined = node->kind == W_NODE_ADD && left->kind == right->kind;

	if (are_whole)
		return of_integers(
		    eval, node, left->as.integer, right->as.integer, out_value);
	if (are_numbers && node->kind != W_NODE_REMAINDER)
		return of_floats(eval, node, as_float(left),
		    is_single ? 0 : as_float(right), out_value);
	if (are_joined && left->kind == W_VALUE_STRING)
		return join_texts(eval, node, left, right, out_value);
	if (are_joined && left->kind == W_VALUE_LIST)
		return join_lists(eval, node, left, right, out_value);
	return refuse_kinds(eval, node, left, right);
}

writ_status
w_eval_arithmetic(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value)
{
	writ_status status = compute(eval, node, left, right, out_value);

	if (status != WRIT_OK)
		return status;
	return w_eval_mark(
	    eval, node, left->is_secret || right->is_secret, out_value);
}
