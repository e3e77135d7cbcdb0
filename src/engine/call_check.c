/* SPDX-License-Identifier: Apache-2.0 */

/* The input of a call against the schema of its module. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "data/json_place.h"
#include "engine/call.h"

#define STAGE        "input"
#define NAME_MAX_LEN 160

/* What is said of a value that must not be shown. */
static const char hidden[] = "the value, which is secret, is not as it must be";

/* The first name of a JSON Pointer. false: it is that of the whole. */
static bool
first_name(const char *pointer, struct w_buf *name)
{
	const char *at = pointer;

	if (*at != '/')
		return false;
	for (at++; *at != '\0' && *at != '/'; at++) {
		char c = *at;

		if (c == '~' && (at[1] == '0' || at[1] == '1'))
			c = *++at == '0' ? '~' : '/';
		w_buf_add_char(name, c);
	}
	return true;
}

/* ---- problems ---- */

/* Whether it lies in an argument that is secret. */
static bool
is_secret(const struct w_form *form, const char *pointer)
{
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, strlen(pointer) + 1);
	if (!first_name(pointer, &name) || name.failed)
		return name.failed;
	const struct w_param *param = w_form_find(form, name.data, name.len);
	return param != NULL && param->is_secret;
}

static writ_status
take_problems(writ_call *call, const char *text, size_t len, writ_error *err)
{
	const struct w_schema_report *report = &call->report;
	const struct w_form *form = call->kit->module->form;

	call->problems = calloc(report->count + 1, sizeof(*call->problems));
	if (call->problems == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < report->count; i++) {
		const struct w_schema_problem *found = &report->problems[i];
		writ_problem *out = &call->problems[i];
		const bool is_hidden = is_secret(form, found->instance);

		*out = (writ_problem){
		    .instance = found->instance,
		    .schema = found->schema,
		    .message = is_hidden ? hidden : found->message,
		    .suggestion = is_hidden ? NULL : found->suggestion,
		};
		(void)w_json_find_place(text, len, w_json_root(call->input),
		    found->at, &out->line, &out->column);
	}
	call->problem_count = report->count;
	return WRIT_OK;
}

/* "argument 'count': expected an integer, got \"five\" (and 2 more)" */
static writ_status
fail_first(const writ_call *call, writ_error *err)
{
	const writ_problem *first = &call->problems[0];
	const size_t more = call->problem_count - 1 + call->report.more;
	const char *path = first->instance;
	char and_more[40] = "";

	if (more > 0)
		(void)snprintf(
		    and_more, sizeof(and_more), " (and %zu more)", more);
	if (path[0] == '/')
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "argument '%.*s': %.200s%s", NAME_MAX_LEN, path + 1,
		    first->message, and_more);
	else
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%.250s%s",
		    first->message, and_more);
	if (first->suggestion != NULL)
		w_suggest(err, "%s", first->suggestion);
	w_locate(err, first->line, first->column);
	return WRIT_E_INVALID;
}

writ_status
w_call_check(writ_call *call, const char *text, size_t len, writ_error *err)
{
	yyjson_val *root = w_json_root(call->input);
	bool is_valid = false;
	writ_status status =
	    w_schema_check(call->kit->input, root, &is_valid, NULL, err);

	if (status != WRIT_OK || is_valid)
		return status;
	status = w_schema_check(
	    call->kit->input, root, &is_valid, &call->report, err);
	if (status != WRIT_OK)
		return status;
	if (call->report.count == 0)
		return w_fail(err, WRIT_E_INTERNAL, STAGE, 0,
		    "the input is not as the schema of '%s' wants it",
		    call->kit->module->id);
	status = take_problems(call, text, len, err);
	return status == WRIT_OK ? fail_first(call, err) : status;
}

/* ---- secrets ---- */

static writ_status
note_text(writ_call *call, const char *text, size_t len, writ_error *err)
{
	/* What has a NUL in it becomes no word; what is before it might. */
	len = strnlen(text, len);
	if (len == 0)
		return WRIT_OK;
	return w_words_add(&call->secrets, text, len)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

/* A short number would take its digits out of every other text. */
#define NUMBER_MIN 4

static writ_status
note_number(writ_call *call, yyjson_val *val, writ_error *err)
{
	size_t len;
	W_AUTO_FREE char *text =
	    yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	return len < NUMBER_MIN ? WRIT_OK : note_text(call, text, len, err);
}

/* A list or an object may become one word, in which its texts stand escaped. */
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

writ_status
w_call_find_secrets(writ_call *call, writ_error *err)
{
	const struct w_form *form = call->kit->module->form;
	yyjson_val *root = w_json_root(call->input);
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < form->count && status == WRIT_OK; i++) {
		const struct w_param *param = &form->params[i];

		if (param->is_secret)
			status = note_all(call,
			    yyjson_obj_getn(root, param->key, param->key_len),
			    err);
	}
	if (status != WRIT_OK)
		return status;
	return w_redactor_add(
	    &call->redactor, (const char *const *)call->secrets.items, err);
}
