/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Validates a value against a compiled schema.
 *
 * The same code gives the quick answer and the full report: with a collector it
 * records each error and continues, without one it returns at the first. The
 * number of steps is bounded in proportion to the size of the value, so that a
 * schema whose alternatives multiply cannot take forever. The depth limit
 * bounds the stack.
 */

#include "schema/check/check.h"

#include <string.h>

#include "schema/number.h"
#include "schema/pointer.h"

#define STAGE     "validate"
#define PLACE_MAX 1024

bool
w_check_give_up(struct w_check *check, yyjson_val *value, const char *why)
{
	W_AUTO_BUF struct w_buf place;

	w_buf_init(&place, PLACE_MAX);
	if (check->status != WRIT_OK)
		return false;
	if (w_pointer_is_inside(check->root, value))
		w_pointer_add_place(&place, check->root, value);
	check->steps = 0;
	check->status = w_fail(check->err, WRIT_E_INVALID, STAGE, 0,
	    "%scannot be judged: %s", place.data, why);
	return false;
}

bool
w_check_nomem(struct w_check *check)
{
	check->steps = 0;
	if (check->status == WRIT_OK)
		check->status = w_fail_nomem(check->err, STAGE);
	return false;
}

static bool
has_type(const struct w_node *node, yyjson_val *value)
{
	yyjson_type type = yyjson_get_type(value);

	if ((node->types >> type & 1) != 0)
		return true;
	return (node->types & W_SCHEMA_INTEGER) != 0 && w_number_is(value) &&
	       w_number_is_whole(value);
}

/* All rules but unevaluatedItems and unevaluatedProperties. */
static bool
apply_rules(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	bool fits = true;

	switch (yyjson_get_type(value)) {
	case YYJSON_TYPE_RAW:
	case YYJSON_TYPE_NUM:
		fits =
		    node->number == NULL || w_check_number(check, node, value);
		break;
	case YYJSON_TYPE_STR:
		fits = node->text == NULL || w_check_text(check, node, value);
		break;
	case YYJSON_TYPE_ARR:
		fits = node->list == NULL ||
		       w_check_list(check, node, value, evaluated);
		break;
	case YYJSON_TYPE_OBJ:
		fits = node->object == NULL ||
		       w_check_object(check, node, value, evaluated);
		break;
	default:
		break;
	}
	if ((fits || check->collector != NULL) && node->logic != NULL &&
	    !w_check_logic(check, node, value, evaluated))
		fits = false;
	return fits;
}

static bool
check_unevaluated_items(struct w_check *check, const struct w_node *node,
    yyjson_val *value, const struct w_evaluated *evaluated)
{
	const struct w_node *rest = node->list->unevaluated;
	bool fits = true;
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(value, i, count, item)
	{
		if (w_evaluated_has(evaluated, i))
			continue;
		if (rest->is_never)
			fits = w_check_fault(
			    check, node, W_FAULT_UNEVALUATED_ITEM, item);
		else if (!w_check_node(check, rest, item, NULL))
			fits = false;
		if (!fits && check->collector == NULL)
			return false;
	}
	return fits;
}

static bool
check_unevaluated_members(struct w_check *check, const struct w_node *node,
    yyjson_val *value, const struct w_evaluated *evaluated)
{
	const struct w_node *rest = node->object->unevaluated;
	bool fits = true;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *member;

	yyjson_obj_foreach(value, i, count, key, member)
	{
		if (w_evaluated_has(evaluated, i))
			continue;
		if (rest->is_never)
			fits = w_check_fault_about(check,
			    &(struct w_fault){.kind = W_FAULT_UNEVALUATED_KEY,
				.node = node,
				.value = value,
				.at = key,
				.name = key});
		else if (!w_check_node(check, rest, member, NULL))
			fits = false;
		if (!fits && check->collector == NULL)
			return false;
	}
	return fits;
}

/* A node with an unevaluated keyword. Afterwards all parts are evaluated. */
static bool
check_with_unevaluated(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *outer)
{
	W_AUTO_EVALUATED struct w_evaluated evaluated;

	if (!w_evaluated_init(&evaluated, yyjson_get_len(value)))
		return w_check_nomem(check);
	bool fits = apply_rules(check, node, value, &evaluated);
	if ((!fits && check->collector == NULL) || evaluated.is_blurred)
		return fits;
	if (yyjson_is_arr(value))
		fits &= check_unevaluated_items(check, node, value, &evaluated);
	else
		fits &=
		    check_unevaluated_members(check, node, value, &evaluated);
	if (outer != NULL)
		memset(outer->bits, 0xff,
		    (outer->count / 64 + 1) * sizeof(uint64_t));
	return fits;
}

static bool
apply_node(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	if ((node->asking >> yyjson_get_type(value) & 1) != 0)
		return check_with_unevaluated(check, node, value, evaluated);
	return apply_rules(check, node, value, evaluated);
}

/* Tracks the resources for $dynamicRef. */
static bool
apply_in_scope(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_dynamic_scope *outer = check->scope;
	const struct w_dynamic_scope scope = {node->resource, outer};

	if (outer != NULL && outer->resource == node->resource)
		return apply_node(check, node, value, evaluated);
	check->scope = &scope;
	bool fits = apply_node(check, node, value, evaluated);
	check->scope = outer;
	return fits;
}

bool
w_check_rules(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	if (check->steps == 0)
		return w_check_give_up(
		    check, value, "the schema has too many ways to try");
	check->steps--;
	if (node->is_never)
		return w_check_fault(check, node, W_FAULT_NEVER, value);
	if (!has_type(node, value))
		return w_check_fault(check, node, W_FAULT_TYPE, value);
	if (++check->depth > W_CHECK_DEPTH_MAX)
		return w_check_give_up(check, value,
		    "it is nested too deep, or the schema leads back to "
		    "itself");
	bool fits = check->schema->is_dynamic
			? apply_in_scope(check, node, value, evaluated)
			: apply_node(check, node, value, evaluated);
	check->depth--;
	return fits;
}

bool
w_check_try(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	struct w_collector *collector = check->collector;
	bool fits;

	check->collector = NULL;
	if (evaluated == NULL) {
		fits = w_check_node(check, node, value, NULL);
	} else {
		W_AUTO_EVALUATED struct w_evaluated mine;
		fits = w_evaluated_init(&mine, evaluated->count)
			   ? w_check_node(check, node, value, &mine)
			   : w_check_nomem(check);
		if (fits)
			w_evaluated_add_all(evaluated, &mine);
	}
	check->collector = collector;
	return fits;
}
