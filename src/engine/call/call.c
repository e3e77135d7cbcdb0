/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A call of a module: from an id and a JSON object to a request.
 *
 *  find the module -> read the input -> check it -> preflight -> render
 *
 * Nothing is executed here. An invalid call fails with all its problems, and
 * without showing a secret.
 */

#include "engine/call/call.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "data/json_words.h"

#define STAGE "input"

_Static_assert(
    (int)WRIT_ARGUMENTS_LITERAL == (int)W_STRICT_LITERAL &&
	(int)WRIT_ARGUMENTS_STRICT_MODULES == (int)W_STRICT_MODULES &&
	(int)WRIT_ARGUMENTS_STRICT_EXEC == (int)W_STRICT_EXEC,
    "the public words and ours are the same");

static writ_status
call_read_input(writ_call *call, const char *text, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {
	    WRIT_REQUEST_MAX, W_CALL_DEPTH_MAX};
	writ_status status =
	    w_json_read_exact(text, len, &limits, &call->input, err);

	if (status != WRIT_OK)
		return status;
	yyjson_val *root = w_json_root(call->input);
	if (yyjson_is_obj(root))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the input of '%s' must be a JSON object, got %s",
	    call->compiled->module->id, w_json_type_words(root));
	w_suggest(err, "like {\"name\":\"value\"}, or {} for no arguments");
	return WRIT_E_INVALID;
}

static writ_status
call_prepare(writ_call *call, const char *text, size_t len,
    const writ_call_options *opts, writ_error *err)
{
	writ_status status = call_read_input(call, text, len, err);

	if (status == WRIT_OK)
		status = w_call_find_secrets(call, err);
	if (status == WRIT_OK)
		status = w_call_check(call, text, len, err);
	if (status == WRIT_OK)
		status = w_render_preflight(w_json_root(call->input),
		    (enum w_strictness)opts->arguments, err);
	if (status == WRIT_OK)
		status = w_call_make_draft(call, text, len, err);
	if (status != WRIT_OK)
		w_redact_error(&call->redactor, err);
	return status;
}

/* Options of an older caller may be shorter than ours. */
static writ_status
call_take_options(
    const writ_call_options *opts, writ_call_options *out, writ_error *err)
{
	const writ_call_options standard = WRIT_CALL_OPTIONS_INIT;

	*out = standard;
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(out, opts,
		    opts->size < sizeof(*out) ? opts->size : sizeof(*out));
	if ((unsigned)out->arguments <= WRIT_ARGUMENTS_STRICT_EXEC)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the strictness of arguments is outside its enumeration");
}

static writ_status
call_make(writ_call *call, writ_modules *modules, const char *id,
    const char *text, size_t len, const writ_call_options *opts,
    writ_error *err)
{
	writ_call_options options;
	size_t at = 0;

	writ_status status = call_take_options(opts, &options, err);

	if (status == WRIT_OK)
		status = w_modules_compile(modules, id, &call->compiled, err);
	if (status != WRIT_OK)
		return status;
	while (
	    at < len && text[at] != '\0' && strchr(" \t\r\n", text[at]) != NULL)
		at++;
	if (at == len) {
		text = "{}";
		len = 2;
	}
	return call_prepare(call, text, len, &options, err);
}

writ_status
writ_call_new(writ_modules *modules, const char *id, const char *input,
    size_t len, const writ_call_options *opts, writ_call **out_call,
    writ_error *err)
{
	writ_call *call = calloc(1, sizeof(*call));

	*out_call = NULL;
	if (call == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status =
	    call_make(call, modules, id, input, len, opts, err);
	if (status == WRIT_OK ||
	    (status == WRIT_E_INVALID && call->problem_count > 0))
		*out_call = call;
	else
		writ_call_free(call);
	return status;
}

void
writ_call_free(writ_call *call)
{
	if (call == NULL)
		return;
	writ_draft_free(call->draft);
	w_redactor_done(&call->redactor);
	for (size_t i = 0; i < call->secrets.count; i++)
		explicit_bzero(
		    call->secrets.items[i], strlen(call->secrets.items[i]));
	w_words_done(&call->secrets);
	w_schema_report_done(&call->report);
	free(call->problems);
	w_json_free(call->input);
	free(call);
}

const writ_problem *
writ_call_problems(const writ_call *call, size_t *out_count)
{
	*out_count = call->problem_count;
	return call->problems;
}

writ_draft *
writ_call_draft(writ_call *call)
{
	return call->draft;
}

bool
writ_call_is_of_project(const writ_call *call)
{
	return strcmp(call->compiled->about->tier, "project") == 0;
}

writ_request *
writ_call_request(writ_call *call)
{
	return call->draft == NULL ? NULL : writ_draft_request(call->draft);
}
