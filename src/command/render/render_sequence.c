/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of steps, for commands in which order matters. */

#include "command/render/renderer.h"

writ_status
w_renderer_step(const struct w_renderer *render, yyjson_val *step,
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
	const struct w_param *param = w_renderer_find(render, key);
	if (param == NULL)
		return w_renderer_refuse_key(render, key);
	if (param->kind == W_PARAM_SEQUENCE)
		return w_argument_refuse(
		    &render->now, "a step cannot be a sequence itself");
	*out_param = param;
	*out_val = yyjson_obj_iter_get_val(key);
	return WRIT_OK;
}

/* The number of steps up to the last one that is no operand. */
static size_t
count_to_last_option(const struct w_renderer *render, yyjson_val *steps)
{
	size_t last = 0;
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		yyjson_obj_iter iter = yyjson_obj_iter_with(step);
		const struct w_param *param =
		    w_renderer_find(render, yyjson_obj_iter_next(&iter));

		if (param != NULL && param->kind != W_PARAM_OPERAND)
			last = i + 1;
	}
	return last;
}

/* Operands among flags: nothing protects them, as before all flags, except
 * where only operands follow. */
static writ_status
protect_step(struct w_renderer *render, const struct w_param *param,
    yyjson_val *val, bool is_behind)
{
	const struct w_grammar *grammar = render->grammar;

	if (!render->is_described || !is_behind || render->has_ended ||
	    !grammar->has_end_of_options ||
	    w_renderer_parts_operands(grammar) ||
	    !w_renderer_is_risky(render, param, val))
		return WRIT_OK;
	return w_renderer_add_dashes(render);
}

static writ_status
add_step(struct w_renderer *render, yyjson_val *step, bool is_behind)
{
	const struct w_param *param;
	yyjson_val *val;
	writ_status status = w_renderer_step(render, step, &param, &val);

	if (status != WRIT_OK)
		return status;
	render->now.key = param->key;
	render->now.element = 0;
	status = protect_step(render, param, val, is_behind);
	if (status != WRIT_OK)
		return status;
	enum w_slot slot = render->has_ended ? W_SLOT_TRAILING : W_SLOT_LEADING;
	render->has_ended |= param->is_last;
	return w_renderer_value(render, param, slot, val);
}

writ_status
w_renderer_sequence(struct w_renderer *render, yyjson_val *steps)
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
