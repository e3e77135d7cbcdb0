/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ trial`: changes that wait until a person accepts them. Each subcommand
 * has its own descriptor; the default is list.
 */

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "cli/undo/changes_args.h"

/* clang-format off */
static const struct w_option list_options[] = {
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option diff_options[] = {
	{.name = "text", .letter = 't', W_TO(FLAG, struct w_changes_args, has_text),
	 .help = "Show the differences of texts, like diff -u."},
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option move_options[] = {
	W_CHANGES_DRY_ROW,
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ run --undo trial -- ./migrate.sh", "run it, and keep the project as it is"},
	{"writ trial", "what waits"},
	{"writ trial diff --text", "what the newest would change here, line by line"},
	{"writ trial accept", "let it"},
	{"writ trial drop 01J9", "or forget it"},
	{.line = ""},
};
/* clang-format on */

enum {
	COUNTS_MAX = 256
};

static const char *const headings[] = {"RUN", "PROJECT", "CHANGES", NULL};

struct trial_list {
	const struct w_changes_args *args;
	struct w_text_table table;
	struct w_buf json;
	size_t count;
};

static bool
list_trial(void *ctx, writ_changes *changes)
{
	struct trial_list *list = ctx;
	W_AUTO_BUF struct w_buf counts;

	w_buf_init(&counts, COUNTS_MAX);
	if (!w_cli_changes_can(changes, WRIT_CHANGES_ACCEPT))
		return true;
	w_cli_changes_add_counts(&counts, changes);
	if (list->count++ > 0)
		w_buf_add_char(&list->json, ',');
	w_cli_changes_add_json(&list->json, changes);
	w_text_table_add(&list->table, changes->run_id);
	w_text_table_add(&list->table, changes->project);
	w_text_table_add(&list->table, counts.data);
	return true;
}

static int
print_trials(struct w_changes_args *args)
{
	struct trial_list list = {.args = args};
	writ_error err;
	int status = 0;

	w_text_table_init(&list.table, headings);
	w_buf_init(&list.json, (size_t)W_CHANGES_TEXT_MAX);
	w_buf_add_char(&list.json, '[');
	if (writ_changes_each(args->config, list_trial, &list, &err) != WRIT_OK)
		status = w_cli_changes_fail(args, &err);
	w_buf_add_str(&list.json, "]\n");
	if (status == 0 && args->is_json)
		status = w_print(&list.json);
	else if (status == 0 && list.count == 0)
		w_print_note("no changes wait");
	else if (status == 0)
		status = w_text_table_print(&list.table);
	w_text_table_done(&list.table);
	w_buf_done(&list.json);
	return status;
}

static int
with_waiting(struct w_changes_args *args,
    int (*fn)(struct w_changes_args *, writ_changes *))
{
	writ_changes *changes = NULL;
	writ_error err;

	if (w_cli_changes_open(args, WRIT_CHANGES_ACCEPT, &changes, &err) !=
	    WRIT_OK)
		return w_cli_changes_fail(args, &err);
	const int status = fn(args, changes);
	writ_changes_free(changes);
	return status;
}

static int
diff_waiting(struct w_changes_args *args, writ_changes *changes)
{
	return args->has_text && !args->is_json
		   ? w_cli_changes_print_texts(args, changes)
		   : w_cli_changes_print(args, changes);
}

static int
accept_waiting(struct w_changes_args *args, writ_changes *changes)
{
	return w_cli_changes_move(args, changes, WRIT_CHANGES_ACCEPT);
}

static int
drop_waiting(struct w_changes_args *args, writ_changes *changes)
{
	W_AUTO_BUF struct w_buf buf;
	writ_error err;

	w_buf_init(&buf, (size_t)W_CHANGES_TEXT_MAX);
	if (changes->state != WRIT_CHANGES_WAITING) {
		(void)w_fail(&err, WRIT_E_INVALID, "undo", 0,
		    "the changes of '%s', or a part of them, are %s",
		    changes->run_id, writ_changes_state_word(changes->state));
		w_suggest(&err, "writ undo %s, before they are dropped",
		    changes->run_id);
		return w_cli_changes_fail(args, &err);
	}
	if (!args->is_dry_run && writ_changes_drop(changes, &err) != WRIT_OK)
		return w_cli_changes_fail(args, &err);
	if (args->is_json)
		w_cli_changes_add_json(&buf, changes);
	else
		w_buf_add_fmt(&buf, "%s %s\n",
		    args->is_dry_run ? "would drop" : "dropped",
		    changes->run_id);
	return w_print(&buf);
}

static int
run_diff(struct w_changes_args *args)
{
	return with_waiting(args, diff_waiting);
}

static int
run_accept(struct w_changes_args *args)
{
	return with_waiting(args, accept_waiting);
}

static int
run_drop(struct w_changes_args *args)
{
	return with_waiting(args, drop_waiting);
}

static int
trial_list_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_trial_list};

	return w_cli_changes_begin(&args, argc, argv, print_trials);
}

static int
trial_diff_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_trial_diff};

	return w_cli_changes_begin(&args, argc, argv, run_diff);
}

static int
trial_accept_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_trial_accept};

	return w_cli_changes_begin(&args, argc, argv, run_accept);
}

static int
trial_drop_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_trial_drop};

	return w_cli_changes_begin(&args, argc, argv, run_drop);
}

const struct w_cli_command w_cmd_trial_list = {
    .name = "trial list",
    .summary = "List the runs whose changes wait",
    .usage = "trial list [OPTION]...",
    .options = list_options,
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = trial_list_run,
};

const struct w_cli_command w_cmd_trial_diff = {
    .name = "trial diff",
    .summary = "Show what a run would change",
    .usage = "trial diff [OPTION]... [RUN [PATH...]]",
    .about = "Lists the changes that wait. Without RUN it is the newest run "
	     "in this directory.",
    .options = diff_options,
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = trial_diff_run,
};

const struct w_cli_command w_cmd_trial_accept = {
    .name = "trial accept",
    .summary = "Move changes that wait into the project",
    .usage = "trial accept [OPTION]... [RUN [PATH...]]",
    .about = "Accepts all changes of a run, or those of some paths; the others "
	     "go on waiting. Without RUN it is the newest run in this "
	     "directory. A file that somebody changed since the run began is "
	     "left alone and named. What is accepted can be undone.",
    .options = move_options,
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = trial_accept_run,
};

const struct w_cli_command w_cmd_trial_drop = {
    .name = "trial drop",
    .summary = "Forget changes that wait",
    .usage = "trial drop [OPTION]... [RUN]",
    .about = "Deletes the changes of a run. The project stays as it is. "
	     "Without RUN it is the newest run in this directory.",
    .options = move_options,
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = trial_drop_run,
};

static const struct w_cli_command *const subs[] = {
    &w_cmd_trial_list,
    &w_cmd_trial_diff,
    &w_cmd_trial_accept,
    &w_cmd_trial_drop,
    NULL,
};

const struct w_cli_command w_cmd_trial = {
    .name = "trial",
    .summary = "Look at changes that wait, and accept or drop them",
    .usage = "trial [OPTION]...\n"
	     "  writ trial COMMAND [OPTION]... [RUN [PATH...]]",
    .about = "A run with --undo trial works on a layer over its project, which "
	     "stays as it is until a person accepts what the run changed. "
	     "Without a COMMAND it lists what waits.",
    .options = list_options,
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = trial_list_run,
    .subs = subs,
};
