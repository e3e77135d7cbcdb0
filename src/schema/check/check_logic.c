/* SPDX-License-Identifier: Apache-2.0 */

/* Validates against subschemas that apply to the same value ($ref, allOf, if,
 * not), and against const and enum. */

#include <string.h>

#include "schema/check/check.h"
#include "schema/equal.h"

static bool
is_equal(struct w_check *check, yyjson_val *a, yyjson_val *b)
{
	enum w_equal_answer answer = w_equal(a, b, &check->steps);

	if (answer == W_EQUAL_LIMIT)
		return w_check_give_up(
		    check, a, "it takes too long to compare");
	return answer == W_EQUAL_YES;
}

static bool
check_logic_is_among(
    struct w_check *check, yyjson_val *value, yyjson_val *choices)
{
	size_t i;
	size_t count;
	yyjson_val *choice;

	yyjson_arr_foreach(choices, i, count, choice)
	{
		if (is_equal(check, value, choice))
			return true;
	}
	return false;
}

/* Resolves to the outermost resource with a dynamic anchor of this name. */
static const struct w_node *
find_dynamic(const struct w_check *check, const struct w_dynamic *dynamic)
{
	const struct w_node *found = dynamic->target;

	if (dynamic->name == NULL)
		return found;
	for (const struct w_dynamic_scope *scope = check->scope; scope != NULL;
	     scope = scope->outer) {
		const struct w_anchor *anchor =
		    scope->resource->dynamic_anchors;
		for (; anchor != NULL; anchor = anchor->next) {
			if (anchor->len == dynamic->len &&
			    memcmp(anchor->name, dynamic->name, anchor->len) ==
				0)
				found = anchor->node;
		}
	}
	return found;
}

static bool
check_values(
    struct w_check *check, const struct w_node *node, yyjson_val *value)
{
	const struct w_logic *logic = node->logic;
	bool fits = true;

	if (logic->constant != NULL && !is_equal(check, value, logic->constant))
		fits = w_check_fault(check, node, W_FAULT_CONST, value);
	if (logic->choices != NULL &&
	    !check_logic_is_among(check, value, logic->choices))
		fits = w_check_fault(check, node, W_FAULT_ENUM, value);
	return fits;
}

static bool
check_all(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	const struct w_logic *logic = node->logic;
	bool fits = true;

	if (logic->ref != NULL &&
	    !w_check_node(check, logic->ref, value, evaluated))
		fits = false;
	if (logic->dynamic != NULL && (fits || check->collector != NULL) &&
	    !w_check_node(
		check, find_dynamic(check, logic->dynamic), value, evaluated))
		fits = false;
	for (size_t i = 0; i < logic->all.count; i++) {
		if (!fits && check->collector == NULL)
			return false;
		if (!w_check_node(check, logic->all.items[i], value, evaluated))
			fits = false;
	}
	return fits;
}

bool
w_check_logic(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_logic *logic = node->logic;
	bool fits = check_values(check, node, value);

	if (!fits && check->collector == NULL)
		return false;
	if (!check_all(check, node, value, evaluated))
		fits = false;
	if (!fits && check->collector == NULL)
		return false;
	if ((logic->any.count > 0 || logic->one.count > 0) &&
	    !w_check_alternatives(check, node, value, evaluated))
		fits = false;
	if (!fits && check->collector == NULL)
		return false;
	if (logic->condition != NULL) {
		const struct w_node *branch =
		    w_check_try(check, logic->condition, value, evaluated)
			? logic->consequence
			: logic->alternative;

		if (branch != NULL &&
		    !w_check_node(check, branch, value, evaluated))
			fits = false;
	}
	if (logic->negated != NULL && (fits || check->collector != NULL) &&
	    w_check_try(check, logic->negated, value, NULL))
		fits = w_check_fault(check, node, W_FAULT_NOT, value);
	return fits;
}
