/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command line of `writ approvals`.
 */

#include "cli/approval/approvals_args.h"

#include <sys/prctl.h>

#include "base/duration.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

enum {
	FAILED = 1
};

const struct w_exit_row w_cli_approvals_exits[] = {
    {"0", "success"},
    {"1", "no such question or grant, it cannot be answered any more, or the "
	  "queue could not be read"},
    {"2", "wrong usage"},
    {.status = ""},
};

static int
open_and_run(struct w_approvals_args *args,
    int (*run)(struct w_approvals_args *args, writ_approvals *approvals))
{
	writ_approvals *approvals = NULL;
	writ_error err;

	if (args->needs_id && (args->id == NULL || args->id[0] == '\0')) {
		(void)w_usage_fail(args->command, &err, "say which ID");
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	}
	if (writ_approvals_open(args->config, &approvals, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);

	int status = run(args, approvals);
	const char *note = writ_approvals_note(approvals);
	if (note != NULL)
		w_print_note("%s", note);
	writ_approvals_free(approvals);
	return status;
}

int
w_cli_approvals_run(struct w_approvals_args *args, int argc, char **argv,
    int (*run)(struct w_approvals_args *args, writ_approvals *approvals))
{
	writ_error err;

	if (writ_config_new(&args->config, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	int status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0)
		status = open_and_run(args, run);
	writ_config_free(args->config);
	return status;
}

static bool
is_sandboxed(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

void
w_cli_approvals_note_none(const char *what)
{
	w_print_note("%s%s", what,
	    is_sandboxed() ? ", as far as a sandbox lets this process see"
			   : "");
}

int
w_cli_approvals_fail(const struct w_approvals_args *args, writ_error *err)
{
	/* A sandbox hides the queue: it seems not to exist, or opening it
	 * fails, and neither error says why. */
	if (err->status != WRIT_E_INVALID && is_sandboxed())
		w_suggest(err, "answer from outside of the sandbox, which "
			       "hides approvals from what runs in it");
	return w_print_failure(err, args->is_json, FAILED);
}
