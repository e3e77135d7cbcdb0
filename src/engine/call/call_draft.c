/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes the request of a call. Everything in it comes from the module and the
 * input; the caller may change the draft afterwards, except for the command.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "engine/call/call.h"
#include "engine/request/draft_state.h"

#define STAGE    "input"
#define TEXT_MAX ((size_t)WRIT_REQUEST_MAX)

static void
release_words(void *ptr)
{
	struct w_words *words = ptr;

	w_words_done(words);
	free(words);
}

/* The draft keeps the words, and its list points to them. */
static writ_status
put_argv(writ_draft *draft, struct w_words *argv, writ_error *err)
{
	const struct w_draft_field *field = w_draft_field_find("argv", 4, err);
	struct w_words *kept = malloc(sizeof(*kept));

	if (kept == NULL)
		return w_fail_nomem(err, STAGE);
	*kept = *argv;
	*argv = (struct w_words){.items = NULL};
	writ_status status = w_draft_keep(draft, kept, release_words, err);
	if (status == WRIT_OK)
		status = w_draft_reserve(draft, field, kept->count, err);
	for (size_t i = 0; status == WRIT_OK && i < kept->count; i++)
		status = w_draft_push(draft, field, kept->items[i], err);
	return status;
}

static writ_status
set_argv(writ_call *call, writ_error *err)
{
	const struct w_module *module = call->compiled->module;
	const struct w_render_plan plan = {
	    .grammar = module->by != NULL ? module->by : module->grammar,
	    .words = (const char *const *)module->words.items,
	    .json_flag = (const char *const *)module->json_flag.items,
	};
	yyjson_val empty = {.tag = YYJSON_TYPE_OBJ, .uni.ofs = sizeof(empty)};
	W_AUTO_WORDS struct w_words argv = {.items = NULL};

	/* Input that goes to standard input has no arguments. */
	yyjson_val *args =
	    module->wants_json_input ? &empty : w_json_root(call->input);
	writ_status status =
	    module->command != NULL
		? w_binding_template_render(module->command, args, &argv, err)
		: w_render(&plan, args, &argv, err);
	return status == WRIT_OK ? put_argv(call->draft, &argv, err) : status;
}

/* ---- templates ---- */

static writ_status
fill_in(const writ_call *call, const char *template, struct w_buf *out,
    writ_error *err)
{
	writ_status status = w_binding_template_render_text(template,
	    strlen(template), call->compiled->module->grammar,
	    w_json_root(call->input), out, err);

	if (status == WRIT_OK && out->failed)
		status = w_fail_nomem(err, STAGE);
	return status;
}

static bool
call_draft_is_left_out(const writ_call *call, const char *template)
{
	return w_binding_template_is_absent(template, strlen(template),
	    call->compiled->module->grammar, w_json_root(call->input));
}

/* Fills in a template for a C string. */
static writ_status
fill_in_text(const writ_call *call, const char *what, const char *template,
    struct w_buf *out, writ_error *err)
{
	writ_status status = fill_in(call, template, out, err);

	if (status == WRIT_OK && strlen(out->data) != out->len)
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s would have a NUL in it", what);
	return status;
}

static writ_status
call_draft_set_cwd(writ_call *call, writ_error *err)
{
	const char *template = call->compiled->module->cwd;

	if (template == NULL || call_draft_is_left_out(call, template))
		return WRIT_OK;
	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, TEXT_MAX);
	writ_status status = fill_in_text(call, "cwd", template, &text, err);
	return status == WRIT_OK
		   ? writ_draft_set(call->draft, "cwd", text.data, err)
		   : status;
}

static writ_status
set_variable(
    writ_call *call, const char *name, const char *template, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_buf_add_str(&text, name);
	w_buf_add_char(&text, '=');
	writ_status status = fill_in_text(call, name, template, &text, err);
	return status == WRIT_OK
		   ? writ_draft_set(call->draft, "env", text.data, err)
		   : status;
}

