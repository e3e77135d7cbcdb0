/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Judging a value by a compiled schema.
 *
 * The same code gives the quick answer and the full report: with a collector
 * it notes each problem and goes on, without one it returns at the first. Time
 * is bounded by a number of steps in proportion to the size of the value, so
 * that a schema whose alternatives multiply cannot hold anybody up; the stack
 * is bounded by the depth.
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

/* Everything but what asks for the parts that nothing else judged. */
static bool
check_judge(struct w_check *check, const struct w_node *node, yyjson_val *value,
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
judge_rest_of_list(struct w_check *check, const struct w_node *node,
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
judge_rest_of_object(struct w_check *check, const struct w_node *node,
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

/* A node that judges what nothing else did; it then has judged all. */
static bool
judge_with_rest(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *outer)
{
	W_AUTO_EVALUATED struct w_evaluated evaluated;

	if (!w_evaluated_init(&evaluated, yyjson_get_len(value)))
		return w_check_nomem(check);
	bool fits = check_judge(check, node, value, &evaluated);
	if ((!fits && check->collector == NULL) || evaluated.is_blurred)
		return fits;
	if (yyjson_is_arr(value))
		fits &= judge_rest_of_list(check, node, value, &evaluated);
	else
		fits &= judge_rest_of_object(check, node, value, &evaluated);
	if (outer != NULL)
		memset(outer->bits, 0xff,
		    (outer->count / 64 + 1) * sizeof(uint64_t));
	return fits;
}

static bool
judge_any(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	if ((node->asking >> yyjson_get_type(value) & 1) != 0)
		return judge_with_rest(check, node, value, evaluated);
	return check_judge(check, node, value, evaluated);
}

/* Keeps the list of resources that a $dynamicRef asks. */
static bool
judge_in_scope(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_dynamic_scope *outer = check->scope;
	const struct w_dynamic_scope scope = {node->resource, outer};

	if (outer != NULL && outer->resource == node->resource)
		return judge_any(check, node, value, evaluated);
	check->scope = &scope;
	bool fits = judge_any(check, node, value, evaluated);
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
			? judge_in_scope(check, node, value, evaluated)
			: judge_any(check, node, value, evaluated);
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
