/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session end NAME`: ends live sessions and their runs.
 */

#include <string.h>

#include <writ/session.h>

#include "base/error.h"
#include "base/words.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/session/session_rows.h"

enum {
	FAILED = 1
};

struct session_end_args {
	struct w_words names;
	bool has_all;
	bool has_force;
	bool is_quiet;
	bool is_incomplete; /* no memory for a name */
	writ_config *config;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "all", .letter = 'a', W_TO(FLAG, struct session_end_args, has_all),
	 .help = "All live sessions."},
	{.name = "force", .letter = 'f', W_TO(FLAG, struct session_end_args, has_force),
	 .help = "Kill the holder of a session that does not answer."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct session_end_args, is_quiet),
	 .help = "No notes on standard error."},
	W_STATE_DIR_ROW("", W_TO(SETTING, struct session_end_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session end dev", "kill its runs, and free its /tmp"},
	{"writ session end --all --force", "also those that are stopped"},
	{.line = ""},
};
/* clang-format on */

static void
session_end_add(void *ctx, const writ_session_info *info)
{
	struct session_end_args *args = ctx;

	if (!w_words_add(&args->names, info->name, strlen(info->name)))
		args->is_incomplete = true;
}

static int
end_one(const struct session_end_args *args, const char *name)
{
	unsigned left = 0;
	writ_error err;

	if (writ_session_end(
		args->config, name, args->has_force, &left, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	if (left > 0 && !args->is_quiet)
		w_print_note("session %s has ended, but %u of its runs %s "
			     "gone after five seconds: see writ ps",
		    name, left, left == 1 ? "was not" : "were not");
	return 0;
}

static writ_status
find_names(struct session_end_args *args, writ_error *err)
{
	if (args->has_all == (args->names.count > 0))
		return w_usage_fail(&w_cmd_session_end, err,
		    args->has_all ? "a NAME and --all cannot be used together"
				  : "say which session: a NAME or --all");
	writ_status status = w_cli_session_check_caller(err);
	if (status == WRIT_OK && args->has_all)
		status =
		    writ_session_list(args->config, session_end_add, args, err);
	return status == WRIT_OK && args->is_incomplete
		   ? w_fail_nomem(err, "session")
		   : status;
}

static int
session_end(struct session_end_args *args)
{
	int exit_status = 0;
	writ_error err;

	if (find_names(args, &err) != WRIT_OK)
		return w_print_failure(
		    &err, false, err.status == WRIT_E_INVALID ? 2 : FAILED);
	for (size_t i = 0; i < args->names.count; i++) {
		if (end_one(args, args->names.items[i]) != 0)
			exit_status = FAILED;
	}
	return exit_status;
}

static int
session_end_run(int argc, char **argv)
{
	struct session_end_args args = {.has_all = false};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	int status = w_cli_command_begin(&w_cmd_session_end, argc, argv, &args);
	if (status < 0)
		status = session_end(&args);
	w_words_done(&args.names);
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_session_end = {
    .name = "session end",
    .summary = "End live sessions and their runs",
    .usage = "session end [--force] NAME...\n"
	     "  writ session end [--force] --all",
    .about = "Kills the runs of a session, waits until their processes are "
	     "gone, and frees its /tmp and its network.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .operand = &(const struct w_option){.words = "@live-session",
	W_TO(LIST, struct session_end_args, names)},
    .usage_exit = 2,
    .run = session_end_run,
};