static writ_status
call_draft_set_env(writ_call *call, writ_error *err)
{
	yyjson_obj_iter iter =
	    yyjson_obj_iter_with(call->compiled->module->env);
	writ_status status = WRIT_OK;
	yyjson_val *key;

	while (
	    status == WRIT_OK && (key = yyjson_obj_iter_next(&iter)) != NULL) {
		const char *template =
		    yyjson_get_str(yyjson_obj_iter_get_val(key));

		if (!call_draft_is_left_out(call, template))
			status = set_variable(
			    call, yyjson_get_str(key), template, err);
	}
	return status;
}

static writ_status
set_env_pass(writ_call *call, writ_error *err)
{
	yyjson_arr_iter iter =
	    yyjson_arr_iter_with(call->compiled->module->env_pass);
	writ_status status = WRIT_OK;
	yyjson_val *glob;

	while (
	    status == WRIT_OK && (glob = yyjson_arr_iter_next(&iter)) != NULL)
		status = writ_draft_set(
		    call->draft, "env_pass", yyjson_get_str(glob), err);
	return status;
}

/* Moves the bytes of the buffer to the draft. */
static writ_status
put_stdin(writ_call *call, struct w_buf *bytes, writ_error *err)
{
	size_t len;
	char *kept = w_buf_take(bytes, &len);

	if (kept == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = w_draft_keep(call->draft, kept, free, err);
	if (status == WRIT_OK)
		w_draft_put_stdin(call->draft, kept, len);
	return status;
}

static writ_status
set_stdin(writ_call *call, const char *input, size_t len, writ_error *err)
{
	const struct w_module *module = call->compiled->module;
	writ_status status = WRIT_OK;

	if (!module->wants_json_input && module->stdin_text == NULL)
		return WRIT_OK;
	W_AUTO_BUF struct w_buf bytes;
	w_buf_init(&bytes, TEXT_MAX);
	if (module->wants_json_input)
		w_json_add_compact(&bytes, input, len);
	else
		status = fill_in(call, module->stdin_text, &bytes, err);
	return status == WRIT_OK ? put_stdin(call, &bytes, err) : status;
}

/* ---- the rest ---- */

static writ_status
set_words(writ_call *call, writ_error *err)
{
	const struct w_module *module = call->compiled->module;
	const struct {
		const char *key;
		const char *word;
	} words[] = {
	    {"env_mode", module->env_mode},
	    {"sandbox", module->sandbox},
	    {"network", module->network},
	};
	writ_status status = WRIT_OK;

	for (size_t i = 0;
	     i < sizeof(words) / sizeof(words[0]) && status == WRIT_OK; i++) {
		if (words[i].word != NULL)
			status = writ_draft_set(
			    call->draft, words[i].key, words[i].word, err);
	}
	return status;
}

static void
set_members(writ_call *call)
{
	const struct w_module *module = call->compiled->module;
	writ_request *request = writ_draft_request(call->draft);

	request->module = module->id;
	request->is_module_trusted = !writ_call_is_of_project(call);
	request->needs_approval = module->annotations.is_approval_said;
	request->timeout_ms = module->timeout_ms != 0
				  ? module->timeout_ms
				  : WRIT_DEFAULT_MODULE_TIMEOUT_MS;
	request->parse_json =
	    module->output_as == W_OUTPUT_JSON || module->json_flag.count > 0;
	/* Partial output is useless unless it is text. */
	if (module->output_as != W_OUTPUT_TEXT)
		request->output_limit = WRIT_DEFAULT_JSON_LIMIT;
}

writ_status
w_call_make_draft(
    writ_call *call, const char *text, size_t len, writ_error *err)
{
	writ_status status = writ_draft_new(&call->draft, err);

	if (status == WRIT_OK)
		status = set_argv(call, err);
	if (status == WRIT_OK)
		status = call_draft_set_cwd(call, err);
	if (status == WRIT_OK)
		status = call_draft_set_env(call, err);
	if (status == WRIT_OK)
		status = set_env_pass(call, err);
	if (status == WRIT_OK)
		status = set_words(call, err);
	if (status == WRIT_OK)
		status = set_stdin(call, text, len, err);
	for (size_t i = 0; i < call->secrets.count && status == WRIT_OK; i++)
		status = writ_draft_set(
		    call->draft, "secrets", call->secrets.items[i], err);
	if (status == WRIT_OK)
		set_members(call);
	return status;
}
