/* SPDX-License-Identifier: Apache-2.0 */

/* Checks the input of a call against the schema of its module. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "data/json_place.h"
#include "engine/call/call.h"

#define STAGE        "input"
#define NAME_MAX_LEN 160

/* The message for a value that must not be shown. */
static const char hidden[] = "the value, which is secret, is not valid";

/* Takes the first name off a JSON Pointer. false: there is none. */
static bool
call_check_take_name(const char **pointer, struct w_buf *name)
{
	const char *at = *pointer;

	if (*at != '/')
		return false;
	name->len = 0;
	for (at++; *at != '\0' && *at != '/'; at++) {
		char c = *at;

		if (c == '~' && (at[1] == '0' || at[1] == '1'))
			c = *++at == '0' ? '~' : '/';
		w_buf_add_char(name, c);
	}
	*pointer = at;
	return true;
}

/* ---- problems ---- */

/* A message about the whole input shows it, unless it is about its keys. */
static bool
is_about_keys(const char *schema)
{
	static const char *const keywords[] = {"required",
	    "additionalProperties", "unevaluatedProperties",
	    "dependentRequired", "minProperties", "maxProperties",
	    "propertyNames", NULL};
	const char *slash = strrchr(schema, '/');

	for (size_t i = 0; slash != NULL && keywords[i] != NULL; i++) {
		if (strcmp(slash + 1, keywords[i]) == 0)
			return true;
	}
	return false;
}

/* Whether the message of a problem could show a secret. */
static bool
may_show_secret(const writ_call *call, const struct w_schema_problem *problem)
{
	const char *pointer = problem->instance;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, strlen(pointer) + 1);
	if (!call_check_take_name(&pointer, &name))
		return call->secrets.count > 0 &&
		       !is_about_keys(problem->schema);
	if (name.failed || w_call_is_secret(call, name.data, name.len))
		return true;
	const struct w_param *param = w_grammar_find(
	    call->compiled->module->grammar, name.data, name.len);
	if (param == NULL || param->kind != W_PARAM_SEQUENCE)
		return false;
	/* In a step the member decides, if the problem is about one. */
	const bool is_in_step = call_check_take_name(&pointer, &name);
	if (is_in_step && call_check_take_name(&pointer, &name))
		return name.failed ||
		       w_call_is_secret(call, name.data, name.len);
	return call->compiled->module->grammar->has_secrets;
}

static writ_status
take_problems(writ_call *call, const char *text, size_t len, writ_error *err)
{
	const struct w_schema_report *report = &call->report;

	call->problems = calloc(report->count + 1, sizeof(*call->problems));
	if (call->problems == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < report->count; i++) {
		const struct w_schema_problem *found = &report->problems[i];
		writ_problem *out = &call->problems[i];
		const bool is_hidden = may_show_secret(call, found);

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
	    w_schema_check(call->compiled->input, root, &is_valid, NULL, err);

	if (status == WRIT_OK && is_valid)
		status = w_call_check_steps(call, &is_valid, err);
	if (status != WRIT_OK || is_valid)
		return status;
	if (call->report.count == 0)
		status = w_schema_check(
		    call->compiled->input, root, &is_valid, &call->report, err);
	if (status != WRIT_OK)
		return status;
	if (call->report.count == 0)
		return w_fail(err, WRIT_E_INTERNAL, STAGE, 0,
		    "the input does not match the schema of '%s'",
		    call->compiled->module->id);
	status = take_problems(call, text, len, err);
	return status == WRIT_OK ? fail_first(call, err) : status;
}
