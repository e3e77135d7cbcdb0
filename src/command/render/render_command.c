/* SPDX-License-Identifier: Apache-2.0 */

/* Nested commands: lists of words that follow a flag, up to ";" or "{} +", or
 * are the last operand. */

#include "command/render/renderer.h"

static bool
render_command_is_text(yyjson_val *val, const char *text)
{
	return yyjson_equals_str(val, text);
}

static writ_status
render_command_add_word(struct w_renderer *render, yyjson_val *word)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};

	if (!yyjson_is_str(word) && !yyjson_is_obj(word))
		return w_argument_refuse(
		    &render->now, "the words of a command are texts");
	writ_status status =
	    w_argument_text(&render->now, word, W_TYPE_STRING, &text);
	if (status != WRIT_OK)
		return status;
	return w_argument_add(&render->now, &render->words, NULL, 0, &text);
}

static writ_status
render_command_begin(
    struct w_renderer *render, const struct w_param *param, size_t count)
{
	bool is_option = param->kind == W_PARAM_OPTION;
	size_t word = render->words.count;
	writ_status status =
	    w_renderer_note(render, &(struct w_match){.param = param,
					.word = is_option ? word + 1 : word,
					.count = count,
					.flag_word = word});

	if (status != WRIT_OK || !is_option)
		return status;
	return w_renderer_add(render, param->flag, param->flag_len);
}

static writ_status
render_command_add_command(
    struct w_renderer *render, const struct w_param *param, yyjson_val *words)
{
	size_t count = yyjson_arr_size(words);
	/* A final "{}" and "+" is the other way to end it. */
	bool has_plus =
	    param->is_until_end && count >= 2 &&
	    render_command_is_text(yyjson_arr_get(words, count - 1), "+") &&
	    render_command_is_text(yyjson_arr_get(words, count - 2), "{}");
	size_t i;
	size_t all;
	yyjson_val *word;

	if (!yyjson_is_arr(words) || count == 0) {
		(void)w_argument_refuse(
		    &render->now, "a command is a list of words");
		w_suggest(render->now.err, "like [\"ls\", \"-l\"]");
		return WRIT_E_INVALID;
	}
	writ_status status =
	    render_command_begin(render, param, has_plus ? count - 1 : count);
	yyjson_arr_foreach(words, i, all, word)
	{
		if (status == WRIT_OK && param->is_until_end &&
		    render_command_is_text(word, ";"))
			status = w_argument_refuse(
			    &render->now, "its word ';' would end it");
		if (status == WRIT_OK)
			status = render_command_add_word(render, word);
	}
	if (status == WRIT_OK && param->is_until_end && !has_plus)
		status = w_renderer_add(render, ";", 1);
	return status;
}

writ_status
w_renderer_commands(
    struct w_renderer *render, const struct w_param *param, yyjson_val *val)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (!w_argument_is_effective(val))
		return WRIT_OK;
	if (param->kind != W_PARAM_OPTION || !param->is_repeatable ||
	    !yyjson_is_arr(yyjson_arr_get_first(val)))
		return render_command_add_command(render, param, val);
	yyjson_arr_foreach(val, i, count, item)
	{
		render->now.element = i + 1;
		if (status == WRIT_OK)
			status =
			    render_command_add_command(render, param, item);
	}
	return status;
}
