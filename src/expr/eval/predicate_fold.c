/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Functions that make one value of a list: reduce() sum() groupBy() countBy()
 * sortBy(). A group is named by the text of what its elements have in common.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/eval/predicate.h"

/* ---- reduce and sum ---- */

/* Without a first value, it is the first element. */
W_FUNCTION_LAZY(reduce)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	const struct w_value *outer = eval->total;
	struct w_value total = {.kind = W_VALUE_NULL};
	size_t from = 0;
	writ_status status = w_predicate_begin(&walk);

	if (status == WRIT_OK && call->as.list.count > 2)
		status = w_eval_node(eval, call->as.list.items[2], &total);
	else if (status == WRIT_OK && walk.list.as.list.count == 0)
		return w_eval_fail(eval, call,
		    "reduce() of an empty list needs a first value");
	else if (status == WRIT_OK)
		total = walk.list.as.list.items[from++];
	for (size_t i = from; status == WRIT_OK && i < walk.list.as.list.count;
	     i++) {
		struct w_value next;

		eval->total = &total;
		status = w_predicate_apply(&walk, i, &next);
		eval->total = outer;
		if (status == WRIT_OK)
			total = next;
	}
	if (status != WRIT_OK)
		return status;
	*out_value = total;
	return w_eval_mark(eval, call, walk.is_secret, out_value);
}

static writ_status
add_number(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *value, struct w_value *io_sum)
{
	double number;

	if (value->kind != W_VALUE_INT && value->kind != W_VALUE_FLOAT)
		return w_eval_fail(eval, call, "sum() wants numbers, not %s",
		    w_value_kind_words(value->kind));
	io_sum->is_secret = io_sum->is_secret || value->is_secret;
	if (value->kind == W_VALUE_INT && io_sum->kind == W_VALUE_INT) {
		if (__builtin_add_overflow(io_sum->as.integer,
			value->as.integer, &io_sum->as.integer))
			return w_eval_fail(
			    eval, call, "the result is too large a number");
		return WRIT_OK;
	}
	number = value->kind == W_VALUE_INT ? (double)value->as.integer
					    : value->as.number;
	number += io_sum->kind == W_VALUE_INT ? (double)io_sum->as.integer
					      : io_sum->as.number;
	if (!isfinite(number))
		return w_eval_fail(
		    eval, call, "the result is too large a number");
	io_sum->kind = W_VALUE_FLOAT;
	io_sum->as.number = number;
	return WRIT_OK;
}

W_FUNCTION_LAZY(sum)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	struct w_value sum = {.kind = W_VALUE_INT};
	writ_status status = w_predicate_begin(&walk);

	for (size_t i = 0; status == WRIT_OK && i < walk.list.as.list.count;
	     i++) {
		struct w_value value;

		status = w_predicate_apply(&walk, i, &value);
		if (status == WRIT_OK)
			status = add_number(eval, call, &value, &sum);
	}
	if (status != WRIT_OK)
		return status;
	*out_value = sum;
	out_value->is_secret = sum.is_secret || walk.is_secret;
	return WRIT_OK;
}

/* ---- groups ---- */

struct grouping {
	struct w_predicate_walk walk;
	struct w_value *names;  /* of each element, as text */
	size_t *groups;         /* of each element */
	struct w_value *values; /* of each group: what it is called */
	size_t *counts;         /* of each group */
	size_t count;           /* of groups */
};

/* The number of the group of that name, a new one if there is none. */
static size_t
find_group(struct grouping *in, const struct w_value *name)
{
	size_t i = 0;

	for (; i < in->count; i++) {
		if (in->values[i].as.string.len == name->as.string.len &&
		    memcmp(in->values[i].as.string.text, name->as.string.text,
			name->as.string.len) == 0)
			return i;
	}
	in->values[in->count++] = *name;
	return i;
}

static writ_status
put_into_group(struct grouping *in, size_t which)
{
	struct w_eval *eval = in->walk.eval;
	const struct w_expr_node *call = in->walk.call;
	struct w_value value;
	writ_status status = w_predicate_apply(&in->walk, which, &value);

	if (status == WRIT_OK)
		status = w_eval_taint(eval, call, &value, &in->walk.is_secret);
	if (status == WRIT_OK)
		status = w_eval_as_text(eval, call, &value, &in->names[which]);
	if (status != WRIT_OK)
		return status;
	const size_t group = find_group(in, &in->names[which]);
	in->groups[which] = group;
	in->counts[group]++;
	return w_eval_spend(eval, call, 1 + (group >> 3));
}

static writ_status
group_all(struct grouping *in)
{
	struct w_eval *eval = in->walk.eval;
	const struct w_expr_node *call = in->walk.call;
	writ_status status = w_predicate_begin(&in->walk);
	const size_t count =
	    status == WRIT_OK ? in->walk.list.as.list.count : 0;

	if (status == WRIT_OK)
		status = w_eval_alloc(
		    eval, call, count, sizeof(*in->names), &in->names);
	if (status == WRIT_OK)
		status = w_eval_alloc(
		    eval, call, count, sizeof(*in->groups), &in->groups);
	if (status == WRIT_OK)
		status = w_eval_alloc(
		    eval, call, count, sizeof(*in->values), &in->values);
	if (status == WRIT_OK)
		status = w_eval_alloc(
		    eval, call, count, sizeof(*in->counts), &in->counts);
	for (size_t i = 0; status == WRIT_OK && i < count; i++)
		status = put_into_group(in, i);
	return status;
}

