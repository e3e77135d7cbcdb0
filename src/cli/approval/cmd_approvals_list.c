/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ approvals list`: questions, one per line, oldest first.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "cli/approval/approvals_args.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/options/datetime.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"

#define CELL_MAX ((size_t)8 << 20)

/* clang-format off */
static const char *const headings[] = {
	"ID", "STATE", "LEFT", "ASKED", "AGENT", "COMMAND", NULL};

static const struct w_option options[] = {
	W_APPROVALS_JSON_ROW("Print a JSON array of objects."),
	W_APPROVALS_IDS_ROW,
	W_APPROVALS_ALL_ROW,
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ approvals list", "what waits for an answer"},
	{"writ approvals list --all --json | jq -r '.[].state'",
	 "what became of those of the last day"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when nothing is being asked"},
	{"1", "the queue could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static bool
approvals_list_is_shown(
    const struct w_approvals_args *args, yyjson_val *question)
{
	return args->has_all ||
	       w_question_state(question) == WRIT_APPROVAL_PENDING;
}

static int
approvals_list_print_json(const struct w_approvals_args *args, yyjson_val *list)
{
	const char *comma = "";
	size_t i;
	size_t count;
	yyjson_val *question;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, CELL_MAX);
	w_buf_add_char(&out, '[');
	yyjson_arr_foreach(list, i, count, question)
	{
		size_t len = 0;
		W_AUTO_FREE char *text =
		    approvals_list_is_shown(args, question)
			? yyjson_val_write(question, 0, &len)
			: NULL;

		if (text == NULL)
			continue;
		w_buf_add_str(&out, comma);
		w_buf_add(&out, text, len);
		comma = ",\n ";
	}
	w_buf_add_char(&out, ']');
	return w_print_json(out.data, out.len);
}

static void
approvals_list_add_row(
    struct w_text_table *table, yyjson_val *question, uint64_t now_us)
{
	char when[W_DATETIME_MAX];
	W_AUTO_BUF struct w_buf left;
	W_AUTO_BUF struct w_buf command;

	w_buf_init(&left, CELL_MAX);
	w_buf_init(&command, CELL_MAX);
	w_question_add_left(&left, question, now_us / 1000);
	w_question_add_command(&command, question);
	const uint64_t asked_us =
	    w_question_number(question, "/asked_at") * 1000;
	if (isatty(STDOUT_FILENO) == 1)
		w_datetime_format_short(asked_us, now_us, when);
	else
		w_datetime_format(asked_us, when);
	w_text_table_add(table, w_question_text(question, "/id"));
	w_text_table_add(table, w_question_text(question, "/state"));
	w_text_table_add(table, left.data);
	w_text_table_add(table, when);
	w_text_table_add(table, w_question_text(question, "/asker/agent"));
	w_text_table_add(table, command.failed ? "(too long)" : command.data);
}

static int
approvals_list_print_table(
    const struct w_approvals_args *args, yyjson_val *list)
{
	const uint64_t now_us = w_datetime_now();
	struct w_text_table table;
	size_t i;
	size_t count;
	yyjson_val *question;
	int status = 0;

	w_text_table_init(&table, headings);
	yyjson_arr_foreach(list, i, count, question)
	{
		if (approvals_list_is_shown(args, question))
			approvals_list_add_row(&table, question, now_us);
	}
	if (table.count > 0)
		status = w_text_table_print(&table);
	else
		w_cli_approvals_note_none("nothing is being asked");
	w_text_table_done(&table);
	return status;
}

static int
print_question_ids(const struct w_approvals_args *args, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *question;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, CELL_MAX);
	yyjson_arr_foreach(list, i, count, question)
	{
		const char *id = w_question_text(question, "/id");

		if (id != NULL && approvals_list_is_shown(args, question))
			w_buf_add_fmt(&out, "%s\n", id);
	}
	return w_print(&out);
}

static int
list_all(struct w_approvals_args *args, writ_approvals *approvals)
{
	struct w_json *json = NULL;
	writ_error err;

	if (w_question_load_all(approvals, &json, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	yyjson_val *list = w_json_root(json);
	int status = args->is_json   ? approvals_list_print_json(args, list)
		     : args->has_ids ? print_question_ids(args, list)
				     : approvals_list_print_table(args, list);
	w_json_free(json);
	return status;
}

static int
approvals_list_run(int argc, char **argv)
{
	struct w_approvals_args args = {.command = &w_cmd_approvals_list};

	return w_cli_approvals_run(&args, argc, argv, list_all);
}

const struct w_cli_command w_cmd_approvals_list = {
    .name = "approvals list",
    .summary = "List what waits for an answer",
    .usage = "approvals list [OPTION]...",
    .about = "Lists the questions that are open, the oldest first: id, state, "
	     "the time that is left, when and for whom it was asked, and the "
	     "command.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = approvals_list_run,
};
