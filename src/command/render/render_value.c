/* SPDX-License-Identifier: Apache-2.0 */

/* Renders one parameter with its value. render.c lists the guarantees. */

#include "command/render/renderer.h"

#include <string.h>

#define STAGE      "arguments"
#define SWITCH_MAX ((unsigned)W_TYPE_NULL | (unsigned)W_TYPE_BOOLEAN)

writ_status
w_renderer_add(struct w_renderer *render, const char *word, size_t len)
{
	return w_words_add(&render->words, word, len)
		   ? WRIT_OK
		   : w_fail_nomem(render->now.err, STAGE);
}

static writ_status
add_switch(
    struct w_renderer *render, const struct w_param *param, unsigned types)
{
	if ((types & W_TYPE_BOOLEAN) == 0) {
		(void)w_argument_refuse(
		    &render->now, "'%.64s' takes a value", param->flag);
		w_suggest(render->now.err, "give the value itself, not true");
		return WRIT_E_INVALID;
	}
	writ_status status =
	    w_renderer_note(render, &(struct w_match){.param = param,
					.word = render->words.count,
					.flag_word = render->words.count});
	if (status != WRIT_OK)
		return status;
	return w_renderer_add(render, param->flag, param->flag_len);
}

static writ_status
note_attached(
    struct w_renderer *render, const struct w_param *param, size_t offset)
{
	return w_renderer_note(render, &(struct w_match){.param = param,
					   .word = render->words.count,
					   .offset = offset,
					   .count = 1,
					   .flag_word = render->words.count});
}

/* That many words follow the flag. */
static writ_status
add_flag(struct w_renderer *render, const struct w_param *param, size_t count)
{
	writ_status status =
	    w_renderer_note(render, &(struct w_match){.param = param,
					.word = render->words.count + 1,
					.count = count,
					.flag_word = render->words.count});

	if (status != WRIT_OK)
		return status;
	return w_renderer_add(render, param->flag, param->flag_len);
}

/* "--flag=value", "-fvalue". */
static writ_status
add_attached(struct w_renderer *render, const struct w_param *param,
    const struct w_argument_text *text)
{
	bool is_joined = param->attach == W_ATTACH_JOINED;
	writ_status status =
	    note_attached(render, param, param->flag_len + (is_joined ? 0 : 1));

	if (status != WRIT_OK)
		return status;
	if (is_joined) {
		/* A flag with an empty joined value is the bare flag. */
		if (text->len == 0)
			return w_argument_refuse(&render->now,
			    "an empty value cannot be joined to '%.64s'",
			    param->flag);
		return w_argument_add(&render->now, &render->words, param->flag,
		    param->flag_len, text);
	}
	W_AUTO_BUF struct w_buf before;
	w_buf_init(&before, param->flag_len + 1);
	w_buf_add(&before, param->flag, param->flag_len);
	w_buf_add_char(&before, '=');
	if (before.failed)
		return w_fail_nomem(render->now.err, STAGE);
	return w_argument_add(
	    &render->now, &render->words, before.data, before.len, text);
}

static writ_status
add_option_text(struct w_renderer *render, const struct w_param *param,
    yyjson_val *val, unsigned types)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};
	writ_status status = w_argument_text(&render->now, val, types, &text);

	if (status != WRIT_OK)
		return status;
	if (param->attach != W_ATTACH_SEPARATE)
		return add_attached(render, param, &text);
	status = add_flag(render, param, 1);
	if (status != WRIT_OK)
		return status;
	return w_argument_add(&render->now, &render->words, NULL, 0, &text);
}

static writ_status
add_option_value(struct w_renderer *render, const struct w_param *param,
    yyjson_val *val, unsigned types)
{
	if (yyjson_is_null(val) || yyjson_is_false(val))
		return WRIT_OK;
	if (yyjson_is_true(val))
		return add_switch(render, param, types);
	if ((types & ~SWITCH_MAX) == 0) {
		(void)w_argument_refuse(&render->now,
		    "'%.64s' is a switch and takes no value", param->flag);
		w_suggest(render->now.err, "true or false");
		return WRIT_E_INVALID;
	}
	return add_option_text(render, param, val, types);
}

/* Whether true, false or null is a value like any other: in the list of an
 * option that takes values. A list that can hold nothing else is a switch that
 * is repeated; and true of an optional value is the flag alone. */
static bool
is_item_text(const struct w_renderer *render, const struct w_param *param,
    yyjson_val *item)
{
	const unsigned types = param->item_types;

	if (param->kind == W_PARAM_OPERAND || render->is_described ||
	    param->is_value_optional || (types & ~SWITCH_MAX) == 0)
		return false;
	return (yyjson_is_bool(item) && (types & W_TYPE_BOOLEAN) != 0) ||
	       (yyjson_is_null(item) && (types & W_TYPE_NULL) != 0);
}

