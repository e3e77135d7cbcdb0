/* SPDX-License-Identifier: Apache-2.0 */

/* Compares values. Numbers are compared exactly: integers are not rounded to
 * floating point first. */

#include <string.h>

#include "expr/value.h"

/* 2^63, one more than the largest integer. */
#define INTEGER_END 9223372036854775808.0

static int
order_mixed(int64_t integer, double number)
{
	if (number >= INTEGER_END)
		return -1;
	if (number < -INTEGER_END)
		return 1;

	int64_t whole = (int64_t)number;
	if (integer != whole)
		return integer < whole ? -1 : 1;
	double fraction = number - (double)whole;
	return (fraction < 0) - (fraction > 0);
}

int
w_value_order_numbers(const struct w_value *a, const struct w_value *b)
{
	if (a->kind == W_VALUE_INT && b->kind == W_VALUE_INT)
		return (a->as.integer > b->as.integer) -
		       (a->as.integer < b->as.integer);
	if (a->kind == W_VALUE_INT)
		return order_mixed(a->as.integer, b->as.number);
	if (b->kind == W_VALUE_INT)
		return -order_mixed(b->as.integer, a->as.number);
	return (a->as.number > b->as.number) - (a->as.number < b->as.number);
}

static bool
value_order_is_number(const struct w_value *value)
{
	return value->kind == W_VALUE_INT || value->kind == W_VALUE_FLOAT;
}

static bool
equal_texts(const struct w_value *a, const struct w_value *b, size_t *cost)
{
	size_t len = a->as.string.len;

	if (len != b->as.string.len)
		return false;
	*cost += len >> 10;
	return len == 0 ||
	       memcmp(a->as.string.text, b->as.string.text, len) == 0;
}

static bool
equal_lists(const struct w_value *a, const struct w_value *b, size_t *cost)
{
	bool same = a->as.list.count == b->as.list.count;

	for (size_t i = 0; same && i < a->as.list.count; i++)
		same = w_value_equal(
		    &a->as.list.items[i], &b->as.list.items[i], cost);
	return same;
}

static bool
equal_maps(const struct w_value *a, const struct w_value *b, size_t *cost)
{
	bool same = a->as.map.count == b->as.map.count;

	for (size_t i = 0; same && i < a->as.map.count; i++) {
		const struct w_value_member *member = &a->as.map.members[i];
		const struct w_value *other =
		    w_value_member(b, member->name, member->len);

		if (!b->is_indexed)
			*cost += b->as.map.count;
		same =
		    other != NULL && w_value_equal(&member->value, other, cost);
	}
	return same;
}

bool
w_value_equal(const struct w_value *a, const struct w_value *b, size_t *cost)
{
	*cost += 1;
	if (value_order_is_number(a) && value_order_is_number(b))
		return w_value_order_numbers(a, b) == 0;
	if (a->kind != b->kind)
		return false;
	if (a->kind == W_VALUE_STRING)
		return equal_texts(a, b, cost);
	if (a->kind == W_VALUE_LIST)
		return equal_lists(a, b, cost);
	if (a->kind == W_VALUE_MAP)
		return equal_maps(a, b, cost);
	return a->kind == W_VALUE_NULL || a->as.boolean == b->as.boolean;
}
