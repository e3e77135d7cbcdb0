/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes a request from the command line of `writ run`.
 */

#include "cli/run/run_args.h"

#include <string.h>

#include "base/error.h"
#include "cli/options/options.h"
#include "cli/options/request_file.h"
#include "cli/session/session_rows.h"

static writ_status
run_args_check_words(const struct w_run_args *args, writ_error *err)
{
	const bool has_words =
	    w_cli_request_given(&args->request, "argv") != NULL;
	const bool has_shell =
	    w_cli_request_given(&args->request, "shell") != NULL;

	if (has_words && args->request_path != NULL)
		return w_usage_fail(&w_cmd_run, err,
		    "a PROGRAM and --request cannot be used together");
	if (has_words && has_shell)
		return w_usage_fail(&w_cmd_run, err,
		    "a PROGRAM and --shell cannot be used together");
	if (!has_words && !has_shell && args->request_path == NULL)
		return w_usage_fail(&w_cmd_run, err,
		    "nothing to run: give a PROGRAM, --shell or --request");
	return WRIT_OK;
}

/* The input of a detached run must not be a descriptor of this process: the
 * process that runs it closes them. */
static writ_status
apply_detached(struct w_run_args *args, writ_error *err)
{
	static const char *const ours[] = {
	    "/dev/stdin", "/dev/fd/", "/proc/self/", "/proc/thread-self/"};
	writ_request *request = writ_draft_request(args->draft);

	if (!args->request.is_detached)
		return WRIT_OK;
	if (request->keep == 0)
		request->keep = W_REQUEST_KEEP_ALL;
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

/* Holes in the walls are a person's to make. Checked here, because what goes on
 * detached is a child of writ, and cannot tell who called. */
static writ_status
check_session(const struct w_run_args *args, writ_error *err)
{
	const bool has_holes = args->publish.count + args->connect.count > 0;

	if (args->session != NULL && has_holes)
		return w_usage_fail(&w_cmd_run, err,
		    "--publish and --connect are for the session: give them to "
		    "'writ session start'");
	if (has_holes && writ_draft_request(args->draft)->agent != NULL)
		return w_fail(err, WRIT_E_DENIED, "session", 0,
		    "an agent cannot publish a port or have a service let in: "
		    "a person starts a session with them");
	return args->session != NULL || has_holes
		   ? w_cli_session_check_caller(err)
		   : WRIT_OK;
}

bool
w_cli_run_is_stdin(const struct w_run_args *args)
{
	return args->request_path != NULL &&
	       strcmp(args->request_path, "-") == 0;
}

writ_status
w_cli_run_prepare(struct w_run_args *args, writ_error *err)
{
	writ_status status = run_args_check_words(args, err);

	if (w_cli_run_is_stdin(args))
		args->request.stdin_use = "the request";
	if (status == WRIT_OK)
		status = writ_draft_new(&args->draft, err);
	if (status == WRIT_OK && args->request_path != NULL)
		status =
		    w_cli_request_read(args->draft, args->request_path, err);
	if (status == WRIT_OK)
		status = w_cli_request_apply(&args->request, args->draft, err);
	if (status == WRIT_OK)
		status = apply_detached(args, err);
	if (status == WRIT_OK)
		status = check_session(args, err);
	if (status == WRIT_OK)
		status = w_cli_request_settings(&args->request, err);
	return status;
}
