/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Applies options to a request. The library knows the keys and their values;
 * this handles what only a command line has: where standard input comes from,
 * secrets, and the limits for live output.
 */

#include "cli/options/request_args.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "cli/options/request_rows.h"
#include "cli/options/secret.h"

/* Bytes of a terminal's output that are kept, half of them its end. */
#define ATTACH_KEPT ((uint64_t)128 << 10)

static writ_status
apply_one(const struct w_request_args *args, writ_draft *draft,
    const struct w_request_given *given, writ_error *err)
{
	const struct w_option *option = given->option;

	if (option->kind == W_OPTION_SETTING)
		return WRIT_OK;
	if (option->kind == W_OPTION_NONE)
		return w_secret_add(args->command, draft, given->value, err);
	const writ_status status = writ_draft_set(draft, option->key,
	    option->arg[0] == '\0' ? "true" : given->value, err);
	if (status == WRIT_OK || option->name[0] == '\0')
		return status;
	return w_options_name(args->command, option, err);
}

/* With a pty we read standard input and type it into the terminal. */
static void
pass_stdin(writ_request *request)
{
	if (request->pty) {
		request->stdin_kind = WRIT_STDIN_PIPE;
		return;
	}
	request->stdin_kind = WRIT_STDIN_FD;
	request->stdin_fd = STDIN_FILENO;
}

/* Refuses a terminal unless there is a pty: the command has no terminal of its
 * own and would wait for ever for input. */
static writ_status
inherit_stdin(
    const struct w_request_args *args, writ_draft *draft, writ_error *err)
{
	const char *name = args->command->name;

	if (args->is_detached) {
		(void)w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "%s: --stdin inherit: a detached run has no input from "
		    "its caller",
		    name);
		w_suggest(err, "--stdin text:STRING or file:PATH");
		return WRIT_E_INVALID;
	}
	if (args->stdin_use != NULL)
		return w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "%s: --stdin inherit: standard input was %s", name,
		    args->stdin_use);
	if (isatty(STDIN_FILENO) == 1 && !writ_draft_request(draft)->pty) {
		(void)w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "%s: --stdin inherit: standard input is a terminal, and "
		    "commands run without one",
		    name);
		w_suggest(err, "--pty, --stdin null, or a pipe or file as "
			       "input");
		return WRIT_E_INVALID;
	}
	pass_stdin(writ_draft_request(draft));
	return WRIT_OK;
}

/* What is typed at the terminals that attach. */
static writ_status
attach_stdin(
    const struct w_request_args *args, writ_draft *draft, writ_error *err)
{
	writ_request *request = writ_draft_request(draft);

	if (args->is_detached && request->pty) {
		request->stdin_kind = WRIT_STDIN_PIPE;
		return WRIT_OK;
	}
	return w_fail(err, WRIT_E_INVALID, "stdin", 0,
	    "%s: --stdin attach: only a run with --detach and --pty can wait "
	    "for a terminal",
	    args->command->name);
}

static writ_status
set_stdin_key(const struct w_request_args *args, writ_draft *draft,
    const char *key, const char *text, writ_error *err)
{
	struct w_option option = {.name = "stdin"};

	(void)snprintf(option.key, sizeof(option.key), "%s", key);

	if (writ_draft_set(draft, key, text, err) == WRIT_OK)
		return WRIT_OK;
	return w_options_name(args->command, &option, err);
}

