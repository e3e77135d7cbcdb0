/* SPDX-License-Identifier: Apache-2.0 */

/* Functions on numbers: abs() round() ceil() floor() min() max() mean()
 * median(). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/eval/eval.h"

/* 2^63, one more than the largest integer. */
#define INTEGER_END 9223372036854775808.0

static bool
function_number_is_number(const struct w_value *value)
{
	return value->kind == W_VALUE_INT || value->kind == W_VALUE_FLOAT;
}

static writ_status
refuse_kind(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *value)
{
	return w_eval_fail(eval, call, "%s() wants numbers, not %s",
	    call->as.list.function->name, w_value_kind_words(value->kind));
}

static writ_status
function_number_refuse_size(struct w_eval *eval, const struct w_expr_node *call)
{
	return w_eval_fail(eval, call, "the result is too large a number");
}

W_FUNCTION(abs)
{
	if (!function_number_is_number(&args[0]))
		return refuse_kind(eval, call, &args[0]);
	*out_value = args[0];
	if (args[0].kind == W_VALUE_FLOAT)
		out_value->as.number = fabs(args[0].as.number);
	else if (args[0].as.integer == INT64_MIN)
		return function_number_refuse_size(eval, call);
	else if (args[0].as.integer < 0)
		out_value->as.integer = -args[0].as.integer;
	return WRIT_OK;
}

/* To the nearest integer; halves away from zero. */
W_FUNCTION(round)
{
	if (!function_number_is_number(&args[0]))
		return refuse_kind(eval, call, &args[0]);
	*out_value = args[0];
	if (args[0].kind == W_VALUE_INT)
		return WRIT_OK;
	double number = args[0].as.number;
	if (number >= INTEGER_END || number < -INTEGER_END)
		return function_number_refuse_size(eval, call);
	/* Doubles with a fraction are far below the integer limits. */
	int64_t whole = (int64_t)number;
	double fraction = number - (double)whole;
	whole += (fraction >= 0.5) - (fraction <= -0.5);
	*out_value = (struct w_value){.kind = W_VALUE_INT, .as.integer = whole};
	return WRIT_OK;
}

static writ_status
round_towards(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, bool is_up, struct w_value *out_value)
{
	if (!function_number_is_number(&args[0]))
		return refuse_kind(eval, call, &args[0]);
	*out_value = args[0];
	if (args[0].kind == W_VALUE_INT)
		return WRIT_OK;
	const double number = args[0].as.number;
	if (number >= INTEGER_END || number < -INTEGER_END)
		return function_number_refuse_size(eval, call);
	int64_t whole = (int64_t)number;
	if (is_up && (double)whole < number)
		whole++;
	else if (!is_up && (double)whole > number)
		whole--;
	*out_value = (struct w_value){.kind = W_VALUE_INT, .as.integer = whole};
	return WRIT_OK;
}

W_FUNCTION(ceil)
{
	return round_towards(eval, call, args, true, out_value);
}

W_FUNCTION(floor)
{
	return round_towards(eval, call, args, false, out_value);
}

/* The numbers of one list, or of the arguments, as floats. */
static writ_status
read_numbers(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, double **out_numbers, size_t *out_count)
{
	bool is_list = call->as.list.count == 1 && args[0].kind == W_VALUE_LIST;
	const struct w_value *items = is_list ? args[0].as.list.items : args;
	size_t count = is_list ? args[0].as.list.count : call->as.list.count;
	writ_status status = w_eval_spend(eval, call, count);

	if (status == WRIT_OK)
		status = w_eval_alloc(
		    eval, call, count, sizeof(**out_numbers), out_numbers);
	if (status == WRIT_OK && count == 0)
		return w_eval_fail(eval, call, "%s() of an empty list",
		    call->as.list.function->name);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		if (!function_number_is_number(&items[i]))
			return refuse_kind(eval, call, &items[i]);
		(*out_numbers)[i] = items[i].kind == W_VALUE_INT
					? (double)items[i].as.integer
					: items[i].as.number;
	}
	*out_count = count;
	return status;
}

static writ_status
put_number(struct w_eval *eval, const struct w_expr_node *call, double number,
    struct w_value *out_value)
{
	if (!isfinite(number))
		return function_number_refuse_size(eval, call);
	*out_value =
	    (struct w_value){.kind = W_VALUE_FLOAT, .as.number = number};
	return WRIT_OK;
}

W_FUNCTION(mean)
{
	double *numbers = NULL;
	size_t count = 0;
	double sum = 0;
	writ_status status = read_numbers(eval, call, args, &numbers, &count);

	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < count; i++)
		sum += numbers[i];
	return put_number(eval, call, sum / (double)count, out_value);
}

static int
order_numbers(const void *left, const void *right)
{
	double a;
	double b;

	memcpy(&a, left, sizeof(a));
	memcpy(&b, right, sizeof(b));
	return (a > b) - (a < b);
}

W_FUNCTION(median)
{
	double *numbers = NULL;
	size_t count = 0;
	writ_status status = read_numbers(eval, call, args, &numbers, &count);

	if (status == WRIT_OK)
		status = w_eval_spend(eval, call, count * 8);
	if (status != WRIT_OK)
		return status;
	qsort(numbers, count, sizeof(*numbers), order_numbers);
	return put_number(eval, call,
	    count % 2 == 1
		? numbers[count / 2]
		: numbers[count / 2 - 1] / 2 + numbers[count / 2] / 2,
	    out_value);
}

/* Of one list, or of the arguments. way: -1 minimum, 1 maximum. */
static writ_status
find_extreme(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, int way, struct w_value *out_value)
{
	bool is_list = call->as.list.count == 1 && args[0].kind == W_VALUE_LIST;
	const struct w_value *items = is_list ? args[0].as.list.items : args;
	size_t count = is_list ? args[0].as.list.count : call->as.list.count;
	writ_status status = w_eval_spend(eval, call, count);

	if (status != WRIT_OK)
		return status;
	if (count == 0)
		return w_eval_fail(eval, call, "%s() of an empty list",
		    call->as.list.function->name);
	const struct w_value *best = &items[0];
	for (size_t i = 0; i < count; i++) {
		if (!function_number_is_number(&items[i]))
			return refuse_kind(eval, call, &items[i]);
		if (w_value_order_numbers(&items[i], best) * way > 0)
			best = &items[i];
	}
	*out_value = *best;
	return WRIT_OK;
}

W_FUNCTION(min)
{
	return find_extreme(eval, call, args, -1, out_value);
}

W_FUNCTION(max)
{
	return find_extreme(eval, call, args, 1, out_value);
}
