/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Builds a call from the command line of `writ call`.
 */

#include "cli/call/call_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/call/call_input.h"
#include "cli/options/text_file.h"

/* "cli.git" may be the prefix of several modules. */
static void
suggest_members(const struct w_call_args *args, writ_error *err)
{
	const size_t len = strlen(args->id);
	const size_t count = writ_modules_count(args->modules);

	for (size_t i = 0; i < count; i++) {
		const char *id = writ_modules_at(args->modules, i)->id;

		if (strncmp(id, args->id, len) == 0 && id[len] == '.') {
			w_suggest(
			    err, "writ module list --prefix %s.", args->id);
			return;
		}
	}
	if (err->suggestion[0] == '\0')
		w_suggest(err, "writ module search %s", args->id);
}

static writ_status
find_module_in(struct w_call_args *args, bool no_builtin, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;

	options.config = args->request.config;
	options.dirs = (const char *const *)args->dirs.items;
	options.no_builtin = no_builtin;
	writ_modules_free(args->modules);
	args->modules = NULL;
	writ_status status = writ_modules_new(&options, &args->modules, err);
	if (status != WRIT_OK)
		return status;
	return writ_modules_find(args->modules, args->id, &args->module, err);
}

/* A module in a file does not need the built-in ones. But a project's directory
 * must be compared with them: it may not replace any. */
static writ_status
find_module(struct w_call_args *args, writ_error *err)
{
	writ_status status = find_module_in(args, true, NULL);

	if (status == WRIT_OK && strcmp(args->module->tier, "project") != 0)
		return WRIT_OK;
	status = find_module_in(args, false, err);
	if (status == WRIT_E_NOTFOUND && args->modules != NULL)
		suggest_members(args, err);
	return status;
}

writ_status
w_cli_call_args_find(struct w_call_args *args, writ_error *err)
{
	struct w_call_words *words = &args->words;
	writ_status status = find_module(args, err);

	if (status == WRIT_OK)
		status = writ_modules_parameters(args->modules, args->id,
		    &words->parameters, &words->count, err);
	if (status != WRIT_OK)
		return status;
	words->command = args->request.command;
	words->id = args->id;
	words->given =
	    calloc((size_t)args->rest_count + 1, sizeof(*words->given));
	if (words->given == NULL)
		return w_fail_nomem(err, "usage");
	return w_cli_call_words_read(words, args->rest_count, args->rest, err);
}

static writ_status
call_args_read_document(
    const struct w_call_args *args, struct w_buf *document, writ_error *err)
{
	static const struct w_text_file_kind kind = {
	    .what = "input",
	    .advice = "give the command a file, or --stdin file:PATH",
	};

	if (args->words.json != NULL) {
		(void)w_fail(err, WRIT_E_INVALID, "usage", 0,
		    "call: --input and a word that is JSON cannot be used "
		    "together");
		w_suggest(
		    err, "an operand that begins with '{' goes after '--'");
		return WRIT_E_INVALID;
	}
	writ_status status =
	    w_text_file_read(&kind, args->input_path, document, err);
	if (status != WRIT_OK)
		return status;
	if (document->len > 0 &&
	    strspn(document->data, " \t\r\n") < document->len)
		return WRIT_OK;
	/* The program that writes the input has probably failed; without
	 * arguments the command might do something else. */
	(void)w_fail(err, WRIT_E_INVALID, "input", 0, "the input is empty");
	w_suggest(err, "{} is an input without arguments");
	return WRIT_E_INVALID;
}

writ_status
w_cli_call_args_input(struct w_call_args *args, writ_error *err)
{
	const char *text = args->words.json;
	W_AUTO_BUF struct w_buf document;
	writ_status status = WRIT_OK;

	w_buf_init(&document, WRIT_REQUEST_MAX);
	if (args->input_path != NULL)
		status = call_args_read_document(args, &document, err);
	if (status != WRIT_OK)
		return status;
	if (args->input_path != NULL && strcmp(args->input_path, "-") == 0)
		args->request.stdin_use = "the input of the module";
	/* Errors in the text are reported by their line and column. */
	args->is_verbatim = true;
	return w_cli_call_input(&args->words,
	    args->input_path != NULL ? document.data : text,
	    args->input_path != NULL ? document.len
	    : text != NULL           ? strlen(text)
				     : 0,
	    &args->input, &args->is_verbatim, err);
}

writ_status
w_cli_call_args_prepare(struct w_call_args *args, writ_error *err)
{
	writ_call_options options = WRIT_CALL_OPTIONS_INIT;

	options.arguments = args->arguments;
	/* The input is passed on standard input. */
	if (args->is_isolated)
		args->request.stdin_use = "for the process of its own";
	writ_status status = writ_call_new(args->modules, args->id,
	    args->input.data, args->input.len, &options, &args->call, err);
	if (status == WRIT_OK)
		status = w_cli_request_apply(
		    &args->request, writ_call_draft(args->call), err);
	/* Live output is not kept, so it cannot be parsed. */
	if (status == WRIT_OK && !args->request.is_json)
		writ_call_request(args->call)->parse_json = false;
	return status;
}
