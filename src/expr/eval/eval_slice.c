/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parts of lists and strings, x[from:to], and lists of numbers, from..to. What
 * is behind the end is not there, which is no error. Strings are cut between
 * characters.
 */

#include "expr/eval/eval.h"

/* One end of a slice, from 0 to count; a negative one is from the end. */
static writ_status
find_end(struct w_eval *eval, const struct w_expr_node *part, size_t count,
    size_t otherwise, struct w_value *out_value, size_t *out_end)
{
	*out_value = (struct w_value){.kind = W_VALUE_NULL};
	*out_end = otherwise;
	if (part == NULL)
		return WRIT_OK;
	writ_status status = w_eval_node(eval, part, out_value);
	if (status != WRIT_OK)
		return status;
	if (out_value->kind != W_VALUE_INT)
		return w_eval_fail(eval, part,
		    "the end of a slice is a whole number, not %s",
		    w_value_kind_words(out_value->kind));
	int64_t end = out_value->as.integer;
	if (end < 0)
		end = end < -(int64_t)count ? 0 : end + (int64_t)count;
	*out_end = (uint64_t)end > count ? count : (size_t)end;
	return WRIT_OK;
}

static bool
is_inside(char byte)
{
	return (byte & 0xc0) == 0x80;
}

static size_t
count_characters(const struct w_value *text)
{
	size_t count = 0;

	for (size_t i = 0; i < text->as.string.len; i++)
		count += !is_inside(text->as.string.text[i]);
	return count;
}

/* The byte at which that character starts. */
static size_t
find_character(const struct w_value *text, size_t which)
{
	size_t at = 0;

	for (; at < text->as.string.len; at++) {
		if (!is_inside(text->as.string.text[at]) && which-- == 0)
			break;
	}
	return at;
}

static writ_status
cut_text(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *text, const size_t ends[2], struct w_value *out_value)
{
	const size_t from = find_character(text, ends[0]);
	const size_t to = find_character(text, ends[1]);
	writ_status status = w_eval_spend(eval, node, text->as.string.len >> 7);

	if (status != WRIT_OK)
		return status;
	return w_eval_copy(eval, node, text->as.string.text + from,
	    to > from ? to - from : 0, out_value);
}

writ_status
w_eval_slice(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	struct w_value object;
	struct w_value at[2];
	size_t ends[2];
	writ_status status = w_eval_node(eval, node->as.of.left, &object);

	if (status != WRIT_OK)
		return status;
	if (object.kind == W_VALUE_NULL && node->flags != 0) {
		*out_value = object;
		return WRIT_OK;
	}
	if (object.kind != W_VALUE_LIST && object.kind != W_VALUE_STRING)
		return w_eval_fail(eval, node, "%s has no slices",
		    w_value_kind_words(object.kind));
	const size_t count = object.kind == W_VALUE_LIST
				 ? object.as.list.count
				 : count_characters(&object);
	status = find_end(eval, node->as.of.right, count, 0, &at[0], &ends[0]);
	if (status == WRIT_OK)
		status = find_end(
		    eval, node->as.of.third, count, count, &at[1], &ends[1]);
	if (status != WRIT_OK)
		return status;
	const bool is_secret =
	    object.is_secret || at[0].is_secret || at[1].is_secret;
	if (object.kind == W_VALUE_STRING)
		status = cut_text(eval, node, &object, ends, out_value);
	else
		*out_value = (struct w_value){.kind = W_VALUE_LIST,
		    .as.list = {.items = ends[1] > ends[0]
					     ? object.as.list.items + ends[0]
					     : NULL,
			.count = ends[1] > ends[0] ? ends[1] - ends[0] : 0}};
	if (status != WRIT_OK)
		return status;
	return w_eval_mark(eval, node, is_secret, out_value);
}

writ_status
w_eval_range(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value)
{
	struct w_value *items = NULL;
	int64_t span;

	if (left->kind != W_VALUE_INT || right->kind != W_VALUE_INT)
		return w_eval_fail(eval, node,
		    "'..' is between two whole numbers, not %s and %s",
		    w_value_kind_words(left->kind),
		    w_value_kind_words(right->kind));
	if (__builtin_sub_overflow(
		right->as.integer, left->as.integer, &span) ||
	    span > W_EXPR_STEPS_MAX)
		return w_eval_fail(
		    eval, node, "the expression takes too long to evaluate");
	const size_t count = span < 0 ? 0 : (size_t)span + 1;
	writ_status status = w_eval_spend(eval, node, count);
	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, node, count, sizeof(*items), &items);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < count; i++)
		items[i] = (struct w_value){.kind = W_VALUE_INT,
		    .as.integer = left->as.integer + (int64_t)i};
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	return w_eval_mark(
	    eval, node, left->is_secret || right->is_secret, out_value);
}
