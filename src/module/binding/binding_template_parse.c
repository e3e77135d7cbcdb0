/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses a command template into steps. Every error in it is found here, before
 * any call.
 */

#include "module/binding/binding_template_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/match.h"

#define STAGE     "binding"
#define DEPTH_MAX 8
#define STEPS_MAX 1024

struct binding_template_parse_parser {
	const struct w_grammar *grammar;
	size_t left; /* steps still allowed */
	yyjson_val *at;
	writ_error *err;
};

static void
free_steps(struct w_binding_template_step *steps, size_t count)
{
	for (size_t i = 0; steps != NULL && i < count; i++) {
		w_binding_template_pieces_done(&steps[i].word);
		free_steps(steps[i].then_steps, steps[i].then_count);
		free_steps(steps[i].else_steps, steps[i].else_count);
	}
	free(steps);
}

static writ_status
binding_template_parse_refuse(
    struct binding_template_parse_parser *in, yyjson_val *at, const char *what)
{
	in->at = at;
	return w_fail(in->err, WRIT_E_INVALID, STAGE, 0, "command: %s", what);
}

static writ_status
parse_word(struct binding_template_parse_parser *in, yyjson_val *val,
    struct w_binding_template_step *step)
{
	const char *text = yyjson_get_str(val);

	if (strlen(text) != yyjson_get_len(val))
		return binding_template_parse_refuse(
		    in, val, "an element has a NUL in it");
	in->at = val;
	return w_binding_template_pieces_parse(
	    text, yyjson_get_len(val), in->grammar, &step->word, in->err);
}

static writ_status parse_list(struct binding_template_parse_parser *in,
    yyjson_val *list, unsigned depth,
    struct w_binding_template_step **out_steps, size_t *out_count);

static writ_status
check_keys(struct binding_template_parse_parser *in, yyjson_val *condition)
{
	static const char *const known[] = {"when", "then", "else", NULL};
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(condition, i, count, key, val)
	{
		if (yyjson_equals_str(key, "when") ||
		    yyjson_equals_str(key, "then") ||
		    yyjson_equals_str(key, "else"))
			continue;
		in->at = key;
		(void)w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
		    "command: unknown key '%.64s' in a condition",
		    unsafe_yyjson_get_str(key));
		const char *near =
		    w_match_nearest(unsafe_yyjson_get_str(key), known);
		if (near != NULL)
			w_match_suggest(near, in->err);
		else
			w_suggest(in->err, "a condition is a map of when, "
					   "then and else");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static writ_status
parse_condition(struct binding_template_parse_parser *in, yyjson_val *val,
    unsigned depth, struct w_binding_template_step *step)
{
	yyjson_val *when = yyjson_obj_get(val, "when");
	yyjson_val *then = yyjson_obj_get(val, "then");
	yyjson_val *otherwise = yyjson_obj_get(val, "else");
	writ_status status = check_keys(in, val);

	if (status != WRIT_OK)
		return status;
	if (!yyjson_is_str(when))
		return binding_template_parse_refuse(in,
		    when != NULL ? when : val,
		    "'when' is the name of an argument, like args.quality");
	if (then == NULL)
		return binding_template_parse_refuse(
		    in, val, "'when' has no 'then'");
	step->is_condition = true;
	in->at = when;
	status = w_binding_template_parse_name(yyjson_get_str(when),
	    yyjson_get_len(when), in->grammar, &step->when, in->err);
	if (status == WRIT_OK)
		status = parse_list(
		    in, then, depth + 1, &step->then_steps, &step->then_count);
	if (status == WRIT_OK && otherwise != NULL)
		status = parse_list(in, otherwise, depth + 1, &step->else_steps,
		    &step->else_count);
	return status;
}

static writ_status
parse_step(struct binding_template_parse_parser *in, yyjson_val *val,
    unsigned depth, struct w_binding_template_step *step)
{
	if (in->left == 0)
		return binding_template_parse_refuse(
		    in, val, "too many elements");
	in->left--;
	if (yyjson_is_str(val))
		return parse_word(in, val, step);
	if (yyjson_is_obj(val))
		return parse_condition(in, val, depth, step);
	(void)binding_template_parse_refuse(
	    in, val, "an element is a text, or has 'when'");
	w_suggest(in->err, "put it in quotes");
	return WRIT_E_INVALID;
}

/* Recursion is bounded by DEPTH_MAX. */
static writ_status
parse_list(struct binding_template_parse_parser *in, yyjson_val *list,
    unsigned depth, struct w_binding_template_step **out_steps,
    size_t *out_count)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	if (!yyjson_is_arr(list)) {
		(void)binding_template_parse_refuse(
		    in, list, "not a list of words");
		w_suggest(in->err, "each word is an element: [git, log]");
		return WRIT_E_INVALID;
	}
	if (depth == DEPTH_MAX)
		return binding_template_parse_refuse(
		    in, list, "conditions nested too deep");
	if (yyjson_arr_size(list) > in->left)
		return binding_template_parse_refuse(
		    in, list, "too many elements");
	*out_steps = calloc(yyjson_arr_size(list) + 1, sizeof(**out_steps));
	if (*out_steps == NULL)
		return w_fail_nomem(in->err, STAGE);
	yyjson_arr_foreach(list, i, count, val)
	{
		writ_status status =
		    parse_step(in, val, depth, &(*out_steps)[(*out_count)++]);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static bool
binding_template_parse_is_literal(const struct w_binding_template_step *step)
{
	for (size_t i = 0; i < step->word.count; i++) {
		if (step->word.items[i].is_place)
			return false;
	}
	return !step->is_condition;
}

static writ_status
check_program(struct binding_template_parse_parser *in, yyjson_val *command,
    const struct w_binding_template *template)
{
	if (template->count == 0)
		return binding_template_parse_refuse(
		    in, command, "there is no word in it");
	if (!binding_template_parse_is_literal(&template->steps[0]))
		return binding_template_parse_refuse(in,
		    yyjson_arr_get_first(command),
		    "which program runs cannot depend on an argument");
	if (template->steps[0].word.count == 0)
		return binding_template_parse_refuse(in,
		    yyjson_arr_get_first(command),
		    "the program is an empty text");
	return WRIT_OK;
}

writ_status
w_binding_template_new(yyjson_val *command, const struct w_grammar *grammar,
    struct w_binding_template **out_template, yyjson_val **out_at,
    writ_error *err)
{
	struct binding_template_parse_parser in = {
	    .grammar = grammar, .left = STEPS_MAX, .err = err};
	struct w_binding_template *template = calloc(1, sizeof(*template));

	if (template == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status =
	    parse_list(&in, command, 0, &template->steps, &template->count);
	if (status == WRIT_OK)
		status = check_program(&in, command, template);
	if (status != WRIT_OK) {
		if (out_at != NULL)
			*out_at = in.at;
		w_binding_template_free(template);
		return status;
	}
	*out_template = template;
	return WRIT_OK;
}

void
w_binding_template_free(struct w_binding_template *template)
{
	if (template == NULL)
		return;
	free_steps(template->steps, template->count);
	free(template);
}
