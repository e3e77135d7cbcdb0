/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From the words of `writ run` to a request.
 *
 * The command line was read before; here it is applied, after --request, so
 * that options override its keys wherever they stood.
 */

#include "cli/run_args.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/options.h"
#include "cli/request_file.h"
#include "cli/secret.h"

static writ_status
check_words(const struct w_run_args *args, writ_error *err)
{
	if (args->has_words && args->request_path != NULL)
		return w_usage_fail(&w_cmd_run, err,
		    "a PROGRAM and --request exclude each other");
	if (args->has_words && args->has_shell)
		return w_usage_fail(&w_cmd_run, err,
		    "a PROGRAM and --shell exclude each other");
	if (!args->has_words && !args->has_shell && args->request_path == NULL)
		return w_usage_fail(&w_cmd_run, err,
		    "nothing to run: give a PROGRAM, --shell or --request");
	return WRIT_OK;
}

static writ_status
apply_given(struct w_run_args *args, writ_error *err)
{
	for (size_t i = 0; i < args->given_count; i++) {
		const struct w_run_given *given = &args->given[i];
		const struct w_option *option = given->option;
		writ_status status;

		if (option == NULL)
			status = writ_draft_set(
			    args->draft, "argv", given->value, err);
		else if (option->target == W_TO_REQUEST)
			status = writ_draft_set(args->draft, option->key,
			    option->arg == NULL ? "true" : given->value, err);
		else if (option->target == W_TO_COMMAND)
			status = w_secret_add(args->draft, given->value, err);
		else
			continue;
		if (status != WRIT_OK)
			return option == NULL || option->key == NULL
				   ? status
				   : w_options_name(&w_cmd_run, option, err);
	}
	return WRIT_OK;
}

static void
pass_stdin(writ_request *request)
{
	request->stdin_kind = WRIT_STDIN_FD;
	request->stdin_fd = STDIN_FILENO;
}

/* A terminal is for the person in front of it; the command has none, and
 * would wait for ever on one that nobody answers. */
static writ_status
inherit_stdin(const struct w_run_args *args, writ_error *err)
{
	if (args->is_detached) {
		(void)w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "run: --stdin inherit: a detached run has no input from "
		    "its caller");
		w_suggest(err, "--stdin text:STRING or file:PATH");
		return WRIT_E_INVALID;
	}
	if (w_run_args_is_stdin(args))
		return w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "run: --stdin inherit: standard input was the request");
	if (isatty(STDIN_FILENO) == 1) {
		(void)w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "run: --stdin inherit: standard input is a terminal, and "
		    "commands run without one");
		w_suggest(err, "--stdin null, or a pipe or file as input");
		return WRIT_E_INVALID;
	}
	pass_stdin(writ_draft_request(args->draft));
	return WRIT_OK;
}

static writ_status
set_stdin_key(
    struct w_run_args *args, const char *key, const char *text, writ_error *err)
{
	const struct w_option option = {.name = "stdin", .key = key};

	if (writ_draft_set(args->draft, key, text, err) == WRIT_OK)
		return WRIT_OK;
	return w_options_name(&w_cmd_run, &option, err);
}

static writ_status
apply_stdin(struct w_run_args *args, writ_error *err)
{
	writ_request *request = writ_draft_request(args->draft);
	const char *spec = args->stdin_spec;

	if (spec == NULL) {
		if (request->stdin_kind == WRIT_STDIN_NULL &&
		    !args->is_detached && !w_run_args_is_stdin(args) &&
		    isatty(STDIN_FILENO) == 0)
			pass_stdin(request);
		return WRIT_OK;
	}
	if (strcmp(spec, "null") == 0) {
		request->stdin_kind = WRIT_STDIN_NULL;
		return WRIT_OK;
	}
	if (strcmp(spec, "inherit") == 0)
		return inherit_stdin(args, err);
	if (strncmp(spec, "text:", 5) == 0)
		return set_stdin_key(args, "stdin", spec + 5, err);
	if (strncmp(spec, "file:", 5) == 0)
		return set_stdin_key(args, "stdin_file", spec + 5, err);
	if (spec[0] == '@')
		return set_stdin_key(args, "stdin_file", spec + 1, err);
	(void)w_fail(err, WRIT_E_INVALID, "stdin", 0,
	    "run: --stdin: unknown input '%s'", spec);
	w_suggest(err, "null, inherit, text:STRING, file:PATH or @PATH");
	return WRIT_E_INVALID;
}

/* What a detached run is given must not hang on the descriptors of this
 * process, which the one that runs it does not have. */
static writ_status
settle_detached(struct w_run_args *args, writ_error *err)
{
	static const char *const ours[] = {
	    "/dev/stdin", "/dev/fd/", "/proc/self/", "/proc/thread-self/"};
	writ_request *request = writ_draft_request(args->draft);

	if (!args->is_detached)
		return WRIT_OK;
	if (request->keep == 0)
		request->keep = W_RUN_KEEP_ALL;
	if (request->stdin_kind != WRIT_STDIN_FILE)
		return WRIT_OK;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (strncmp(request->stdin_path, ours[i], strlen(ours[i])) == 0)
			return w_fail(err, WRIT_E_INVALID, "stdin", 0,
			    "run: --stdin: '%s' belongs to the caller, and a "
			    "detached run has no input from it",
			    request->stdin_path);
	}
	return WRIT_OK;
}

/* Live output is held nowhere for the result unless somebody asks. */
static void
settle_limits(const struct w_run_args *args)
{
	writ_request *request = writ_draft_request(args->draft);
	const bool is_live = !args->is_json || args->is_detached;

	if (is_live && request->output_limit == 0 &&
	    request->spill_limit == 0) {
		request->output_limit = WRIT_ZERO;
		request->spill_limit = WRIT_ZERO;
	}
	if (args->is_recorded && request->keep == 0)
		request->keep = W_RUN_KEEP_ALL;
}

static writ_status
apply_settings(struct w_run_args *args, writ_error *err)
{
	if (!args->has_setting)
		return WRIT_OK;

	writ_status status = writ_config_new(&args->config, err);
	for (size_t i = 0; status == WRIT_OK && i < args->given_count; i++) {
		const struct w_option *option = args->given[i].option;

		if (option == NULL || option->target != W_TO_SETTING)
			continue;
		status = writ_config_set(
		    args->config, option->key, args->given[i].value, err);
		if (status != WRIT_OK)
			return w_options_name(&w_cmd_run, option, err);
	}
	return status;
}

bool
w_run_args_is_stdin(const struct w_run_args *args)
{
	return args->request_path != NULL &&
	       strcmp(args->request_path, "-") == 0;
}

writ_status
w_run_args_prepare(struct w_run_args *args, writ_error *err)
{
	writ_status status = check_words(args, err);

	if (status == WRIT_OK)
		status = writ_draft_new(&args->draft, err);
	if (status == WRIT_OK && args->request_path != NULL)
		status =
		    w_request_file_read(args->draft, args->request_path, err);
	if (status == WRIT_OK)
		status = apply_given(args, err);
	if (status == WRIT_OK)
		status = apply_stdin(args, err);
	if (status == WRIT_OK)
		status = settle_detached(args, err);
	if (status == WRIT_OK)
		settle_limits(args);
	if (status == WRIT_OK)
		status = apply_settings(args, err);
	return status;
}
