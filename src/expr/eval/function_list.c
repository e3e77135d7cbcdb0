/* SPDX-License-Identifier: Apache-2.0 */

/* Functions on lists and maps, and len(). */

#include <stdlib.h>
#include <string.h>

#include "expr/eval/eval.h"

W_FUNCTION(len)
{
	size_t count = 0;
	size_t cost = 0;

	if (args[0].kind == W_VALUE_STRING) {
		/* Characters: all bytes but UTF-8 continuations. */
		for (size_t i = 0; i < args[0].as.string.len; i++)
			count += (args[0].as.string.text[i] & 0xc0) != 0x80;
		cost = args[0].as.string.len >> 8;
	} else if (args[0].kind == W_VALUE_LIST) {
		count = args[0].as.list.count;
	} else if (args[0].kind == W_VALUE_MAP) {
		count = args[0].as.map.count;
	} else {
		return w_eval_fail(eval, call, "%s has no length",
		    w_value_kind_words(args[0].kind));
	}
	*out_value =
	    (struct w_value){.kind = W_VALUE_INT, .as.integer = (int64_t)count};
	return w_eval_spend(eval, call, cost);
}

static writ_status
new_list(struct w_eval *eval, const struct w_expr_node *call, size_t count,
    struct w_value **out_items, struct w_value *out_value)
{
	struct w_value *items = NULL;
	writ_status status = w_eval_spend(eval, call, count);

	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, count, sizeof(*items), &items);
	if (status != WRIT_OK)
		return status;
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	*out_items = items;
	return WRIT_OK;
}

/* The names of a map, or its values. */
static writ_status
list_members(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, bool is_names, struct w_value *out_value)
{
	struct w_value *items = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_MAP);

	if (status == WRIT_OK)
		status = new_list(
		    eval, call, args[0].as.map.count, &items, out_value);
	for (size_t i = 0; status == WRIT_OK && i < args[0].as.map.count; i++) {
		const struct w_value_member *member =
		    &args[0].as.map.members[i];
		items[i] = is_names ? w_value_text(member->name, member->len)
				    : member->value;
	}
	return status;
}

W_FUNCTION(keys)
{
	return list_members(eval, call, args, true, out_value);
}

W_FUNCTION(values)
{
	return list_members(eval, call, args, false, out_value);
}

/* null for an empty list. */
static writ_status
list_end(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, bool is_last, struct w_value *out_value)
{
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);

	if (status != WRIT_OK)
		return status;
	size_t count = args[0].as.list.count;
	if (count == 0)
		*out_value = (struct w_value){.kind = W_VALUE_NULL};
	else
		*out_value = args[0].as.list.items[is_last ? count - 1 : 0];
	return WRIT_OK;
}

W_FUNCTION(first)
{
	return list_end(eval, call, args, false, out_value);
}

W_FUNCTION(last)
{
	return list_end(eval, call, args, true, out_value);
}

/* ---- sort ---- */

static bool
function_list_is_number(const struct w_value *value)
{
	return value->kind == W_VALUE_INT || value->kind == W_VALUE_FLOAT;
}

int
w_eval_order(const struct w_value *a, const struct w_value *b)
{
	if (function_list_is_number(a))
		return w_value_order_numbers(a, b);

	size_t a_len = a->as.string.len;
	size_t b_len = b->as.string.len;
	int way = memcmp(a->as.string.text, b->as.string.text,
	    a_len < b_len ? a_len : b_len);
	return way != 0 ? way : (a_len > b_len) - (a_len < b_len);
}

bool
w_eval_has_order(const struct w_value *a, const struct w_value *b)
{
	if (function_list_is_number(a))
		return function_list_is_number(b);
	return a->kind == W_VALUE_STRING && b->kind == W_VALUE_STRING;
}

static int
order_up(const void *left, const void *right)
{
	return w_eval_order(left, right);
}

static int
order_down(const void *left, const void *right)
{
	return w_eval_order(right, left);
}

