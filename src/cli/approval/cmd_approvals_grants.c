/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ approvals grants` and `writ approvals revoke ID`: lists and revokes
 * remembered approvals.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "cli/approval/approvals_args.h"
#include "cli/approval/question.h"
#include "cli/options/datetime.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

#define TEXT_MAX  ((size_t)64 << 20)
#define DEPTH_MAX 64

/* clang-format off */
static const char *const headings[] = {
	"ID", "SCOPE", "UNTIL", "AGENT", "WHAT", NULL};

static const struct w_option grants_options[] = {
	W_APPROVALS_JSON_ROW("Print a JSON array of objects."),
	W_APPROVALS_IDS_ROW,
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option revoke_options[] = {
	W_APPROVALS_JSON_ROW("Print errors as JSON."),
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example grants_examples[] = {
	{"writ approvals grants", "what needs no question any more"},
	{.line = ""},
};

static const struct w_example revoke_examples[] = {
	{"writ approvals revoke 9qf", "ask about it again from now on"},
	{.line = ""},
};
/* clang-format on */

static void
approvals_grants_add_row(
    struct w_text_table *table, yyjson_val *grant, uint64_t now_us)
{
	const char *rule = w_question_text(grant, "/rule");
	const char *hash = w_question_text(grant, "/request_hash");
	const uint64_t until_us = w_question_number(grant, "/until") * 1000;
	char when[W_DATETIME_MAX];
	W_AUTO_BUF struct w_buf what;

	w_buf_init(&what, TEXT_MAX);
	if (isatty(STDOUT_FILENO) == 1)
		w_datetime_format_short(until_us, now_us, when);
	else
		w_datetime_format(until_us, when);
	if (rule != NULL)
		w_buf_add_str(&what, rule);
	else
		w_buf_add_fmt(
		    &what, "the request %.16s", hash == NULL ? "-" : hash);
	w_text_table_add(table, w_question_text(grant, "/id"));
	w_text_table_add(table, w_question_text(grant, "/scope"));
	w_text_table_add(table, when);
	w_text_table_add(table, w_question_text(grant, "/agent"));
	w_text_table_add(table, what.data);
}

static int
approvals_grants_print_table(yyjson_val *list)
{
	struct w_text_table table;
	const uint64_t now_us = w_datetime_now();
	size_t i;
	size_t count;
	yyjson_val *grant;
	int status = 0;

	w_text_table_init(&table, headings);
	yyjson_arr_foreach(list, i, count, grant)
	{
		approvals_grants_add_row(&table, grant, now_us);
	}
	if (table.count > 0)
		status = w_text_table_print(&table);
	else
		w_cli_approvals_note_none("nothing is granted");
	w_text_table_done(&table);
	return status;
}

static int
print_grant_ids(yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *grant;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, TEXT_MAX);
	yyjson_arr_foreach(list, i, count, grant)
	{
		const char *id = w_question_text(grant, "/id");

		if (id != NULL)
			w_buf_add_fmt(&out, "%s\n", id);
	}
	return w_print(&out);
}

static int
list_grants(struct w_approvals_args *args, writ_approvals *approvals)
{
	const struct w_json_limits limits = {
	    .bytes_max = TEXT_MAX, .depth_max = DEPTH_MAX};
	W_AUTO_FREE char *text = NULL;
	struct w_json *json = NULL;
	size_t len = 0;
	writ_error err;

	if (writ_grants_list(approvals, &text, &len, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	if (args->is_json)
		return w_print_json(text, len);
	if (w_json_read(text, len, &limits, &json, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	int status = args->has_ids
			 ? print_grant_ids(w_json_root(json))
			 : approvals_grants_print_table(w_json_root(json));
	w_json_free(json);
	return status;
}

static int
revoke_grant(struct w_approvals_args *args, writ_approvals *approvals)
{
	writ_error err;

	if (writ_grants_revoke(approvals, args->id, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	return 0;
}

static int
run_grants(int argc, char **argv)
{
	struct w_approvals_args args = {.command = &w_cmd_approvals_grants};

	return w_cli_approvals_run(&args, argc, argv, list_grants);
}

static int
run_revoke(int argc, char **argv)
{
	struct w_approvals_args args = {
	    .command = &w_cmd_approvals_revoke, .needs_id = true};

	return w_cli_approvals_run(&args, argc, argv, revoke_grant);
}

const struct w_cli_command w_cmd_approvals_grants = {
    .name = "approvals grants",
    .summary = "List approvals that were remembered",
    .usage = "approvals grants [OPTION]...",
    .about = "Lists what was approved for longer than one run and is "
	     "still valid: rules that were remembered, and requests that "
	     "may run for the rest of a session.",
    .options = grants_options,
    .examples = grants_examples,
    .exits = w_cli_approvals_exits,
    .usage_exit = 2,
    .run = run_grants,
};

const struct w_cli_command w_cmd_approvals_revoke = {
    .name = "approvals revoke",
    .summary = "End an approval that was remembered",
    .usage = "approvals revoke [OPTION]... ID",
    .about = "Takes a grant back: what it allowed is asked about again. Runs "
	     "that have started go on.",
    .options = revoke_options,
    .examples = revoke_examples,
    .exits = w_cli_approvals_exits,
    .operand = &(const struct w_option){.words = "@grant",
	W_TO(TEXT, struct w_approvals_args, id)},
    .usage_exit = 2,
    .run = run_revoke,
};
