/* SPDX-License-Identifier: Apache-2.0 */

/* The words of an argv, one after the other. render.c has the promises that
 * are kept here. */

#include "module/render_words.h"

#include <math.h>
#include <string.h>

#include "base/match.h"

#define STAGE "arguments"

writ_status
w_rendering_refuse_key(const struct w_rendering *render, yyjson_val *key)
{
	const char *name = unsafe_yyjson_get_str(key);
	const char *near = w_form_nearest(render->form, name);

	(void)w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
	    "there is no argument '%.64s'", name);
	w_match_suggest(near, render->now.err);
	return WRIT_E_INVALID;
}

const struct w_param *
w_rendering_find(const struct w_rendering *render, yyjson_val *key)
{
	return w_form_find(
	    render->form, yyjson_get_str(key), yyjson_get_len(key));
}

writ_status
w_rendering_step(const struct w_rendering *render, yyjson_val *step,
    const struct w_param **out_param, yyjson_val **out_val)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(step);

	if (!yyjson_is_obj(step) || yyjson_obj_size(step) != 1) {
		(void)w_argument_refuse(
		    &render->now, "a step is an object with one member");
		w_suggest(render->now.err, "like [{\"a\": 1}, {\"b\": 2}]");
		return WRIT_E_INVALID;
	}
	yyjson_val *key = yyjson_obj_iter_next(&iter);
	const struct w_param *param = w_rendering_find(render, key);
	if (param == NULL)
		return w_rendering_refuse_key(render, key);
	if (param->kind == W_PARAM_SEQUENCE)
		return w_argument_refuse(
		    &render->now, "a step cannot be a sequence itself");
	*out_param = param;
	*out_val = yyjson_obj_iter_get_val(key);
	return WRIT_OK;
}

static writ_status
add_words(struct w_rendering *render, const char *const *words)
{
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && words != NULL && *words != NULL; words++)
		status = w_rendering_add(render, *words, strlen(*words));
	return status;
}

/* A negative number passes without "--" too, but where there is one it need
 * not be hoped that the command has no option "-1". */
static bool
begins_with_dash(yyjson_val *val)
{
	if (yyjson_is_real(val))
		return signbit(yyjson_get_real(val)) != 0;
	if (yyjson_is_num(val))
		return yyjson_is_sint(val) && yyjson_get_sint(val) < 0;
	if (yyjson_is_raw(val))
		return yyjson_get_raw(val)[0] == '-';
	return yyjson_is_str(val) &&
	       w_argument_is_dashed(yyjson_get_str(val), yyjson_get_len(val));
}

static bool
begins_like_option(const struct w_rendering *render, yyjson_val *val)
{
	/* Bytes that are not seen here. */
	if (render->is_described && yyjson_is_obj(val))
		return true;
	return begins_with_dash(val) ||
	       (render->form->has_plus && yyjson_is_str(val) &&
		   yyjson_get_str(val)[0] == '+');
}

/* Nothing behind it is an option. */
static writ_status
add_dashes(struct w_rendering *render)
{
	if (render->has_dashes)
		return WRIT_OK;
	render->has_dashes = true;
	render->has_ended = true;
	return w_rendering_add(render, "--", 2);
}

/* Whether "--" would make other operands of those behind it. */
static bool
has_after_dashes(const struct w_form *form)
{
	for (size_t i = 0; i < form->operand_count; i++) {
		if (form->params[form->operands[i]].is_after_dashes)
			return true;
	}
	return false;
}

/* How many steps there are up to the last that is no operand. */
static size_t
count_to_last_option(const struct w_rendering *render, yyjson_val *steps)
{
	size_t last = 0;
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		yyjson_obj_iter iter = yyjson_obj_iter_with(step);
		const struct w_param *param =
		    w_rendering_find(render, yyjson_obj_iter_next(&iter));

		if (param != NULL && param->kind != W_PARAM_OPERAND)
			last = i + 1;
	}
	return last;
}