/* Upper bound: every text, as often as it is compared. */
static size_t
sort_cost(const struct w_value *list)
{
	size_t cost = list->as.list.count;
	size_t rounds = 1;

	for (size_t i = 0; i < list->as.list.count; i++) {
		const struct w_value *item = &list->as.list.items[i];

		if (item->kind == W_VALUE_STRING)
			cost += item->as.string.len >> 10;
	}
	for (size_t n = list->as.list.count; n > 1; n /= 2)
		rounds++;
	return cost * rounds;
}

static writ_status
check_order(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *list)
{
	for (size_t i = 0; i < list->as.list.count; i++) {
		const struct w_value *item = &list->as.list.items[i];

		if (!w_eval_has_order(&list->as.list.items[0], item))
			return w_eval_fail(eval, call,
			    "sort() wants numbers or strings alone, and "
			    "there is %s",
			    w_value_kind_words(item->kind));
	}
	return w_eval_spend(eval, call, sort_cost(list));
}

W_FUNCTION(sort)
{
	struct w_value *items = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);
	size_t count = args[0].as.list.count;
	bool is_down = false;

	if (status == WRIT_OK && call->as.list.count > 1) {
		status = w_function_want(eval, call, args, 1, W_VALUE_STRING);
		if (status != WRIT_OK)
			return status;
		is_down = strcmp(args[1].as.string.text, "desc") == 0;
		if (!is_down && strcmp(args[1].as.string.text, "asc") != 0)
			return w_eval_fail(eval, call->as.list.items[1],
			    "the order is 'asc' or 'desc'");
	}
	if (status == WRIT_OK)
		status = check_order(eval, call, &args[0]);
	if (status == WRIT_OK)
		status = new_list(eval, call, count, &items, out_value);
	if (status != WRIT_OK || count == 0)
		return status;
	memcpy(items, args[0].as.list.items, count * sizeof(*items));
	qsort(items, count, sizeof(*items), is_down ? order_down : order_up);
	return WRIT_OK;
}

/* ---- unique ---- */

/* Equal values have equal hashes: 1 and 1.0, 0 and -0.0. */
static uint64_t
hash_value(const struct w_value *value)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	char number[W_VALUE_NUMBER_MAX];
	const char *bytes = number;
	size_t len = 0;

	if (value->kind == W_VALUE_STRING) {
		bytes = value->as.string.text;
		len = value->as.string.len;
	} else if (value->kind != W_VALUE_LIST && value->kind != W_VALUE_MAP) {
		struct w_value as_float = *value;

		if (value->kind == W_VALUE_INT) {
			as_float.kind = W_VALUE_FLOAT;
			as_float.as.number = (double)value->as.integer;
		}
		if (as_float.kind == W_VALUE_FLOAT)
			as_float.as.number += 0.0; /* -0.0 becomes 0.0 */
		len = w_value_put_number(number, &as_float);
	}
	for (size_t i = 0; i < len; i++)
		hash =
		    (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static writ_status
add_unique(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *list, struct w_value *items, size_t *out_count)
{
	size_t size = 4;
	size_t count = 0;
	uint32_t *slots = NULL;

	while (size < 2 * list->as.list.count)
		size *= 2;
	writ_status status =
	    w_eval_alloc(eval, call, size, sizeof(*slots), &slots);
	for (size_t i = 0; status == WRIT_OK && i < list->as.list.count; i++) {
		const struct w_value *item = &list->as.list.items[i];
		size_t cost = 1;
		size_t slot = hash_value(item) & (size - 1);

		while (slots[slot] != 0 &&
		       !w_value_equal(&items[slots[slot] - 1], item, &cost))
			slot = (slot + 1) & (size - 1);
		if (slots[slot] == 0) {
			items[count++] = *item;
			slots[slot] = (uint32_t)count;
		}
		status = w_eval_spend(eval, call, cost);
	}
	*out_count = count;
	return status;
}

W_FUNCTION(unique)
{
	struct w_value *items = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);

	if (status == WRIT_OK)
		status = new_list(
		    eval, call, args[0].as.list.count, &items, out_value);
	if (status != WRIT_OK)
		return status;
	return add_unique(
	    eval, call, &args[0], items, &out_value->as.list.count);
}
