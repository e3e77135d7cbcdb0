/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From arguments to an argv, by the grammar of the command.
 *
 * Guarantees, for any input:
 *  1. Words are in the order of the grammar; the order of the input's keys does
 *     not matter.
 *  2. No operand can be taken for an option. One that begins with '-' is a
 *     path and gets "./", or is a JSON number, or comes after a "--" that the
 *     command is known to honour, or its property allows it; otherwise it is
 *     refused. Before the flags no "--" is trusted: find ignores it, so there
 *     only the other ways remain, and a path that find would read as an
 *     operator gets "./" too. So does one that begins with '+' or '@', which
 *     some programs read as a command or as options.
 *  3. A switch never gets a value and an option with a value is never bare,
 *     since the next word would then be taken for something else.
 *  4. Every text of the input is in one word, byte for byte.
 *  5. With a command description, every word parses back to what it was
 *     rendered from.
 *
 * An option's value may begin with '-': it follows its flag, or is attached to
 * it. null, false and an empty array are the same as missing. True is the bare
 * flag, and for an operand an error. In the array of an option with values they
 * are values like others.
 */

#include "command/render/render.h"

#include <stdlib.h>
#include <string.h>

#include "command/render/argument.h"
#include "command/render/renderer.h"

#define STAGE     "arguments"
#define STACK_MAX 64

static writ_status
gather_steps(struct w_renderer *render, yyjson_val *steps)
{
	size_t i;
	size_t count;
	yyjson_val *step;

	if (!yyjson_is_arr(steps))
		return w_argument_refuse(&render->now, "it is a list of steps");
	yyjson_arr_foreach(steps, i, count, step)
	{
		const struct w_param *param;
		yyjson_val *val;

		render->now.element = i + 1;
		writ_status status =
		    w_renderer_step(render, step, &param, &val);
		if (status != WRIT_OK)
			return status;
		if (w_argument_is_effective(val))
			render->given[param - render->grammar->params]
			    .is_effective = true;
	}
	return WRIT_OK;
}

/* Finds the parameter of each key. */
static writ_status
gather(struct w_renderer *render)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(render->args, i, count, key, val)
	{
		const struct w_param *param = w_renderer_find(render, key);

		if (param == NULL && !render->grammar->is_open)
			return w_renderer_refuse_key(render, key);
		if (param == NULL) {
			render->unlisted++;
			continue;
		}
		struct w_given *given =
		    &render->given[param - render->grammar->params];
		given->val = val;
		if (!w_argument_is_effective(val))
			continue;
		given->is_effective = true;
		if (param->kind != W_PARAM_SEQUENCE)
			continue;
		render->now.key = param->key;
		writ_status status = gather_steps(render, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
check_room(const struct w_renderer *render, const struct w_param *param)
{
	const struct w_param *params = render->grammar->params;

	for (size_t i = 0; i < param->unless_count; i++) {
		if (render->given[param->unless[i]].is_effective)
			return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
			    "there is no argument '%.64s' beside '%.64s'",
			    param->key, params[param->unless[i]].key);
	}
	if (param->only_count == 0)
		return WRIT_OK;
	for (size_t i = 0; i < param->only_count; i++) {
		if (render->given[param->only[i]].is_effective)
			return WRIT_OK;
	}
	return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
	    "there is an argument '%.64s' only beside '%.64s'", param->key,
	    params[param->only[0]].key);
}

static writ_status
check_links_of(const struct w_renderer *render, const struct w_param *param)
{
	const struct w_param *params = render->grammar->params;

	for (size_t i = 0; i < param->conflict_count; i++) {
		if (render->given[param->conflicts[i]].is_effective)
			return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
			    "arguments '%.64s' and '%.64s' cannot be used "
			    "together",
			    param->key, params[param->conflicts[i]].key);
	}
	for (size_t i = 0; i < param->require_count; i++) {
		if (!render->given[param->requires[i]].is_effective)
			return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
			    "argument '%.64s' needs '%.64s'", param->key,
			    params[param->requires[i]].key);
	}
	return check_room(render, param);
}

static writ_status
check_links(const struct w_renderer *render)
{
	for (size_t i = 0; i < render->grammar->count; i++) {
		if (!render->given[i].is_effective)
			continue;
		writ_status status =
		    check_links_of(render, &render->grammar->params[i]);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
render_with(struct w_renderer *render, const struct w_render_plan *plan,
    struct w_words *out_argv)
{
	writ_status status = gather(render);
	size_t fixed = 0;

	while (plan->words[fixed] != NULL)
		fixed++;
	if (status == WRIT_OK)
		status = check_links(render);
	if (status == WRIT_OK)
		status = w_renderer_words(render, plan);
	if (status == WRIT_OK)
		status = w_renderer_check(render, fixed);
	free(render->notes);
	if (status != WRIT_OK) {
		w_words_done(&render->words);
		return status;
	}
	*out_argv = render->words;
	return WRIT_OK;
}

writ_status
w_render(const struct w_render_plan *plan, yyjson_val *args,
    struct w_words *out_argv, writ_error *err)
{
	struct w_given few[STACK_MAX];
	struct w_given *many = NULL;
	size_t count = plan->grammar->count;
	struct w_renderer render = {.grammar = plan->grammar,
	    .args = args,
	    .given = few,
	    .is_described =
		count > 0 && plan->grammar->params[0].schema == NULL,
	    .now.err = err};

	if (!yyjson_is_obj(args))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the arguments are not an object");
	if (count > STACK_MAX) {
		many = calloc(count, sizeof(*many));
		if (many == NULL)
			return w_fail_nomem(err, STAGE);
		render.given = many;
	} else {
		memset(few, 0, count * sizeof(few[0]));
	}
	writ_status status = render_with(&render, plan, out_argv);
	free(many);
	return status;
}
