/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Functions that iterate over a list, with # as the element: all() any() none()
 * one() count() filter() map(). The result is marked if a secret decided it.
 */

#include "expr/eval/predicate.h"

writ_status
w_predicate_begin(struct w_predicate_walk *walk)
{
	struct w_eval *eval = walk->eval;
	writ_status status =
	    w_eval_node(eval, walk->call->as.list.items[0], &walk->list);

	if (status == WRIT_OK)
		status = w_function_want(
		    eval, walk->call, &walk->list, 0, W_VALUE_LIST);
	if (status != WRIT_OK)
		return status;
	walk->is_secret = walk->list.is_secret;
	walk->outer = eval->element;
	walk->outer_index = eval->index;
	if (walk->call->as.list.count > 1)
		walk->predicate = walk->call->as.list.items[1];
	return WRIT_OK;
}

writ_status
w_predicate_apply(
    struct w_predicate_walk *walk, size_t which, struct w_value *out_value)
{
	struct w_eval *eval = walk->eval;
	const struct w_value *item = &walk->list.as.list.items[which];

	if (walk->predicate == NULL) {
		*out_value = *item;
		return w_eval_spend(eval, walk->call, 1);
	}
	eval->element = item;
	eval->index = which;
	writ_status status = w_eval_node(eval, walk->predicate, out_value);
	eval->element = walk->outer;
	eval->index = walk->outer_index;
	return status;
}

writ_status
w_predicate_decide(struct w_predicate_walk *walk, size_t which, bool *out_holds)
{
	struct w_value value;
	writ_status status = w_predicate_apply(walk, which, &value);

	if (status != WRIT_OK)
		return status;
	if (value.kind != W_VALUE_BOOL)
		return w_eval_fail(walk->eval, walk->call,
		    "%s() wants true or false here, not %s",
		    walk->call->as.list.function->name,
		    w_value_kind_words(value.kind));
	walk->is_secret = walk->is_secret || value.is_secret;
	*out_holds = value.as.boolean;
	return WRIT_OK;
}

/* Counts the elements for which the predicate holds. */
static writ_status
count_holds(struct w_predicate_walk *walk, size_t *out_count)
{
	writ_status status = w_predicate_begin(walk);
	size_t count = 0;

	for (size_t i = 0; status == WRIT_OK && i < walk->list.as.list.count;
	     i++) {
		bool holds = true;

		status = w_predicate_decide(walk, i, &holds);
		count += holds;
	}
	*out_count = count;
	return status;
}

static void
put_bool(
    const struct w_predicate_walk *walk, bool holds, struct w_value *out_value)
{
	*out_value = (struct w_value){.kind = W_VALUE_BOOL,
	    .is_secret = walk->is_secret,
	    .as.boolean = holds};
}

/* Stops at the first element for which the predicate is `wanted`. The value is
 * whether there is one, or none. */
static writ_status
look_for(struct w_predicate_walk walk, bool wanted, bool is_none,
    struct w_value *out_value)
{
	writ_status status = w_predicate_begin(&walk);
	bool found = false;

	for (size_t i = 0;
	     status == WRIT_OK && !found && i < walk.list.as.list.count; i++) {
		bool holds = false;

		status = w_predicate_decide(&walk, i, &holds);
		found = status == WRIT_OK && holds == wanted;
	}
	if (status == WRIT_OK)
		put_bool(&walk, found != is_none, out_value);
	return status;
}

W_FUNCTION_LAZY(all)
{
	const struct w_predicate_walk walk = {.eval = eval, .call = call};

	return look_for(walk, false, true, out_value);
}

W_FUNCTION_LAZY(any)
{
	const struct w_predicate_walk walk = {.eval = eval, .call = call};

	return look_for(walk, true, false, out_value);
}

W_FUNCTION_LAZY(none)
{
	const struct w_predicate_walk walk = {.eval = eval, .call = call};

	return look_for(walk, true, true, out_value);
}

W_FUNCTION_LAZY(one)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	size_t count;
	writ_status status = count_holds(&walk, &count);

	if (status == WRIT_OK)
		put_bool(&walk, count == 1, out_value);
	return status;
}

W_FUNCTION_LAZY(count)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	size_t count;
	writ_status status = count_holds(&walk, &count);

	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_INT,
		    .is_secret = walk.is_secret,
		    .as.integer = (int64_t)count};
	return status;
}

static writ_status
new_items(struct w_predicate_walk *walk, struct w_value **out_items)
{
	return w_eval_alloc(walk->eval, walk->call, walk->list.as.list.count,
	    sizeof(**out_items), out_items);
}

W_FUNCTION_LAZY(filter)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	struct w_value *items = NULL;
	size_t count = 0;
	writ_status status = w_predicate_begin(&walk);

	if (status == WRIT_OK)
		status = new_items(&walk, &items);
	for (size_t i = 0; status == WRIT_OK && i < walk.list.as.list.count;
	     i++) {
		bool holds = false;

		status = w_predicate_decide(&walk, i, &holds);
		if (status == WRIT_OK && holds)
			items[count++] = walk.list.as.list.items[i];
	}
	if (status != WRIT_OK)
		return status;
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	return w_eval_mark(eval, call, walk.is_secret, out_value);
}

W_FUNCTION_LAZY(map)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	struct w_value *items = NULL;
	writ_status status = w_predicate_begin(&walk);

	if (status == WRIT_OK)
		status = new_items(&walk, &items);
	for (size_t i = 0; status == WRIT_OK && i < walk.list.as.list.count;
	     i++)
		status = w_predicate_apply(&walk, i, &items[i]);
	if (status != WRIT_OK)
		return status;
	*out_value = (struct w_value){.kind = W_VALUE_LIST,
	    .as.list = {.items = items, .count = walk.list.as.list.count}};
	return w_eval_mark(eval, call, walk.is_secret, out_value);
}