/* One occurrence of a flag with several words. */
static writ_status
add_tuple(
    struct w_renderer *render, const struct w_param *param, yyjson_val *tuple)
{
	/* Nothing is known about the words of a list of lists. */
	unsigned types = (param->item_types & W_TYPE_ARRAY) != 0
			     ? (unsigned)W_TYPE_ANY
			     : param->item_types;
	writ_status status;
	size_t i;
	size_t count;
	yyjson_val *val;

	if (render->is_described)
		types = W_TYPE_STRING;
	if (!yyjson_is_arr(tuple) || yyjson_arr_size(tuple) != param->arity) {
		(void)w_argument_refuse(&render->now,
		    "'%.64s' takes %u values at a time", param->flag,
		    param->arity);
		w_suggest(render->now.err,
		    "an array of %u, or an array of such arrays", param->arity);
		return WRIT_E_INVALID;
	}
	status = add_flag(render, param, param->arity);
	yyjson_arr_foreach(tuple, i, count, val)
	{
		W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};

		if (status == WRIT_OK && yyjson_is_null(val))
			status = w_argument_refuse(
			    &render->now, "value %zu is null", i + 1);
		if (status == WRIT_OK)
			status =
			    w_argument_text(&render->now, val, types, &text);
		if (status == WRIT_OK)
			status = w_argument_add(
			    &render->now, &render->words, NULL, 0, &text);
	}
	return status;
}

static writ_status
add_tuples(
    struct w_renderer *render, const struct w_param *param, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *tuple;

	if (!w_argument_is_effective(val))
		return WRIT_OK;
	if (!yyjson_is_arr(yyjson_arr_get_first(val)))
		return add_tuple(render, param, val);
	yyjson_arr_foreach(val, i, count, tuple)
	{
		render->now.element = i + 1;
		writ_status status = add_tuple(render, param, tuple);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* What must precede an operand so that it is one; NULL: failed, nothing
 * helps. */
static const char *
render_value_guard(struct w_renderer *render, const struct w_param *param,
    enum w_slot slot, const struct w_argument_text *text)
{
	if (!w_argument_needs_guard(param, slot, text->bytes, text->len))
		return "";
	if (param->is_path)
		return "./";
	if (slot == W_SLOT_TRAILING && render->has_ended)
		return "";

	(void)w_argument_refuse(&render->now,
	    "'%.64s' begins with '-' and would be taken for an option",
	    param->is_secret ? "***" : text->bytes);
	w_suggest(render->now.err,
	    "in the binding: x-apexe-path for a path, x-apexe-end-of-options "
	    "where the command honours \"--\", or x-writ-dash: allow");
	return NULL;
}

static writ_status
add_operand_value(struct w_renderer *render, const struct w_param *param,
    enum w_slot slot, yyjson_val *val)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};
	const char *before = "";

	if (yyjson_is_null(val) || yyjson_is_false(val))
		return WRIT_OK;
	if (yyjson_is_true(val)) {
		(void)w_argument_refuse(
		    &render->now, "an operand is a text or a number, not true");
		return WRIT_E_INVALID;
	}
	unsigned types =
	    render->now.element > 0 ? param->item_types : param->types;
	writ_status status = w_argument_text(&render->now, val, types, &text);
	if (status != WRIT_OK)
		return status;
	/* A number may be negative, unless it is a file name. */
	if (yyjson_is_str(val) || yyjson_is_obj(val) || param->is_path)
		before = render_value_guard(render, param, slot, &text);
	if (before == NULL)
		return WRIT_E_INVALID;
	status = note_attached(render, param, 0);
	if (status != WRIT_OK)
		return status;
	if (render->is_described && render->grammar->style == W_STYLE_POSIX)
		render->has_ended = true;
	return w_argument_add(
	    &render->now, &render->words, before, strlen(before), &text);
}

static writ_status
render_value_add_one(struct w_renderer *render, const struct w_param *param,
    enum w_slot slot, yyjson_val *val, unsigned types)
{
	if (param->kind == W_PARAM_OPERAND)
		return add_operand_value(render, param, slot, val);
	return add_option_value(render, param, val, types);
}

writ_status
w_renderer_value(struct w_renderer *render, const struct w_param *param,
    enum w_slot slot, yyjson_val *val)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (param->values != NULL && param->values[0].kind == W_VALUE_COMMAND)
		return w_renderer_commands(render, param, val);
	if (param->arity > 1)
		return add_tuples(render, param, val);
	if (!yyjson_is_arr(val))
		return render_value_add_one(
		    render, param, slot, val, param->types);
	if ((param->types & W_TYPE_ARRAY) == 0)
		return w_argument_refuse(
		    &render->now, "it takes one value, not a list");
	yyjson_arr_foreach(val, i, count, item)
	{
		render->now.element = i + 1;
		status = is_item_text(render, param, item)
			     ? add_option_text(
				   render, param, item, param->item_types)
			     : render_value_add_one(render, param, slot, item,
				   param->item_types);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
