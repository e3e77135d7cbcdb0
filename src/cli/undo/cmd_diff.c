/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ diff [RUN [PATH...]]`: what a run changed in its project.
 */

#include <string.h>

#include "cli/undo/changes_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "text", .letter = 't', W_TO(FLAG, struct w_changes_args, has_text),
	 .help = "Show the differences of texts, like diff -u."},
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ run --undo on -- make clean", "a run whose changes are kept"},
	{"writ diff", "what the last such run here changed"},
	{"writ diff --text last src", "the lines that it changed in src"},
	{.line = ""},
};
/* clang-format on */

struct session_diff {
	struct w_changes_args *args;
	size_t count;
	int status;
};

static bool
show_if_in_session(void *ctx, writ_changes *changes)
{
	struct session_diff *diff = ctx;
	struct w_changes_args *args = diff->args;

	if (changes->session == NULL ||
	    strcmp(changes->session, args->operands.items[0]) != 0)
		return true;
	diff->count++;
	diff->status = args->has_text && !args->is_json
			   ? w_cli_changes_print_texts(args, changes)
			   : w_cli_changes_print(args, changes);
	return diff->status == 0;
}

static int
show_changes(struct w_changes_args *args)
{
	struct session_diff diff = {.args = args};
	writ_changes *changes = NULL;
	writ_error err;

	/* The name of a session shows all its runs, the newest first. */
	if (args->operands.count == 1 &&
	    writ_changes_each(args->config, show_if_in_session, &diff, &err) !=
		WRIT_OK)
		return w_cli_changes_fail(args, &err);
	if (diff.count > 0)
		return diff.status;
	if (w_cli_changes_open(args, WRIT_CHANGES_UNDO, &changes, &err) !=
	    WRIT_OK)
		return w_cli_changes_fail(args, &err);
	const int status = args->has_text && !args->is_json
			       ? w_cli_changes_print_texts(args, changes)
			       : w_cli_changes_print(args, changes);
	writ_changes_free(changes);
	return status;
}

static int
diff_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_diff};

	return w_cli_changes_begin(&args, argc, argv, show_changes);
}

const struct w_cli_command w_cmd_diff = {
    .name = "diff",
    .summary = "Show what a run changed in its project",
    .usage = "diff [OPTION]... [RUN [PATH...]]\n"
	     "  writ diff [OPTION]... SESSION",
    .about =
	"Lists the files that a run with --undo made, changed and "
	"deleted. Without RUN it is the last one that was accepted in "
	"this directory, also called 'last'. The id of a RUN may be cut where "
	"no other begins like it. The name of a SESSION shows all its runs, "
	"the "
	"newest first.",
    .options = options,
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = diff_run,
};
