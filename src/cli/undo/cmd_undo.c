/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ undo` and `writ redo`.
 */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/undo/changes_args.h"

/* clang-format off */
static const struct w_option undo_options[] = {
	{.name = "since", .arg = "TIME", W_TO(SINCE, struct w_changes_args, since_us),
	 .words = "today|yesterday",
	 .help = "Undo all runs in this directory since then, the newest first: "
	         "10m or 2h ago, today, 2026-11-16T04:20."},
	{.name = "session", .arg = "NAME", W_TO(TEXT, struct w_changes_args, session),
	 .help = "Undo all runs of this session, the newest first."},
	W_CHANGES_DRY_ROW,
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_option redo_options[] = {
	W_CHANGES_DRY_ROW,
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example undo_examples[] = {
	{"writ undo", "take back what the last run here changed"},
	{"writ undo --dry-run", "what that would be"},
	{"writ undo last src", "only what it changed in src"},
	{"writ undo --since 10m", "all runs of the last ten minutes"},
	{"writ undo --session build", "all runs of a session"},
	{.line = NULL},
};

static const struct w_example redo_examples[] = {
	{"writ redo", "do again what was undone last"},
	{.line = NULL},
};
/* clang-format on */

static int
move_one(struct w_changes_args *args, writ_changes_action action)
{
	writ_changes *changes = NULL;
	writ_error err;

	if (w_cli_changes_open(args, action, &changes, &err) != WRIT_OK)
		return w_cli_changes_fail(args, &err);
	const int status = w_cli_changes_move(args, changes, action);
	writ_changes_free(changes);
	return status;
}

struct undo_since {
	struct w_changes_args *args;
	int status;
	size_t count;
};

static bool
undo_if_since(void *ctx, writ_changes *changes)
{
	struct undo_since *since = ctx;

	if (changes->began_us < since->args->since_us)
		return false;
	if (since->args->session != NULL &&
	    (changes->session == NULL ||
		strcmp(changes->session, since->args->session) != 0))
		return true;
	if (!w_cli_changes_can(changes, WRIT_CHANGES_UNDO) ||
	    !w_cli_changes_is_here(changes))
		return true;
	const int status =
	    w_cli_changes_move(since->args, changes, WRIT_CHANGES_UNDO);
	since->status = since->status != 0 ? since->status : status;
	since->count++;
	return true;
}

static int
undo_all_since(struct w_changes_args *args)
{
	struct undo_since since = {.args = args};
	writ_error err;

	if (args->operands.count > 0) {
		(void)w_usage_fail(args->command, &err,
		    args->session != NULL ? "--session takes no RUN"
					  : "--since takes no RUN");
		return w_print_failure(&err, args->is_json, 2);
	}
	if (writ_changes_each(args->config, undo_if_since, &since, &err) !=
	    WRIT_OK)
		return w_cli_changes_fail(args, &err);
	if (since.count > 0)
		return since.status;
	(void)w_fail(&err, WRIT_E_NOTFOUND, "undo", 0,
	    args->session != NULL
		? "no run of that session changed anything in this directory"
		: "no run changed anything in this directory since then");
	return w_cli_changes_fail(args, &err);
}

static int
undo(struct w_changes_args *args)
{
	return args->since_us != 0 || args->session != NULL
		   ? undo_all_since(args)
		   : move_one(args, WRIT_CHANGES_UNDO);
}

static int
redo(struct w_changes_args *args)
{
	return move_one(args, WRIT_CHANGES_REDO);
}

static int
undo_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_undo};

	return w_cli_changes_begin(&args, argc, argv, undo);
}

static int
redo_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_redo};

	return w_cli_changes_begin(&args, argc, argv, redo);
}

const struct w_cli_command w_cmd_undo = {
    .name = "undo",
    .summary = "Take back what a run changed in its project",
    .usage = "undo [OPTION]... [RUN [PATH...]]\n"
	     "  writ undo [OPTION]... --since TIME\n"
	     "  writ undo [OPTION]... --session NAME",
    .about =
	"Puts back the files that a run with --undo changed or deleted, "
	"as they were: content, mode, times, links. What it made is taken "
	"away. A file that somebody changed since is left alone and named. "
	"Without RUN it is the last one that was accepted in this "
	"directory.",
    .options = undo_options,
    .operand = {W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = undo_examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = undo_run,
};

const struct w_cli_command w_cmd_redo = {
    .name = "redo",
    .summary = "Do again what was undone",
    .usage = "redo [OPTION]... [RUN [PATH...]]",
    .about = "Moves changes that were undone into the project again. Without "
	     "RUN it is what was undone last in this directory.",
    .options = redo_options,
    .operand = {W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = redo_examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = redo_run,
};
