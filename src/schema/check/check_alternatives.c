/* SPDX-License-Identifier: Apache-2.0 */

/*
 * anyOf and oneOf. If no alternative matches, users want to know what is wrong
 * with the one they meant, not why each of them fails. So the errors of each
 * are collected, and those of the nearest are reported.
 */

#include "schema/check/check.h"

#include "schema/pointer.h"

#define DETAIL_MAX 400

/* Nested alternatives are explained down to this level: each level visits all
 * of the next more than once. */
#define ALTERNATIVES_MAX 4

/* How far one alternative is from matching. */
struct attempt {
	size_t index;
	size_t problems;
	unsigned types;
	bool is_far;
};

/* Stores the errors of one alternative in report. */
static struct attempt
attempt_one(struct w_check *check, const struct w_nodes *nodes, size_t index,
    yyjson_val *value, struct w_schema_report *report)
{
	struct w_collector *outer = check->collector;
	struct w_collector mine = {.report = report, .value = value};

	check->collector = &mine;
	(void)w_check_node(check, nodes->items[index], value, NULL);
	check->collector = outer;
	return (struct attempt){
	    .index = index,
	    .problems = report->count + report->more,
	    .types = report->count == 1 ? mine.types : 0,
	    .is_far = mine.is_far,
	};
}

/* Summary of all alternatives. */
struct check_alternatives_outcome {
	struct attempt nearest;
	struct w_schema_report report; /* of the nearest */
	size_t count;
	size_t near_count; /* alternatives for this kind of value */
	unsigned types;    /* 0: there are errors besides the type */
};

static bool
is_nearer(const struct attempt *a, const struct attempt *b)
{
	if (a->is_far != b->is_far)
		return !a->is_far;
	return a->problems < b->problems;
}

static void
attempt_all(struct w_check *check, const struct w_nodes *nodes,
    yyjson_val *value, struct check_alternatives_outcome *outcome)
{
	unsigned types = 0;

	for (size_t i = 0; i < nodes->count; i++) {
		struct w_schema_report report = {.problems = NULL};
		struct attempt now =
		    attempt_one(check, nodes, i, value, &report);

		if (now.types == 0)
			outcome->types = 0;
		types |= now.types;
		if (!now.is_far)
			outcome->near_count++;
		if (i == 0 || is_nearer(&now, &outcome->nearest)) {
			w_schema_report_done(&outcome->report);
			outcome->nearest = now;
			outcome->report = report;
		} else {
			w_schema_report_done(&report);
		}
	}
	outcome->types &= types;
}

/* The first error of the nearest alternative. */
static void
check_alternatives_describe(
    struct w_buf *buf, const struct w_schema_report *report, yyjson_val *value)
{
	if (report->count == 0)
		return;
	const struct w_schema_problem *problem = &report->problems[0];
	if (problem->at != value && w_pointer_is_inside(value, problem->at)) {
		w_pointer_add(buf, value, problem->at);
		w_buf_add_str(buf, buf->len > 0 ? ": " : "");
	}
	w_buf_add_str(buf, problem->message);
}

static bool
refuse_types(struct w_check *check, const struct w_node *node,
    yyjson_val *value, enum w_fault_kind kind, unsigned types)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, DETAIL_MAX);
	w_buf_add_str(&buf, "expected ");
	w_fault_message_add_types(&buf, types);
	w_buf_add_str(&buf, ", got ");
	w_quote_value(&buf, value);
	return w_check_fault_about(check, &(struct w_fault){.kind = kind,
					      .node = node,
					      .value = value,
					      .at = value,
					      .detail = buf.data});
}

/* Several alternatives may have been meant. */
static bool
refuse_nearest(struct w_check *check, const struct w_node *node,
    yyjson_val *value, enum w_fault_kind kind,
    const struct check_alternatives_outcome *outcome)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, DETAIL_MAX);
	check_alternatives_describe(&buf, &outcome->report, value);
	return w_check_fault_about(
	    check, &(struct w_fault){.kind = kind,
		       .node = node,
		       .value = value,
		       .at = value,
		       .detail = buf.data,
		       .first = outcome->nearest.index + 1,
		       .second = outcome->count});
}

/* No alternative matches. */
static bool
refuse_all(struct w_check *check, const struct w_node *node, yyjson_val *value,
    const struct w_nodes *nodes, enum w_fault_kind kind)
{
	if (check->alternatives >= ALTERNATIVES_MAX)
		return w_check_fault_about(
		    check, &(struct w_fault){.kind = kind,
			       .node = node,
			       .value = value,
			       .at = value,
			       .detail = "fits none of the alternatives"});

	struct check_alternatives_outcome outcome = {
	    .types = ~0U, .count = nodes->count};
	check->alternatives++;
	attempt_all(check, nodes, value, &outcome);
	check->alternatives--;
	if (check->status == WRIT_OK) {
		if (outcome.types != 0)
			(void)refuse_types(
			    check, node, value, kind, outcome.types);
		else if (outcome.near_count == 1 || nodes->count == 1)
			w_fault_adopt(check, &outcome.report);
		else
			(void)refuse_nearest(
			    check, node, value, kind, &outcome);
	}
	w_schema_report_done(&outcome.report);
	return false;
}

static bool
check_any(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	const struct w_nodes *any = &node->logic->any;
	bool fits = false;

	/* To track evaluated parts, every matching alternative is needed. */
	for (size_t i = 0; i < any->count; i++) {
		if (w_check_try(check, any->items[i], value, evaluated))
			fits = true;
		if (fits && evaluated == NULL)
			return true;
	}
	if (fits)
		return true;
	if (evaluated != NULL)
		evaluated->is_blurred = true;
	if (check->collector == NULL)
		return false;
	return refuse_all(check, node, value, any, W_FAULT_ANY);
}

static bool
check_one(struct w_check *check, const struct w_node *node, yyjson_val *value,
    struct w_evaluated *evaluated)
{
	const struct w_nodes *one = &node->logic->one;
	size_t first = 0;

	for (size_t i = 0; i < one->count; i++) {
		if (!w_check_try(check, one->items[i], value, evaluated))
			continue;
		if (first != 0)
			return w_check_fault_about(
			    check, &(struct w_fault){.kind = W_FAULT_TWO_OF_ONE,
				       .node = node,
				       .value = value,
				       .at = value,
				       .first = first,
				       .second = i + 1});
		first = i + 1;
	}
	if (first != 0)
		return true;
	if (evaluated != NULL)
		evaluated->is_blurred = true;
	if (check->collector == NULL)
		return false;
	return refuse_all(check, node, value, one, W_FAULT_NONE_OF_ONE);
}

bool
w_check_alternatives(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_logic *logic = node->logic;
	bool fits = true;

	if (logic->any.count > 0 && !check_any(check, node, value, evaluated))
		fits = false;
	if (logic->one.count > 0 && (fits || check->collector != NULL) &&
	    !check_one(check, node, value, evaluated))
		fits = false;
	return fits;
}
