/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ undo` and `writ redo`.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
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
	{.name = ""},
};

static const struct w_option redo_options[] = {
	W_CHANGES_DRY_ROW,
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example undo_examples[] = {
	{"writ undo", "take back what the last run here changed"},
	{"writ undo --dry-run", "what that would be"},
	{"writ undo last src", "only what it changed in src"},
	{"writ undo --since 10m", "all runs of the last ten minutes"},
	{"writ undo --session build", "all runs of a session"},
	{.line = ""},
};

static const struct w_example redo_examples[] = {
	{"writ redo", "do again what was undone last"},
	{.line = ""},
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

/* The runs to undo, and when each was accepted. */
struct undo_since {
	struct w_changes_args *args;
	struct accepted_run {
		uint64_t moved_us;
		char id[64];
	} * runs;
	size_t count;
	size_t cap;
	bool has_failed; /* no memory */
};

static bool
take_if_since(void *ctx, writ_changes *changes)
{
	struct undo_since *since = ctx;
	const struct w_changes_args *args = since->args;

	if (changes->began_us < args->since_us)
		return false;
	if ((args->session != NULL &&
		(changes->session == NULL ||
		    strcmp(changes->session, args->session) != 0)) ||
	    !w_cli_changes_can(changes, WRIT_CHANGES_UNDO) ||
	    !w_cli_changes_is_here(changes))
		return true;
	if (!w_grow(&since->runs, since->count, &since->cap)) {
		since->has_failed = true;
		return false;
	}
	struct accepted_run *run = &since->runs[since->count++];
	run->moved_us = changes->moved_us;
	(void)snprintf(run->id, sizeof(run->id), "%s", changes->run_id);
	return true;
}

/* What was accepted last is undone first: it may have replaced what another run
 * had made. */
static int
compare_runs(const void *left, const void *right)
{
	const struct accepted_run *a = left, *b = right;

	return a->moved_us != b->moved_us
		   ? (a->moved_us < b->moved_us) - (a->moved_us > b->moved_us)
		   : strcmp(b->id, a->id);
}

static int
undo_runs(struct undo_since *since)
{
	int status = 0;

	qsort(since->runs, since->count, sizeof(*since->runs), compare_runs);
	for (size_t i = 0; i < since->count; i++) {
		writ_changes *changes = NULL;
		writ_error err;

		const int one =
		    writ_changes_open(since->args->config, since->runs[i].id,
			&changes, &err) != WRIT_OK
			? w_cli_changes_fail(since->args, &err)
			: w_cli_changes_move(
			      since->args, changes, WRIT_CHANGES_UNDO);
		writ_changes_free(changes);
		status = status != 0 ? status : one;
	}
	return status;
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
	writ_status status =
	    writ_changes_each(args->config, take_if_since, &since, &err);
	if (status == WRIT_OK && since.has_failed)
		status = w_fail_nomem(&err, "undo");
	if (status == WRIT_OK && since.count == 0)
		status = w_fail(&err, WRIT_E_NOTFOUND, "undo", 0,
		    args->session != NULL
			? "no run of that session changed anything in this "
			  "directory"
			: "no run changed anything in this directory since "
			  "then");
	const int exit_status = status == WRIT_OK
				    ? undo_runs(&since)
				    : w_cli_changes_fail(args, &err);
	free(since.runs);
	return exit_status;
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
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
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
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = redo_examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = redo_run,
};
