/* SPDX-License-Identifier: Apache-2.0 */

/* Renders the words of an argv in order. render.c lists the guarantees. */

#include "command/render/renderer.h"

#include <string.h>

#include "base/match.h"

#define STAGE "arguments"

writ_status
w_renderer_refuse_key(const struct w_renderer *render, yyjson_val *key)
{
	const char *name = unsafe_yyjson_get_str(key);
	const char *near = w_grammar_nearest(render->grammar, name);

	(void)w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
	    "there is no argument '%.64s'", name);
	w_match_suggest(near, render->now.err);
	return WRIT_E_INVALID;
}

const struct w_param *
w_renderer_find(const struct w_renderer *render, yyjson_val *key)
{
	return w_grammar_find(
	    render->grammar, yyjson_get_str(key), yyjson_get_len(key));
}

static writ_status
add_param(struct w_renderer *render, size_t place)
{
	const struct w_param *param = &render->grammar->params[place];
	yyjson_val *val = render->given[place].val;

	if (param->is_aside || !w_argument_is_effective(val))
		return WRIT_OK;
	render->now.key = param->key;
	render->now.element = 0;
	if (param->kind == W_PARAM_SEQUENCE)
		return w_renderer_sequence(render, val);
	writ_status status = w_renderer_value(render, param, param->slot, val);
	render->has_ended |= param->is_last;
	return status;
}

static writ_status
add_slot(struct w_renderer *render, enum w_slot slot)
{
	const struct w_grammar *grammar = render->grammar;

	for (; render->cursor < grammar->count; render->cursor++) {
		size_t place = grammar->order[render->cursor];

		if (grammar->params[place].slot != slot)
			return WRIT_OK;
		writ_status status = add_param(render, place);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* The words of the sub-command, each after the options of its level. */
static writ_status
renderer_add_names(struct w_renderer *render, const char *const *words)
{
	const struct w_grammar *grammar = render->grammar;
	size_t begin = render->cursor;
	writ_status status = WRIT_OK;

	for (size_t level = 0; status == WRIT_OK; level++) {
		for (render->cursor = begin; render->cursor < grammar->count;
		     render->cursor++) {
			size_t place = grammar->order[render->cursor];

			if (grammar->params[place].slot !=
			    W_SLOT_BEFORE_SUBCOMMAND)
				break;
			if (grammar->params[place].level == level &&
			    status == WRIT_OK)
				status = add_param(render, place);
		}
		if (words[level] == NULL)
			break;
		if (status == WRIT_OK)
			status = w_renderer_add(
			    render, words[level], strlen(words[level]));
	}
	return status;
}

/* A second spelling of a listed key would bypass its schema. */
static writ_status
refuse_alias(struct w_renderer *render, const char *flag)
{
	for (size_t i = 0; i < render->grammar->count; i++) {
		const struct w_param *param = &render->grammar->params[i];

		if (param->flag == NULL || strcmp(param->flag, flag) != 0)
			continue;
		(void)w_argument_refuse(
		    &render->now, "'%.64s' has another name", flag);
		w_suggest(render->now.err, "write '%s'", param->key);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* A key that an open grammar does not list is a long option of any type. */
static writ_status
add_unlisted(struct w_renderer *render, yyjson_val *key, yyjson_val *val)
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
	    !w_grammar_add_flag(&flag, param.key, param.key_len))
		return w_argument_refuse(
		    &render->now, "such a key is not an option");
	if (flag.failed)
		return w_fail_nomem(render->now.err, STAGE);
	writ_status status = refuse_alias(render, flag.data);
	if (status != WRIT_OK)
		return status;
	param.flag = flag.data;
	param.flag_len = flag.len;
	return w_renderer_value(render, &param, W_SLOT_FLAGS, val);
}

static writ_status
add_all_unlisted(struct w_renderer *render)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (render->unlisted == 0)
		return WRIT_OK;
	yyjson_obj_foreach(render->args, i, count, key, val)
	{
		if (w_renderer_find(render, key) != NULL)
			continue;
		writ_status status = add_unlisted(render, key, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_trailing(struct w_renderer *render, bool is_after)
{
	const struct w_grammar *grammar = render->grammar;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < grammar->operand_count; i++) {
		size_t place = grammar->operands[i];
		const struct w_param *param = &grammar->params[place];

		if (param->slot != W_SLOT_TRAILING ||
		    param->is_after_dashes != is_after ||
		    !w_argument_is_effective(render->given[place].val))
			continue;
		if (is_after)
			status = w_renderer_add_dashes(render);
		if (status == WRIT_OK)
			status = add_param(render, place);
		if (status != WRIT_OK)
			return status;
	}
	return status;
}

writ_status
w_renderer_words(struct w_renderer *render, const struct w_render_plan *plan)
{
	writ_status status =
	    w_renderer_add(render, plan->words[0], strlen(plan->words[0]));

	if (status == WRIT_OK)
		status = renderer_add_names(render, plan->words + 1);
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
	const char *const *flag = plan->json_flag;
	for (; status == WRIT_OK && flag != NULL && *flag != NULL; flag++)
		status = w_renderer_add(render, *flag, strlen(*flag));
	render->flag_to = render->words.count;
	if (status == WRIT_OK)
		status = w_renderer_end_options(render);
	if (status == WRIT_OK)
		status = add_trailing(render, false);
	if (status == WRIT_OK)
		status = add_trailing(render, true);
	return status;
}
