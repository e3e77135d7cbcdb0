/* SPDX-License-Identifier: Apache-2.0 */

/* Functions that give lists and maps another shape. */

#include <string.h>

#include "expr/eval/eval.h"

static writ_status
new_items(struct w_eval *eval, const struct w_expr_node *call, size_t count,
    struct w_value **out_items, struct w_value *out_value)
{
	writ_status status = w_eval_spend(eval, call, count);

	if (status == WRIT_OK)
		status = w_eval_alloc(
		    eval, call, count, sizeof(**out_items), out_items);
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_LIST,
		    .as.list = {.items = *out_items, .count = count}};
	return status;
}

/* A member or an element; null, or the third argument, if it is not there. */
W_FUNCTION(get)
{
	const struct w_value *found = NULL;

	if (args[0].kind == W_VALUE_MAP && args[1].kind == W_VALUE_STRING) {
		found = w_value_member(
		    &args[0], args[1].as.string.text, args[1].as.string.len);
	} else if (args[0].kind == W_VALUE_LIST &&
		   args[1].kind == W_VALUE_INT) {
		int64_t index = args[1].as.integer;

		if (index < 0)
			index += (int64_t)args[0].as.list.count;
		if (index >= 0 && (uint64_t)index < args[0].as.list.count)
			found = &args[0].as.list.items[index];
	} else if (args[0].kind != W_VALUE_NULL) {
		return w_eval_fail(eval, call,
		    "get() wants a map and a name, or a list and a whole "
		    "number, not %s and %s",
		    w_value_kind_words(args[0].kind),
		    w_value_kind_words(args[1].kind));
	}
	*out_value = (struct w_value){.kind = W_VALUE_NULL};
	if (found != NULL)
		*out_value = *found;
	else if (call->as.list.count > 2)
		*out_value = args[2];
	return args[0].kind != W_VALUE_MAP || args[0].is_indexed
		   ? WRIT_OK
		   : w_eval_spend(eval, call, args[0].as.map.count >> 4);
}

W_FUNCTION(reverse)
{
	struct w_value *items = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);
	const size_t count = args[0].as.list.count;

	if (status == WRIT_OK)
		status = new_items(eval, call, count, &items, out_value);
	for (size_t i = 0; status == WRIT_OK && i < count; i++)
		items[i] = args[0].as.list.items[count - 1 - i];
	return status;
}

W_FUNCTION(take)
{
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);

	if (status == WRIT_OK)
		status = w_function_want(eval, call, args, 1, W_VALUE_INT);
	if (status != WRIT_OK)
		return status;
	if (args[1].as.integer < 0)
		return w_eval_fail(eval, call->as.list.items[1],
		    "fewer than no elements cannot be taken");
	*out_value = args[0];
	if ((uint64_t)args[1].as.integer < args[0].as.list.count)
		out_value->as.list.count = (size_t)args[1].as.integer;
	return WRIT_OK;
}

W_FUNCTION(concat)
{
	struct w_value *items = NULL;
	size_t count = 0;
	writ_status status = WRIT_OK;

	for (unsigned i = 0; status == WRIT_OK && i < call->as.list.count;
	     i++) {
		status = w_function_want(eval, call, args, i, W_VALUE_LIST);
		count += args[i].as.list.count;
	}
	if (status == WRIT_OK)
		status = new_items(eval, call, count, &items, out_value);
	for (size_t i = 0; status == WRIT_OK && i < call->as.list.count; i++)
		for (size_t j = 0; j < args[i].as.list.count; j++)
			*items++ = args[i].as.list.items[j];
	return status;
}

/* The recursion is as deep as the value. */
static size_t
count_flat(const struct w_value *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->as.list.count; i++) {
		const struct w_value *item = &list->as.list.items[i];

		count += item->kind == W_VALUE_LIST ? count_flat(item) : 1;
	}
	return count;
}

static void
put_flat(const struct w_value *list, struct w_value **io_items)
{
	for (size_t i = 0; i < list->as.list.count; i++) {
		const struct w_value *item = &list->as.list.items[i];

		if (item->kind == W_VALUE_LIST)
			put_flat(item, io_items);
		else
			*(*io_items)++ = *item;
	}
}

W_FUNCTION(flatten)
{
	struct w_value *items = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);

	if (status != WRIT_OK)
		return status;
	status = new_items(eval, call, count_flat(&args[0]), &items, out_value);
	if (status == WRIT_OK)
		put_flat(&args[0], &items);
	return status;
}

W_FUNCTION(to_pairs)
{
	struct w_value *items = NULL;
	struct w_value *pairs = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_MAP);
	const size_t count = args[0].as.map.count;

	if (status == WRIT_OK)
		status = new_items(eval, call, count, &items, out_value);
	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, count, 2 * sizeof(*pairs), &pairs);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const struct w_value_member *member =
		    &args[0].as.map.members[i];

		pairs[2 * i] = w_value_text(member->name, member->len);
		pairs[2 * i + 1] = member->value;
		items[i] = (struct w_value){.kind = W_VALUE_LIST,
		    .is_secret = member->value.is_secret,
		    .as.list = {.items = &pairs[2 * i], .count = 2}};
	}
	return status;
}

W_FUNCTION(from_pairs)
{
	struct w_value_member *members = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);
	const size_t count = args[0].as.list.count;

	if (status == WRIT_OK)
		status = w_eval_spend(eval, call, count);
	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, count, sizeof(*members), &members);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const struct w_value *pair = &args[0].as.list.items[i];

		if (pair->kind != W_VALUE_LIST || pair->as.list.count != 2 ||
		    pair->as.list.items[0].kind != W_VALUE_STRING)
			return w_eval_fail(eval, call,
			    "fromPairs() wants lists of a name and a value");
		members[i].name = pair->as.list.items[0].as.string.text;
		members[i].len = pair->as.list.items[0].as.string.len;
		members[i].value = pair->as.list.items[1];
	}
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_MAP,
		    .as.map = {.members = members, .count = count}};
	return status;
}

/* The members of all maps; those of a later one replace earlier ones. */
W_FUNCTION(merge)
{
	struct w_value_member *members = NULL;
	size_t total = 0;
	size_t count = 0;
	writ_status status = WRIT_OK;

	for (unsigned i = 0; status == WRIT_OK && i < call->as.list.count;
	     i++) {
		status = w_function_want(eval, call, args, i, W_VALUE_MAP);
		total += args[i].as.map.count;
	}
	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, total, sizeof(*members), &members);
	for (size_t i = 0; status == WRIT_OK && i < call->as.list.count; i++) {
		for (size_t j = 0; j < args[i].as.map.count; j++) {
			const struct w_value_member *one =
			    &args[i].as.map.members[j];
			size_t at = 0;

			while (at < count && (members[at].len != one->len ||
						 memcmp(members[at].name,
						     one->name, one->len) != 0))
				at++;
			members[at] = *one;
			count += at == count;
			status = w_eval_spend(eval, call, 1 + (at >> 3));
			if (status != WRIT_OK)
				return status;
		}
	}
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_MAP,
		    .as.map = {.members = members, .count = count}};
	return status;
}
