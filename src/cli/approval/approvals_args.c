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
    {.status = NULL},
};

static writ_status
take_duration(struct w_approvals_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	writ_error inner;

	if (w_duration_parse(value, &args->for_ms, &inner) != WRIT_OK)
		return w_usage_fail(args->command, err, "--%s: %s",
		    option->name, inner.message);
	if (args->for_ms == 0)
		return w_usage_fail(args->command, err,
		    "--%s: must be more than 0", option->name);
	return WRIT_OK;
}

static writ_status
approvals_args_take_option(struct w_approvals_args *args,
    const struct w_option *option, const char *value, writ_error *err)
{
	switch ((enum w_approvals_option)option->id) {
	case W_APPROVALS_JSON:
		args->is_json = true;
		break;
	case W_APPROVALS_ALL:
		args->has_all = true;
		break;
	case W_APPROVALS_IDS:
		args->has_ids = true;
		break;
	case W_APPROVALS_EDIT:
		args->has_edit = true;
		break;
	case W_APPROVALS_SCOPE:
		args->scope = value;
		break;
	case W_APPROVALS_RULE:
		args->rule = value;
		break;
	case W_APPROVALS_NOTE:
		args->note = value;
		break;
	case W_APPROVALS_FOR:
		return take_duration(args, option, value, err);
	}
	return WRIT_OK;
}

static writ_status
approvals_args_take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_approvals_args *args = ctx;

	if (option == NULL) {
		if (!args->needs_id || args->id != NULL)
			return w_usage_fail(
			    args->command, err, "unexpected word '%s'", value);
		args->id = value;
		return WRIT_OK;
	}
	if (option->target != W_TO_SETTING)
		return approvals_args_take_option(args, option, value, err);
	if (writ_config_set(args->config, option->key, value, err) != WRIT_OK)
		return w_options_name(args->command, option, err);
	return WRIT_OK;
}

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
	int status = w_cli_command_begin(
	    args->command, argc, argv, approvals_args_take, args);
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
