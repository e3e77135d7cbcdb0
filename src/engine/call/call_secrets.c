/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the secrets in an input: every spelling in which a value that the
 * module calls secret could appear in an argument, a variable or a message.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "command/render/argument.h"
#include "engine/call/call.h"

#define STAGE "input"

bool
w_call_is_secret(const writ_call *call, const char *key, size_t len)
{
	const struct w_grammar *grammar = call->compiled->module->grammar;
	const struct w_param *param = w_grammar_find(grammar, key, len);

	return param != NULL ? param->is_secret : grammar->has_other_secrets;
}

static writ_status
note_text(writ_call *call, const char *text, size_t len, writ_error *err)
{
	/* An argument ends at a NUL. */
	len = strnlen(text, len);
	if (len == 0)
		return WRIT_OK;
	return w_words_add(&call->secrets, text, len)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

/* Redacting a short number would remove digits from every other text. */
#define NUMBER_MIN 4

/* For an integer argument, 123456.0 is rendered as 123456. */
static writ_status
note_whole_number(writ_call *call, yyjson_val *val, writ_error *err)
{
	const struct w_argument argument = {.key = "", .err = err};
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {.owned = NULL};
	writ_status status =
	    w_argument_text(&argument, val, W_TYPE_INTEGER, &text);

	if (status != WRIT_OK || text.len < NUMBER_MIN)
		return status;
	return note_text(call, text.bytes, text.len, err);
}

static writ_status
note_number(writ_call *call, yyjson_val *val, writ_error *err)
{
	size_t len;
	W_AUTO_FREE char *text =
	    yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status =
	    len < NUMBER_MIN ? WRIT_OK : note_text(call, text, len, err);
	return status == WRIT_OK ? note_whole_number(call, val, err) : status;
}

/* A list or an object may become one argument, with its strings escaped. */
static writ_status
note_whole(writ_call *call, yyjson_val *val, writ_error *err)
{
	size_t len;
	W_AUTO_FREE char *text =
	    yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	return note_text(call, text, len, err);
}

/* All texts in a value; its depth is bounded. */
static writ_status
note_all(writ_call *call, yyjson_val *val, writ_error *err)
{
	const bool is_object = yyjson_is_obj(val);
	yyjson_val *item;

	if (yyjson_is_str(val))
		return note_text(
		    call, yyjson_get_str(val), yyjson_get_len(val), err);
	if (yyjson_is_num(val) || yyjson_is_raw(val))
		return note_number(call, val, err);
	if (!yyjson_is_ctn(val) || yyjson_get_len(val) == 0)
		return WRIT_OK;
	writ_status status = note_whole(call, val, err);
	yyjson_obj_iter keys = yyjson_obj_iter_with(val);
	yyjson_arr_iter items = yyjson_arr_iter_with(val);
	while (status == WRIT_OK &&
	       (item = is_object ? yyjson_obj_iter_get_val(
				       yyjson_obj_iter_next(&keys))
				 : yyjson_arr_iter_next(&items)) != NULL)
		status = note_all(call, item, err);
	return status;
}

/* Members of the input, or of a step of a sequence in it. */
static writ_status
note_members(writ_call *call, yyjson_val *object, writ_error *err)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(object, i, count, key, val)
	{
		if (w_call_is_secret(
			call, yyjson_get_str(key), yyjson_get_len(key)))
			status = note_all(call, val, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
note_steps(writ_call *call, const struct w_param *param, writ_error *err)
{
	yyjson_val *steps = yyjson_obj_getn(
	    w_json_root(call->input), param->key, param->key_len);
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		status = note_members(call, step, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_call_find_secrets(writ_call *call, writ_error *err)
{
	const struct w_grammar *grammar = call->compiled->module->grammar;
	writ_status status = note_members(call, w_json_root(call->input), err);

	for (size_t i = 0; i < grammar->count && status == WRIT_OK; i++) {
		if (grammar->params[i].kind == W_PARAM_SEQUENCE)
			status = note_steps(call, &grammar->params[i], err);
	}
	if (status != WRIT_OK)
		return status;
	return w_redactor_add(
	    &call->redactor, (const char *const *)call->secrets.items, err);
}
