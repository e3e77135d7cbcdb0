/* SPDX-License-Identifier: Apache-2.0 */

/* Functions on strings. Only ASCII letters have a case; other bytes stay
 * unchanged. */

#include <string.h>

#include "expr/eval/eval.h"

static writ_status
want_texts(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args)
{
	writ_status status = WRIT_OK;

	for (unsigned i = 0; status == WRIT_OK && i < call->as.list.count; i++)
		status = w_function_want(eval, call, args, i, W_VALUE_STRING);
	return status;
}

/* Flips the case of the 26 letters from first on. */
static writ_status
change_case(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, char first, struct w_value *out_value)
{
	writ_status status = want_texts(eval, call, args);
	char *text = NULL;

	if (status == WRIT_OK)
		status = w_eval_text(eval, call, args[0].as.string.len, &text);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < args[0].as.string.len; i++) {
		char c = args[0].as.string.text[i];

		text[i] = c >= first && c < first + 26 ? (char)(c ^ 0x20) : c;
	}
	*out_value = w_value_text(text, args[0].as.string.len);
	return WRIT_OK;
}

W_FUNCTION(upper)
{
	return change_case(eval, call, args, 'a', out_value);
}

W_FUNCTION(lower)
{
	return change_case(eval, call, args, 'A', out_value);
}

W_FUNCTION(trim)
{
	writ_status status = want_texts(eval, call, args);

	if (status != WRIT_OK)
		return status;
	const char *text = args[0].as.string.text;
	size_t len = args[0].as.string.len;
	size_t from = strspn(text, " \t\r\n\v\f");
	while (len > from && strchr(" \t\r\n\v\f", text[len - 1]) != NULL)
		len--;
	return w_eval_copy(eval, call, text + from, len - from, out_value);
}

static size_t
count_parts(const struct w_value *text, const struct w_value *part)
{
	const char *at = text->as.string.text;
	const char *end = at + text->as.string.len;
	size_t count = 0;

	for (;;) {
		at = memmem(at, (size_t)(end - at), part->as.string.text,
		    part->as.string.len);
		if (at == NULL)
			return count;
		count++;
		at += part->as.string.len;
	}
}

static writ_status
refuse_empty(struct w_eval *eval, const struct w_expr_node *call)
{
	return w_eval_fail(eval, call->as.list.items[1],
	    "%s() cannot look for an empty string",
	    call->as.list.function->name);
}

W_FUNCTION(split)
{
	struct w_value *items = NULL;
	writ_status status = want_texts(eval, call, args);

	if (status != WRIT_OK)
		return status;
	if (args[1].as.string.len == 0)
		return refuse_empty(eval, call);
	size_t count = count_parts(&args[0], &args[1]) + 1;
	status = w_eval_spend(eval, call, count);
	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, count, sizeof(*items), &items);
	const char *at = args[0].as.string.text;
	const char *end = at + args[0].as.string.len;
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const char *stop = memmem(at, (size_t)(end - at),
		    args[1].as.string.text, args[1].as.string.len);
		if (stop == NULL)
			stop = end;
		status =
		    w_eval_copy(eval, call, at, (size_t)(stop - at), &items[i]);
		at = stop + args[1].as.string.len;
	}
	if (status == WRIT_OK)
		*out_value = (struct w_value){.kind = W_VALUE_LIST,
		    .as.list = {.items = items, .count = count}};
	return status;
}

/* The items as texts; *out_len is their total length with separators. */
static writ_status
texts_of(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *list, size_t between, struct w_value **out_texts,
    size_t *out_len)
{
	size_t count = list->as.list.count;
	size_t len = count > 0 ? between * (count - 1) : 0;
	struct w_value *texts = NULL;
	writ_status status = w_eval_spend(eval, call, count);

	if (status == WRIT_OK)
		status =
		    w_eval_alloc(eval, call, count, sizeof(*texts), &texts);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const struct w_value *item = &list->as.list.items[i];

		if (item->kind == W_VALUE_LIST || item->kind == W_VALUE_MAP ||
		    item->kind == W_VALUE_NULL)
			return w_eval_fail(eval, call,
			    "join() wants strings and numbers, not %s",
			    w_value_kind_words(item->kind));
		status = w_eval_as_text(eval, call, item, &texts[i]);
		if (status == WRIT_OK)
			len += texts[i].as.string.len;
	}
	if (status == WRIT_OK) {
		*out_texts = texts;
		*out_len = len;
	}
	return status;
}

W_FUNCTION(join)
{
	struct w_value between =
	    call->as.list.count > 1 ? args[1] : w_value_text("", 0);
	struct w_value *texts = NULL;
	size_t len = 0;
	char *text = NULL;
	writ_status status = w_function_want(eval, call, args, 0, W_VALUE_LIST);

	if (status == WRIT_OK && call->as.list.count > 1)
		status = w_function_want(eval, call, args, 1, W_VALUE_STRING);
	if (status == WRIT_OK)
		status = texts_of(
		    eval, call, &args[0], between.as.string.len, &texts, &len);
	if (status == WRIT_OK)
		status = w_eval_text(eval, call, len, &text);
	if (status != WRIT_OK)
		return status;
	*out_value = w_value_text(text, len);
	for (size_t i = 0; i < args[0].as.list.count; i++) {
		if (i > 0)
			text = mempcpy(text, between.as.string.text,
			    between.as.string.len);
		/* NOLINTBEGIN(clang-analyzer-*): each item has a text */
		text = mempcpy(
		    text, texts[i].as.string.text, texts[i].as.string.len);
		/* NOLINTEND(clang-analyzer-*) */
	}
	return WRIT_OK;
}

W_FUNCTION(replace)
{
	writ_status status = want_texts(eval, call, args);
	char *out = NULL;

	if (status != WRIT_OK)
		return status;
	if (args[1].as.string.len == 0)
		return refuse_empty(eval, call);
	size_t count = count_parts(&args[0], &args[1]);
	size_t len = args[0].as.string.len - count * args[1].as.string.len +
		     count * args[2].as.string.len;
	status = w_eval_text(eval, call, len, &out);
	if (status != WRIT_OK)
		return status;
	*out_value = w_value_text(out, len);
	const char *at = args[0].as.string.text;
	const char *end = at + args[0].as.string.len;
	for (; count > 0; count--) {
		const char *stop = memmem(at, (size_t)(end - at),
		    args[1].as.string.text, args[1].as.string.len);

		out = mempcpy(out, at, (size_t)(stop - at));
		out =
		    mempcpy(out, args[2].as.string.text, args[2].as.string.len);
		at = stop + args[1].as.string.len;
	}
	memcpy(out, at, (size_t)(end - at));
	return WRIT_OK;
}
