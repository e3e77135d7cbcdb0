/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ approvals show ID`: one question in full.
 */

#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/approval/approvals_args.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/output/print.h"

/* clang-format off */
static const struct w_option options[] = {
	W_APPROVALS_JSON_ROW("Print the question as a JSON object."),
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ approvals show 9qf",
	 "what would run, what it does, and why it is asked"},
	{.line = ""},
};
/* clang-format on */

static void
add_question_page(struct w_buf *out, yyjson_val *question)
{
	const uint64_t now_ms = w_question_now_ms();
	const char *id = w_question_text(question, "/id");
	const char *words = w_question_state_words(w_question_state(question));
	W_AUTO_BUF struct w_buf left;

	w_buf_init(&left, W_PRINT_MAX);
	w_question_add_left(&left, question, now_ms);
	w_buf_add_fmt(out, "%s: %s", id == NULL ? "" : id, words);
	if (left.len > 0)
		w_buf_add_fmt(out, ", %s left", left.data);
	w_buf_add_str(out, "\n\n");
	w_question_add_page(
	    out, question, now_ms, w_print_has_colour(STDOUT_FILENO));
}

static int
approvals_show(struct w_approvals_args *args, writ_approvals *approvals)
{
	struct w_json *json = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, W_QUESTION_PAGE_MAX);
	if (w_question_load(approvals, args->id, &json, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	if (args->is_json) {
		size_t len = 0;
		W_AUTO_FREE char *text =
		    yyjson_val_write(w_json_root(json), 0, &len);

		if (text != NULL)
			w_buf_add(&out, text, len);
		w_buf_add_char(&out, '\n');
	} else {
		add_question_page(&out, w_json_root(json));
	}
	w_json_free(json);
	if (!out.failed)
		return w_print(&out);
	(void)w_fail(&err, WRIT_E_NOMEM, "approvals", 0,
	    "the request cannot be shown whole");
	w_suggest(&err, "--json");
	return w_cli_approvals_fail(args, &err);
}

static int
approvals_show_run(int argc, char **argv)
{
	struct w_approvals_args args = {
	    .command = &w_cmd_approvals_show, .needs_id = true};

	return w_cli_approvals_run(&args, argc, argv, approvals_show);
}

const struct w_cli_command w_cmd_approvals_show = {
    .name = "approvals show",
    .summary = "Show everything about one question",
    .usage = "approvals show [OPTION]... ID",
    .about = "Shows the request exactly as it would run: words, "
	     "directory, program, changes of the environment, what it "
	     "does to which paths, its sandbox; why it is asked, and the "
	     "rule that would be remembered. Control characters are "
	     "written out.",
    .options = options,
    .examples = examples,
    .exits = w_cli_approvals_exits,
    .operand = &(const struct w_option){.words = "@approval",
	W_TO(TEXT, struct w_approvals_args, id)},
    .usage_exit = 2,
    .run = approvals_show_run,
};
