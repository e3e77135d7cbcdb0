/* SPDX-License-Identifier: Apache-2.0 */

/* Decides where "--" is needed so that operands are not taken for options. */

#include <math.h>

#include "command/render/renderer.h"

/* A negative number is allowed without "--", too. With it, the command may even
 * have an option "-1". */
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

/* Usually standard input, but an option of some programs. */
static bool
is_lone_dash(const struct w_renderer *render, yyjson_val *val)
{
	return render->is_described && yyjson_equals_str(val, "-") &&
	       w_hash_table_get(&render->grammar->names, "-", 1) != NULL;
}

static bool
has_lone_dash(const struct w_renderer *render, yyjson_val *val)
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
begins_like_option(const struct w_renderer *render, yyjson_val *val)
{
	/* Encoded bytes, not decoded here. */
	if (render->is_described && yyjson_is_obj(val))
		return true;
	return begins_with_dash(val) ||
	       (render->grammar->has_plus && yyjson_is_str(val) &&
		   yyjson_get_str(val)[0] == '+');
}

writ_status
w_renderer_add_dashes(struct w_renderer *render)
{
	if (render->has_dashes)
		return WRIT_OK;
	render->has_dashes = true;
	render->has_ended = true;
	return w_renderer_add(render, "--", 2);
}

bool
w_renderer_parts_operands(const struct w_grammar *grammar)
{
	for (size_t i = 0; i < grammar->operand_count; i++) {
		if (grammar->params[grammar->operands[i]].is_after_dashes)
			return true;
	}
	return false;
}

bool
w_renderer_is_risky(const struct w_renderer *render,
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
	if (render->grammar->style == W_STYLE_CLUSTER &&
	    render->words.count == render->first)
		return true;
	/* An operand that may begin with a dash may still be exactly an
	 * option. */
	if (param->may_begin_with_dash &&
	    (!render->is_described ||
		render->grammar->style == W_STYLE_LITERAL))
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

/* "--" only where it is needed. It must come before all operands, since some
 * commands read no options after the first. */
writ_status
w_renderer_end_options(struct w_renderer *render)
{
	const struct w_grammar *grammar = render->grammar;

	if (!grammar->has_end_of_options ||
	    w_renderer_parts_operands(grammar) || render->has_ended)
		return WRIT_OK;
	for (size_t i = 0; i < grammar->operand_count; i++) {
		size_t place = grammar->operands[i];

		if (grammar->params[place].slot == W_SLOT_TRAILING &&
		    w_renderer_is_risky(render, &grammar->params[place],
			render->given[place].val))
			return w_renderer_add_dashes(render);
	}
	return WRIT_OK;
}
