/* SPDX-License-Identifier: Apache-2.0 */

/* Functions that look for a part of a string, and repeat(). Positions are
 * counted in characters; -1 is nowhere. */

#include <string.h>

#include "expr/eval/eval.h"

static writ_status
want_two_texts(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args)
{
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	if (status == WRIT_OK)
		status = w_function_want(eval, call, args, 1, W_VALUE_STRING);
	if (status != WRIT_OK)
		return status;
	return w_eval_spend(eval, call, args[0].as.string.len >> 10);
}

static bool
starts_with(const struct w_value *text, const struct w_value *part)
{
	return part->as.string.len <= text->as.string.len &&
	       memcmp(text->as.string.text, part->as.string.text,
		   part->as.string.len) == 0;
}

static bool
ends_with(const struct w_value *text, const struct w_value *part)
{
	const size_t len = text->as.string.len;
	const size_t part_len = part->as.string.len;

	return part_len <= len && memcmp(text->as.string.text + len - part_len,
				      part->as.string.text, part_len) == 0;
}

W_FUNCTION(has_prefix)
{
	writ_status status = want_two_texts(eval, call, args);

	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_BOOL,
		    .as.boolean = starts_with(&args[0], &args[1])};
	return status;
}

W_FUNCTION(has_suffix)
{
	writ_status status = want_two_texts(eval, call, args);

	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_BOOL,
		    .as.boolean = ends_with(&args[0], &args[1])};
	return status;
}

W_FUNCTION(trim_prefix)
{
	writ_status status = want_two_texts(eval, call, args);

	if (status != WRIT_OK)
		return status;
	const size_t cut =
	    starts_with(&args[0], &args[1]) ? args[1].as.string.len : 0;
	return w_eval_copy(eval, call, args[0].as.string.text + cut,
	    args[0].as.string.len - cut, out_value);
}

W_FUNCTION(trim_suffix)
{
	writ_status status = want_two_texts(eval, call, args);

	if (status != WRIT_OK)
		return status;
	const size_t cut =
	    ends_with(&args[0], &args[1]) ? args[1].as.string.len : 0;
	return w_eval_copy(eval, call, args[0].as.string.text,
	    args[0].as.string.len - cut, out_value);
}

/* Where the part is, for the last time if so wanted. NULL: nowhere. */
static const char *
find_part(const struct w_value *args, bool is_last)
{
	const char *text = args[0].as.string.text;
	const char *end = text + args[0].as.string.len;
	const char *part = args[1].as.string.text;
	const size_t len = args[1].as.string.len;
	const char *found = memmem(text, (size_t)(end - text), part, len);

	if (!is_last || found == NULL)
		return found;
	if (len == 0)
		return end;
	for (;;) {
		const char *next =
		    memmem(found + 1, (size_t)(end - found - 1), part, len);

		if (next == NULL)
			return found;
		found = next;
	}
}

static writ_status
put_position(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, bool is_last, struct w_value *out_value)
{
	writ_status status = want_two_texts(eval, call, args);
	int64_t position = 0;

	if (status != WRIT_OK)
		return status;
	const char *found = find_part(args, is_last);
	for (const char *at = args[0].as.string.text;
	     found != NULL && at < found; at++)
		position += (*at & 0xc0) != 0x80;
	*out_value = (struct w_value){
	    .kind = W_VALUE_INT, .as.integer = found == NULL ? -1 : position};
	return WRIT_OK;
}

W_FUNCTION(index_of)
{
	return put_position(eval, call, args, false, out_value);
}

W_FUNCTION(last_index_of)
{
	return put_position(eval, call, args, true, out_value);
}

W_FUNCTION(repeat)
{
	size_t len = 0;
	char *text = NULL;
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	if (status == WRIT_OK)
		status = w_function_want(eval, call, args, 1, W_VALUE_INT);
	if (status != WRIT_OK)
		return status;
	if (args[1].as.integer < 0 ||
	    __builtin_mul_overflow(
		args[0].as.string.len, (size_t)args[1].as.integer, &len))
		return w_eval_fail(eval, call->as.list.items[1],
		    "that many times is not possible");
	status = w_eval_text(eval, call, len, &text);
	if (status != WRIT_OK)
		return status;
	*out_value = w_value_text(text, len);
	for (const char *end = text + len; text < end;)
		text = mempcpy(
		    text, args[0].as.string.text, args[0].as.string.len);
	return WRIT_OK;
}