static writ_status
apply_stdin_spec(
    const struct w_request_args *args, writ_draft *draft, writ_error *err)
{
	const char *spec = args->stdin_spec;

	if (strcmp(spec, "null") == 0) {
		writ_draft_request(draft)->stdin_kind = WRIT_STDIN_NULL;
		return WRIT_OK;
	}
	if (strcmp(spec, "attach") == 0)
		return attach_stdin(args, draft, err);
	if (strcmp(spec, "inherit") == 0)
		return inherit_stdin(args, draft, err);
	if (strncmp(spec, "text:", 5) == 0)
		return set_stdin_key(args, draft, "stdin", spec + 5, err);
	if (strncmp(spec, "file:", 5) == 0)
		return set_stdin_key(args, draft, "stdin_file", spec + 5, err);
	if (spec[0] == '@')
		return set_stdin_key(args, draft, "stdin_file", spec + 1, err);
	(void)w_fail(err, WRIT_E_INVALID, "stdin", 0,
	    "%s: --stdin: unknown input '%s'", args->command->name, spec);
	w_suggest(
	    err, "null, inherit, attach, text:STRING, file:PATH or @PATH");
	return WRIT_E_INVALID;
}

static writ_status
apply_stdin(
    const struct w_request_args *args, writ_draft *draft, writ_error *err)
{
	writ_request *request = writ_draft_request(draft);

	if (args->stdin_spec != NULL)
		return apply_stdin_spec(args, draft, err);
	if (request->stdin_kind == WRIT_STDIN_NULL && !args->is_detached &&
	    args->stdin_use == NULL &&
	    (request->pty || isatty(STDIN_FILENO) == 0))
		pass_stdin(request);
	return WRIT_OK;
}

static void
request_set_limits(const struct w_request_args *args, writ_request *request)
{
	const bool is_live = !args->is_json || args->is_detached;

	/* Live output is not captured for the result, unless a limit says so.
	 */
	if (is_live && request->output_limit == 0 &&
	    request->spill_limit == 0) {
		/* Of a terminal the end is, for those that attach. */
		request->output_limit = request->pty ? ATTACH_KEPT : WRIT_ZERO;
		request->spill_limit = WRIT_ZERO;
	}
	if (args->is_recorded && request->keep == 0)
		request->keep = W_REQUEST_KEEP_ALL;
}

static writ_status
parse_ask_timeout(struct w_request_args *args, writ_error *err)
{
	writ_error inner;

	if (args->ask_timeout == NULL)
		return WRIT_OK;
	if (w_duration_parse(
		args->ask_timeout, &args->ask_timeout_ms, &inner) != WRIT_OK)
		return w_usage_fail(
		    args->command, err, "--ask-timeout: %s", inner.message);
	if (args->ask_timeout_ms == 0)
		args->never_asks = true;
	return WRIT_OK;
}

writ_status
w_cli_request_store(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_request_args *args = ctx;

	(void)err;
	if (option->kind == W_OPTION_SETTING)
		args->has_setting = true;
	args->given[args->given_count++] =
	    (struct w_request_given){.option = option, .value = value};
	return WRIT_OK;
}

const char *
w_cli_request_given(const struct w_request_args *args, const char *key)
{
	for (size_t i = args->given_count; i > 0; i--) {
		const struct w_request_given *given = &args->given[i - 1];

		if (given->option->kind == W_OPTION_REQUEST &&
		    strcmp(given->option->key, key) == 0)
			return given->option->arg[0] == '\0' ? "true"
							     : given->value;
	}
	return NULL;
}

writ_status
w_cli_request_apply(
    struct w_request_args *args, writ_draft *draft, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < args->given_count; i++)
		status = apply_one(args, draft, &args->given[i], err);
	if (status == WRIT_OK)
		status = apply_stdin(args, draft, err);
	if (status == WRIT_OK)
		status = parse_ask_timeout(args, err);
	if (status == WRIT_OK)
		request_set_limits(args, writ_draft_request(draft));
	return status;
}

writ_status
w_cli_request_settings(struct w_request_args *args, writ_error *err)
{
	if (!args->has_setting)
		return WRIT_OK;

	writ_status status = writ_config_new(&args->config, err);
	for (size_t i = 0; status == WRIT_OK && i < args->given_count; i++) {
		const struct w_option *option = args->given[i].option;

		if (option->kind != W_OPTION_SETTING)
			continue;
		status = writ_config_set(
		    args->config, option->key, args->given[i].value, err);
		if (status != WRIT_OK)
			return w_options_name(args->command, option, err);
	}
	return status;
}
