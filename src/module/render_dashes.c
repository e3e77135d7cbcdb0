/* SPDX-License-Identifier: Apache-2.0 */

/* Where "--" is needed so that operands are not taken for options. */

#include <math.h>

#include "module/render_words.h"

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

/* Mostly standard input, but an option of some. */
static bool
is_lone_dash(const struct w_rendering *render, yyjson_val *val)
{
	return render->is_described && yyjson_equals_str(val, "-") &&
	       w_lookup_get(&render->form->names, "-", 1) != NULL;
}

static bool
has_lone_dash(const struct w_rendering *render, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(val, i, count, item)
	{
		if (is_lone_dash(render, item))
			return true;
	}
	return is_lone_dash(render, val);
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

writ_status
w_rendering_add_dashes(struct w_rendering *render)
{
	if (render->has_dashes)
		return WRIT_OK;
	render->has_dashes = true;
	render->has_ended = true;
	return w_rendering_add(render, "--", 2);
}

bool
w_rendering_parts_operands(const struct w_form *form)
{
	for (size_t i = 0; i < form->operand_count; i++) {
		if (form->params[form->operands[i]].is_after_dashes)
			return true;
	}
	return false;
}

bool
w_rendering_is_risky(const struct w_rendering *render,
    const struct w_param *param, yyjson_val *val)
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
	/* What may begin with a dash may still be an option as a whole. */
	if (param->may_begin_with_dash &&
	    (!render->is_described || render->form->style == W_STYLE_LITERAL))
		return false;
	if (has_lone_dash(render, val))
		return true;
	if (param->is_path && !param->may_begin_with_dash)
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
writ_status
w_rendering_end_options(struct w_rendering *render)
{
	const struct w_form *form = render->form;

	if (!form->has_end_of_options || w_rendering_parts_operands(form) ||
	    render->has_ended)
		return WRIT_OK;
	for (size_t i = 0; i < form->operand_count; i++) {
		size_t place = form->operands[i];

		if (form->params[place].slot == W_SLOT_TRAILING &&
		    w_rendering_is_risky(
			render, &form->params[place], render->given[place].val))
			return w_rendering_add_dashes(render);
	}
	return WRIT_OK;
}