static bool is_risky(const struct w_rendering *render,
    const struct w_param *param, yyjson_val *val);

/* Operands among flags: as before all flags, nothing protects them, except
 * where nothing but operands follows. */
static writ_status
protect_step(struct w_rendering *render, const struct w_param *param,
    yyjson_val *val, bool is_behind)
{
	const struct w_form *form = render->form;

	if (!render->is_described || !is_behind || render->has_ended ||
	    !form->has_end_of_options || has_after_dashes(form) ||
	    !is_risky(render, param, val))
		return WRIT_OK;
	return add_dashes(render);
}

static writ_status
add_step(struct w_rendering *render, yyjson_val *step, bool is_behind)
{
	const struct w_param *param;
	yyjson_val *val;
	writ_status status = w_rendering_step(render, step, &param, &val);

	if (status != WRIT_OK)
		return status;
	render->now.key = param->key;
	render->now.element = 0;
	status = protect_step(render, param, val, is_behind);
	if (status != WRIT_OK)
		return status;
	enum w_slot slot = render->has_ended ? W_SLOT_TRAILING : W_SLOT_LEADING;
	render->has_ended |= param->is_last;
	return w_rendering_value(render, param, slot, val);
}

static writ_status
add_sequence(struct w_rendering *render, yyjson_val *steps)
{
	const struct w_argument whole = render->now;
	size_t options = count_to_last_option(render, steps);
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		render->now = whole;
		render->now.element = i + 1;
		writ_status status = add_step(render, step, i >= options);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_param(struct w_rendering *render, size_t place)
{
	const struct w_param *param = &render->form->params[place];
	yyjson_val *val = render->given[place].val;

	if (param->is_aside || !w_argument_is_effective(val))
		return WRIT_OK;
	render->now.key = param->key;
	render->now.element = 0;
	if (param->kind == W_PARAM_SEQUENCE)
		return add_sequence(render, val);
	writ_status status = w_rendering_value(render, param, param->slot, val);
	render->has_ended |= param->is_last;
	return status;
}

static writ_status
add_slot(struct w_rendering *render, enum w_slot slot)
{
	const struct w_form *form = render->form;

	for (; render->cursor < form->count; render->cursor++) {
		size_t place = form->order[render->cursor];

		if (form->params[place].slot != slot)
			return WRIT_OK;
		writ_status status = add_param(render, place);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* The words of the sub-command, each behind the options of its level. */
static writ_status
add_names(struct w_rendering *render, const char *const *words)
{
	const struct w_form *form = render->form;
	size_t begin = render->cursor;
	writ_status status = WRIT_OK;

	for (size_t level = 0; status == WRIT_OK; level++) {
		for (render->cursor = begin; render->cursor < form->count;
		     render->cursor++) {
			size_t place = form->order[render->cursor];

			if (form->params[place].slot !=
			    W_SLOT_BEFORE_SUBCOMMAND)
				break;
			if (form->params[place].level == level &&
			    status == WRIT_OK)
				status = add_param(render, place);
		}
		if (words[level] == NULL)
			break;
		if (status == WRIT_OK)
			status = w_rendering_add(
			    render, words[level], strlen(words[level]));
	}
	return status;
}

/* A second spelling of a listed key would go around its schema. */
static writ_status
refuse_alias(struct w_rendering *render, const char *flag)
{
	for (size_t i = 0; i < render->form->count; i++) {
		const struct w_param *param = &render->form->params[i];

		if (param->flag == NULL || strcmp(param->flag, flag) != 0)
			continue;
		(void)w_argument_refuse(
		    &render->now, "'%.64s' has another name", flag);
		w_suggest(render->now.err, "write '%s'", param->key);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* A key that an open form does not list is a long option of any type. */
static writ_status
add_unlisted(struct w_rendering *render, yyjson_val *key, yyjson_val *val)
{
	W_AUTO_BUF struct w_buf flag;
	struct w_param param = {.key = yyjson_get_str(key),
	    .key_len = yyjson_get_len(key),
	    .types = W_TYPE_ANY,
	    .item_types = W_TYPE_ANY,
	    .arity = 1};

	render->now.key = param.key;
	render->now.element = 0;
	w_buf_init(&flag, W_WORD_BYTES_MAX);
	if (param.key_len > W_WORD_BYTES_MAX - 2 ||
	    !w_form_add_flag(&flag, param.key, param.key_len))
		return w_argument_refuse(
		    &render->now, "such a key is no option");
	if (flag.failed)
		return w_fail_nomem(render->now.err, STAGE);
	writ_status status = refuse_alias(render, flag.data);
	if (status != WRIT_OK)
		return status;
	param.flag = flag.data;
	param.flag_len = flag.len;
	return w_rendering_value(render, &param, W_SLOT_FLAGS, val);
}

static writ_status
add_all_unlisted(struct w_rendering *render)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (render->unlisted == 0)
		return WRIT_OK;
	yyjson_obj_foreach(render->args, i, count, key, val)
	{
		if (w_rendering_find(render, key) != NULL)
			continue;
		writ_status status = add_unlisted(render, key, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static bool
is_risky(const struct w_rendering *render, const struct w_param *param,
    yyjson_val *val)
{
	bool is_command =
	    param->values != NULL && param->values[0].kind == W_VALUE_COMMAND;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (!w_argument_is_effective(val))
		return false;
	/* The first word may be a bundle there. */
	if (render->form->style == W_STYLE_CLUSTER &&
	    render->words.count == render->first)
		return true;
	if (param->is_path || param->may_begin_with_dash)
		return false;
	if (is_command)
		return begins_like_option(render, yyjson_arr_get_first(val));
	yyjson_arr_foreach(val, i, count, item)
	{
		if (begins_like_option(render, item))
			return true;
	}
	return begins_like_option(render, val);
}

/* "--" only where it is needed: it must stand before all operands, since some
 * commands read no options behind the first. */
static writ_status
end_options(struct w_rendering *render)
{
	const struct w_form *form = render->form;

	if (!form->has_end_of_options || has_after_dashes(form) ||
	    render->has_ended)
		return WRIT_OK;
	for (size_t i = 0; i < form->operand_count; i++) {
		size_t place = form->operands[i];

		if (form->params[place].slot == W_SLOT_TRAILING &&
		    is_risky(
			render, &form->params[place], render->given[place].val))
			return add_dashes(render);
	}
	return WRIT_OK;
}

static writ_status
add_trailing(struct w_rendering *render, bool is_after)
{
	const struct w_form *form = render->form;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < form->operand_count; i++) {
		size_t place = form->operands[i];
		const struct w_param *param = &form->params[place];

		if (param->slot != W_SLOT_TRAILING ||
		    param->is_after_dashes != is_after ||
		    !w_argument_is_effective(render->given[place].val))
			continue;
		if (is_after)
			status = add_dashes(render);
		if (status == WRIT_OK)
			status = add_param(render, place);
		if (status != WRIT_OK)
			return status;
	}
	return status;
}

writ_status
w_rendering_words(struct w_rendering *render, const struct w_render_plan *plan)
{
	writ_status status =
	    w_rendering_add(render, plan->words[0], strlen(plan->words[0]));

	if (status == WRIT_OK)
		status = add_names(render, plan->words + 1);
	render->first = render->words.count;
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_BEFORE_OPERANDS);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_LEADING);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_FLAGS);
	if (status == WRIT_OK)
		status = add_all_unlisted(render);
	render->flag_from = render->words.count;
	if (status == WRIT_OK)
		status = add_words(render, plan->json_flag);
	render->flag_to = render->words.count;
	if (status == WRIT_OK)
		status = end_options(render);
	if (status == WRIT_OK)
		status = add_trailing(render, false);
	if (status == WRIT_OK)
		status = add_trailing(render, true);
	return status;
}
