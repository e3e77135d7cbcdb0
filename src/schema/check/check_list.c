/* SPDX-License-Identifier: Apache-2.0 */

/* Validates arrays. */

#include "schema/check/check.h"
#include "schema/equal.h"

static bool
check_unique(
    struct w_check *check, const struct w_node *node, yyjson_val *value)
{
	yyjson_val *pair[2] = {NULL, NULL};

	enum w_equal_answer answer =
	    w_equal_duplicates(value, &check->steps, pair);
	if (answer == W_EQUAL_NOMEM)
		return w_check_nomem(check);
	if (answer == W_EQUAL_LIMIT)
		return w_check_give_up(
		    check, value, "its items take too long to compare");
	if (answer == W_EQUAL_NO)
		return true;
	return w_check_fault_about(
	    check, &(struct w_fault){.kind = W_FAULT_UNIQUE,
		       .node = node,
		       .value = pair[1],
		       .at = pair[1],
		       .other = pair[0]});
}

static bool
check_items(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	const struct w_list_rules *rules = node->list;
	size_t count = yyjson_arr_size(value);
	yyjson_val *item = count > 0 ? unsafe_yyjson_get_first(value) : NULL;
	bool is_old = node->resource->draft == W_SCHEMA_DRAFT_07 &&
		      rules->prefix.count > 0;
	bool fits = true;

	if (rules->rest == NULL && count > rules->prefix.count)
		count = rules->prefix.count;
	for (size_t i = 0; i < count; i++) {
		const struct w_node *sub = i < rules->prefix.count
					       ? rules->prefix.items[i]
					       : rules->rest;
		if (i >= rules->prefix.count && sub->is_never)
			fits = w_check_fault(check, node,
			    is_old ? W_FAULT_EXTRA_ITEM_07 : W_FAULT_EXTRA_ITEM,
			    item);
		else if (!w_check_node(check, sub, item, NULL))
			fits = false;
		if (!fits && check->collector == NULL)
			return false;
		if (evaluated != NULL)
			w_evaluated_add(evaluated, i);
		item = unsafe_yyjson_get_next(item);
	}
	return fits;
}

/* Checks minContains and maxContains. */
static bool
check_found(struct w_check *check, const struct w_node *node, yyjson_val *value,
    size_t found)
{
	const struct w_size_range *limits = &node->list->found;
	struct w_fault fault = {.kind = W_FAULT_MIN_CONTAINS,
	    .node = node,
	    .value = value,
	    .at = value,
	    .first = found};

	if (found >= limits->min && found <= limits->max)
		return true;
	if (found > limits->max)
		fault.kind = W_FAULT_MAX_CONTAINS;
	else if (found == 0 && limits->min == 1)
		fault.kind = W_FAULT_CONTAINS;
	return w_check_fault_about(check, &fault);
}

static bool
check_contains(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_list_rules *rules = node->list;
	size_t found = 0;
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(value, i, count, item)
	{
		if (!w_check_try(check, rules->contains, item, NULL))
			continue;
		found++;
		if (evaluated != NULL && rules->marks_found)
			w_evaluated_add(evaluated, i);
		if (evaluated == NULL && found >= rules->found.min &&
		    rules->found.max == SIZE_MAX)
			return true;
	}
	return check_found(check, node, value, found);
}

bool
w_check_list(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_list_rules *rules = node->list;
	size_t count = yyjson_arr_size(value);
	bool fits = true;

	if (count < rules->size.min)
		fits = w_check_fault(check, node, W_FAULT_MIN_ITEMS, value);
	else if (count > rules->size.max)
		fits = w_check_fault(check, node, W_FAULT_MAX_ITEMS, value);
	if (!fits && check->collector == NULL)
		return false;
	if ((rules->rest != NULL || rules->prefix.count > 0) &&
	    !check_items(check, node, value, evaluated))
		fits = false;
	if (!fits && check->collector == NULL)
		return false;
	if (rules->is_unique && !check_unique(check, node, value))
		fits = false;
	if (!fits && check->collector == NULL)
		return false;
	if (rules->contains != NULL &&
	    !check_contains(check, node, value, evaluated))
		fits = false;
	return fits;
}