static writ_status
new_group_map(struct grouping *in, struct w_value_member **out_members)
{
	struct w_value_member *members = NULL;
	writ_status status = w_eval_alloc(in->walk.eval, in->walk.call,
	    in->count, sizeof(*members), &members);

	for (size_t i = 0; status == WRIT_OK && i < in->count; i++) {
		members[i].name = in->values[i].as.string.text;
		members[i].len = in->values[i].as.string.len;
		members[i].value = (struct w_value){
		    .kind = W_VALUE_INT, .as.integer = (int64_t)in->counts[i]};
	}
	*out_members = members;
	return status;
}

static writ_status
fill_groups(struct grouping *in, struct w_value_member *members)
{
	const size_t count = in->walk.list.as.list.count;
	struct w_value *items = NULL;
	struct w_value **ends = NULL;
	writ_status status = w_eval_alloc(
	    in->walk.eval, in->walk.call, count, sizeof(*items), &items);

	if (status == WRIT_OK)
		status = w_eval_alloc(in->walk.eval, in->walk.call, in->count,
		    sizeof(struct w_value *), &ends);
	for (size_t i = 0; status == WRIT_OK && i < in->count; i++) {
		ends[i] = items;
		members[i].value = (struct w_value){.kind = W_VALUE_LIST,
		    .as.list = {.items = items, .count = in->counts[i]}};
		items += in->counts[i];
	}
	for (size_t i = 0; status == WRIT_OK && i < count; i++)
		*ends[in->groups[i]]++ = in->walk.list.as.list.items[i];
	return status;
}

static writ_status
group(struct w_eval *eval, const struct w_expr_node *call, bool is_counted,
    struct w_value *out_value)
{
	struct grouping in = {.walk = {.eval = eval, .call = call}};
	struct w_value_member *members = NULL;
	writ_status status = group_all(&in);

	if (status == WRIT_OK)
		status = new_group_map(&in, &members);
	if (status == WRIT_OK && !is_counted)
		status = fill_groups(&in, members);
	if (status != WRIT_OK)
		return status;
	*out_value = (struct w_value){.kind = W_VALUE_MAP,
	    .as.map = {.members = members, .count = in.count}};
	return w_eval_mark(eval, call, in.walk.is_secret, out_value);
}

W_FUNCTION_LAZY(group_by)
{
	return group(eval, call, false, out_value);
}

W_FUNCTION_LAZY(count_by)
{
	return group(eval, call, true, out_value);
}

/* ---- sortBy ---- */

struct sorted {
	struct w_value by;
	const struct w_value *item;
	size_t index; /* equal ones stay in order */
	bool is_down;
};

static int
order_sorted(const void *left, const void *right)
{
	const struct sorted *a = left;
	const struct sorted *b = right;
	const int way = w_eval_order(&a->by, &b->by);

	if (way != 0)
		return a->is_down ? -way : way;
	return a->index < b->index ? -1 : 1;
}

static writ_status
read_sorted(struct w_predicate_walk *walk, struct sorted *rows, bool is_down)
{
	const size_t count = walk->list.as.list.count;
	size_t rounds = 1;
	writ_status status = WRIT_OK;

	for (size_t n = count; n > 1; n /= 2)
		rounds++;
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		rows[i] = (struct sorted){.item = &walk->list.as.list.items[i],
		    .index = i,
		    .is_down = is_down};
		status = w_predicate_apply(walk, i, &rows[i].by);
		if (status != WRIT_OK)
			break;
		walk->is_secret = walk->is_secret || rows[i].by.is_secret;
		if (!w_eval_has_order(&rows[0].by, &rows[i].by))
			return w_eval_fail(walk->eval, walk->call,
			    "%s() wants numbers or strings alone, and there "
			    "is %s",
			    walk->call->as.list.function->name,
			    w_value_kind_words(rows[i].by.kind));
		size_t cost = rounds;
		if (rows[i].by.kind == W_VALUE_STRING)
			cost += rounds * (rows[i].by.as.string.len >> 10);
		status = w_eval_spend(walk->eval, walk->call, cost);
	}
	return status;
}

static writ_status
read_order(struct w_eval *eval, const struct w_expr_node *call, bool *out_down)
{
	struct w_value way;

	*out_down = false;
	if (call->as.list.count < 3)
		return WRIT_OK;
	writ_status status = w_eval_node(eval, call->as.list.items[2], &way);
	if (status != WRIT_OK)
		return status;
	if (way.kind != W_VALUE_STRING ||
	    (strcmp(way.as.string.text, "asc") != 0 &&
		strcmp(way.as.string.text, "desc") != 0))
		return w_eval_fail(eval, call->as.list.items[2],
		    "the order is 'asc' or 'desc'");
	*out_down = way.as.string.text[0] == 'd';
	return WRIT_OK;
}

W_FUNCTION_LAZY(sort_by)
{
	struct w_predicate_walk walk = {.eval = eval, .call = call};
	struct sorted *rows = NULL;
	struct w_value *items = NULL;
	bool is_down = false;
	writ_status status = read_order(eval, call, &is_down);

	if (status == WRIT_OK)
		status = w_predicate_begin(&walk);
	if (status != WRIT_OK)
		return status;
	const size_t count = walk.list.as.list.count;
	status = w_eval_alloc(eval, call, count, sizeof(*rows), &rows);
	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, count, sizeof(*items), &items);
	if (status == WRIT_OK)
		status = read_sorted(&walk, rows, is_down);
	if (status != WRIT_OK)
		return status;
	if (count > 1)
		qsort(rows, count, sizeof(*rows), order_sorted);
	for (size_t i = 0; i < count; i++)
		items[i] = *rows[i].item;
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	return w_eval_mark(eval, call, walk.is_secret, out_value);
}
