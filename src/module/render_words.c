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

/* Operands among flags: as before all flags, nothing protects them. */
static writ_status
add_sequence(struct w_rendering *render, yyjson_val *steps)
{
	const struct w_argument whole = render->now;
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		const struct w_param *param;
		yyjson_val *val;

		render->now = whole;
		render->now.element = i + 1;
		writ_status status =
		    w_rendering_step(render, step, &param, &val);
		if (status != WRIT_OK)
			return status;
		render->now.key = param->key;
		render->now.element = 0;
		status = w_rendering_value(render, param, W_SLOT_LEADING, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_slot(struct w_rendering *render, enum w_slot slot)
{
	const struct w_form *form = render->form;

	for (; render->cursor < form->count; render->cursor++) {
		size_t place = form->order[render->cursor];
		const struct w_param *param = &form->params[place];
		yyjson_val *val = render->given[place].val;
		writ_status status;

		if (param->slot != slot)
			return WRIT_OK;
		if (param->is_aside || !w_argument_is_effective(val))
			continue;
		render->now.key = param->key;
		render->now.element = 0;
		if (param->kind == W_PARAM_SEQUENCE)
			status = add_sequence(render, val);
		else
			status = w_rendering_value(render, param, slot, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
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
is_risky(const struct w_param *param, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	if (param->is_path || param->may_begin_with_dash)
		return false;
	yyjson_arr_foreach(val, i, count, item)
	{
		if (begins_with_dash(item))
			return true;
	}
	return begins_with_dash(val);
}

/* "--" only where it is needed: it must stand before all operands, since some
 * commands read no options behind the first. */
static writ_status
end_options(struct w_rendering *render)
{
	const struct w_form *form = render->form;

	for (size_t i = 0; form->has_end_of_options && i < form->operand_count;
	     i++) {
		size_t place = form->operands[i];

		if (form->params[place].slot != W_SLOT_TRAILING ||
		    !is_risky(&form->params[place], render->given[place].val))
			continue;
		render->has_ended = true;
		return w_rendering_add(render, "--", 2);
	}
	return WRIT_OK;
}

writ_status
w_rendering_words(struct w_rendering *render, const struct w_render_plan *plan)
{
	writ_status status =
	    w_rendering_add(render, plan->words[0], strlen(plan->words[0]));

	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_BEFORE_SUBCOMMAND);
	if (status == WRIT_OK)
		status = add_words(render, plan->words + 1);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_BEFORE_OPERANDS);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_LEADING);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_FLAGS);
	if (status == WRIT_OK)
		status = add_all_unlisted(render);
	if (status == WRIT_OK)
		status = add_words(render, plan->json_flag);
	if (status == WRIT_OK)
		status = end_options(render);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_TRAILING);
	return status;
}
