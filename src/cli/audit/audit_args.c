/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command line of `writ audit`.
 */

#include "cli/audit/audit_args.h"

#include <string.h>

#include "base/decimal.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/match.h"
#include "base/size.h"
#include "cli/options/datetime.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

const struct w_exit_row w_cli_audit_exits[] = {
    {"0", "success"},
    {"1", "nothing was found, or the trail could not be read"},
    {"2", "wrong usage"},
    {.status = ""},
};

/* An error code is a valid outcome too: that of a run that did not start. */
writ_status
w_cli_audit_store_outcome(void *ctx, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_audit_args *args = ctx;
	static const char *const codes[] = {
#define X(name, number, word, exit_status, text) word,
	    WRIT_STATUS_MAP(X)
#undef X
	};

	for (size_t i = 1; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strcmp(codes[i], value) == 0) {
			args->filter.outcome = value;
			return WRIT_OK;
		}
	}
	return w_option_put(args->command, option, args, value, err);
}

static int
open_and_run(struct w_audit_args *args,
    int (*run)(struct w_audit_args *args, writ_audit *audit))
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit *audit = NULL;
	writ_error err;

	options.state_dir = writ_config_get(args->config, "state_dir");
	options.key_file = args->key_file;
	options.no_index = args->has_no_index;
	if (writ_audit_open(&options, &audit, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);

	int status = run(args, audit);
	const char *note = writ_audit_note(audit);
	if (note != NULL)
		w_print_note("%s", note);
	writ_audit_free(audit);
	return status;
}

int
w_cli_audit_begin(struct w_audit_args *args, int argc, char **argv,
    int (*run)(struct w_audit_args *args, writ_audit *audit))
{
	writ_error err;

	args->now_us = w_datetime_now();
	args->filter.size = sizeof(args->filter);
	if (args->failed_exit == 0)
		args->failed_exit = 1;
	if (writ_config_new(&args->config, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);

	int status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0 && args->needs_operand && args->operand == NULL) {
		(void)w_usage_fail(
		    args->command, &err, "say which %s", args->operand_name);
		status = w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	} else if (status < 0) {
		status = open_and_run(args, run);
	}
	writ_config_free(args->config);
	return status;
}

int
w_cli_audit_fail(const struct w_audit_args *args, const writ_error *err)
{
	return w_print_failure(err, args->is_json, args->failed_exit);
}
