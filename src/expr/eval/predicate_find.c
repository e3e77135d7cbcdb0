/* SPDX-License-Identifier: Apache-2.0 */

/* find() findIndex() findLast() findLastIndex(): null where nothing is found.
 */

#include "expr/eval/predicate.h"

static writ_status
find_one(struct w_predicate_walk *walk, bool is_last, struct w_value *out_item,
    struct w_value *out_index)
{
	writ_status status = w_predicate_begin(walk);
	const size_t count = status == WRIT_OK ? walk->list.as.list.count : 0;

	*out_item = *out_index = (struct w_value){.kind = W_VALUE_NULL};
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const size_t which = is_last ? count - 1 - i : i;
		bool holds = false;

		status = w_predicate_decide(walk, which, &holds);
		if (status != WRIT_OK || !holds)
			continue;
		*out_item = walk->list.as.list.items[which];
		*out_index = (struct w_value){
		    .kind = W_VALUE_INT, .as.integer = (int64_t)which};
		return WRIT_OK;
	}
	return status;
}

static writ_status
find_value(struct w_eval *eval, const struct w_expr_node *call, bool is_last,
    bool is_index, struct w_value *out_value)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	struct w_value item;
	struct w_value index;
	writ_status status = find_one(&walk, is_last, &item, &index);

	if (status != WRIT_OK)
		return status;
	*out_value = is_index ? index : item;
	return w_eval_mark(eval, call, walk.is_secret, out_value);
}

W_FUNCTION_LAZY(find_element)
{
	return find_value(eval, call, false, false, out_value);
}

W_FUNCTION_LAZY(find_index)
{
	return find_value(eval, call, false, true, out_value);
}

W_FUNCTION_LAZY(find_last)
{
	return find_value(eval, call, true, false, out_value);
}

W_FUNCTION_LAZY(find_last_index)
{
	return find_value(eval, call, true, true, out_value);
}
