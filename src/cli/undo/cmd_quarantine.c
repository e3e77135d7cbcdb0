/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ quarantine`: files that were held back, since they would run something
 * later. Each subcommand has its own descriptor; the default is list.
 */

#include "base/buf.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "cli/undo/changes_args.h"
#include "data/json.h"

/* clang-format off */
static const struct w_option look_options[] = {
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option restore_options[] = {
	W_CHANGES_DRY_ROW,
	W_CHANGES_JSON_ROW,
	W_CHANGES_STATE_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ quarantine", "what was held back, and why"},
	{"writ quarantine show", "what is in it, of the newest run here"},
	{"writ quarantine restore last .envrc", "let one file into the project"},
	{.line = ""},
};
/* clang-format on */

enum {
	PATH_TEXT_MAX = 32 * 1024
};

static const char *const headings[] = {"RUN", "FILE", "WHY", NULL};

struct quarantine_list {
	struct w_text_table table;
	struct w_buf json;
	size_t count;
};

static void
add_held(struct quarantine_list *list, const writ_changes *changes,
    const writ_change *item)
{
	W_AUTO_BUF struct w_buf path;
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&path, PATH_TEXT_MAX);
	w_buf_init(&shown, PATH_TEXT_MAX);
	w_buf_add_fmt(&path, "%s/%s", changes->project, item->path);
	(void)w_printable_add(&shown, path.data, 0);
	w_buf_add_str(&list->json, list->count++ == 0 ? "{" : ",{");
	w_json_add_text_member(&list->json, "run_id", changes->run_id);
	w_json_add_path_member(&list->json, "path", path.data);
	w_json_add_text_member(&list->json, "why", item->held);
	w_buf_add_char(&list->json, '}');
	w_text_table_add(&list->table, changes->run_id);
	w_text_table_add(&list->table, shown.data);
	w_text_table_add(&list->table, item->held);
}

static bool
list_held(void *ctx, writ_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		if (changes->items[i].held != NULL)
			add_held(ctx, changes, &changes->items[i]);
	}
	return true;
}

static int
print_held(struct w_changes_args *args)
{
	struct quarantine_list list = {.count = 0};
	writ_error err;
	int status = 0;

	w_text_table_init(&list.table, headings);
	w_buf_init(&list.json, (size_t)W_CHANGES_TEXT_MAX);
	w_buf_add_char(&list.json, '[');
	if (writ_changes_each(args->config, list_held, &list, &err) != WRIT_OK)
		status = w_cli_changes_fail(args, &err);
	w_buf_add_str(&list.json, "]\n");
	if (status == 0 && args->is_json)
		status = w_print(&list.json);
	else if (status == 0 && list.count == 0)
		w_print_note("nothing is held back");
	else if (status == 0)
		status = w_text_table_print(&list.table);
	w_text_table_done(&list.table);
	w_buf_done(&list.json);
	return status;
}

static int
with_held(struct w_changes_args *args,
    int (*work)(struct w_changes_args *args, writ_changes *changes))
{
	writ_changes *changes = NULL;
	writ_error err;

	if (w_cli_changes_open(args, WRIT_CHANGES_RESTORE, &changes, &err) !=
	    WRIT_OK)
		return w_cli_changes_fail(args, &err);
	args->shows_held = true;
	const int status = work(args, changes);
	writ_changes_free(changes);
	return status;
}

static int
print_differences(struct w_changes_args *args, writ_changes *changes)
{
	return args->is_json ? w_cli_changes_print(args, changes)
			     : w_cli_changes_print_texts(args, changes);
}

static int
show_held(struct w_changes_args *args)
{
	return with_held(args, print_differences);
}

static int
move_back(struct w_changes_args *args, writ_changes *changes)
{
	return w_cli_changes_move(args, changes, WRIT_CHANGES_RESTORE);
}

static int
restore_held(struct w_changes_args *args)
{
	return with_held(args, move_back);
}

static int
quarantine_list_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_quarantine_list};

	return w_cli_changes_begin(&args, argc, argv, print_held);
}

static int
quarantine_show_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_quarantine_show};

	return w_cli_changes_begin(&args, argc, argv, show_held);
}

static int
quarantine_restore_run(int argc, char **argv)
{
	struct w_changes_args args = {.command = &w_cmd_quarantine_restore};

	return w_cli_changes_begin(&args, argc, argv, restore_held);
}

const struct w_cli_command w_cmd_quarantine_list = {
    .name = "quarantine list",
    .summary = "List the files that were held back",
    .usage = "quarantine list [OPTION]...",
    .options = look_options,
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = quarantine_list_run,
};

const struct w_cli_command w_cmd_quarantine_show = {
    .name = "quarantine show",
    .summary = "Show what is in the files that were held back",
    .usage = "quarantine show [OPTION]... [RUN [PATH...]]",
    .about = "Prints the difference that each file would make, like diff -u. "
	     "Without RUN it is the newest run in this directory that has any.",
    .options = look_options,
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = quarantine_show_run,
};

const struct w_cli_command w_cmd_quarantine_restore = {
    .name = "quarantine restore",
    .summary = "Move files that were held back into the project",
    .usage = "quarantine restore [OPTION]... [RUN [PATH...]]",
    .about = "Moves all that was held back of a run, or some paths. Without "
	     "RUN it is the newest run in this directory that has any. A file "
	     "that somebody changed since the run began is left alone and "
	     "named. 'writ undo' takes it away again, with the rest of the "
	     "run.",
    .options = restore_options,
    .operand =
	&(const struct w_option){
	    W_TO(LIST, struct w_changes_args, operands), .words = "@run"},
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = quarantine_restore_run,
};

static const struct w_cli_command *const subs[] = {
    &w_cmd_quarantine_list,
    &w_cmd_quarantine_show,
    &w_cmd_quarantine_restore,
    NULL,
};

const struct w_cli_command w_cmd_quarantine = {
    .name = "quarantine",
    .summary = "Look at files that were held back, and restore them",
    .usage = "quarantine [OPTION]...\n"
	     "  writ quarantine COMMAND [OPTION]... [RUN [PATH...]]",
    .about = "Some files make a program outside the sandbox run something: git "
	     "hooks, .envrc, tasks of an editor. Where a run with --undo made "
	     "or changed one, it is held back: the other changes are "
	     "accepted, and this file waits here. Without a COMMAND it lists "
	     "them.",
    .options = look_options,
    .examples = examples,
    .exits = w_cli_changes_exits,
    .usage_exit = 2,
    .run = quarantine_list_run,
    .subs = subs,
};
