/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ approvals approve ID` and `writ approvals deny ID`.
 */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/approval/approvals_args.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/options/options.h"
#include "cli/output/line_editor.h"
#include "cli/output/print.h"

#define EDIT_PROMPT "rule: "
#define ESCAPE_MS   50 /* the bytes of one key follow each other faster */

/* clang-format off */
static const struct w_option approve_options[] = {
	{.name = "scope", .arg = "WORD", W_TO(TEXT, struct w_approvals_args, scope),
	 .words = "once|session|shape|project|always",
	 .help = "What is approved: this request one time, this request in "
	         "its session, or whatever the rule matches, for its agent: "
	         "for hours (shape), for good in this project, or for good "
	         "everywhere.",
	 .standard = "once; shape with --rule or --edit"},
	{.name = "for", .arg = "DURATION", W_TO(DURATION, struct w_approvals_args, for_ms),
	 .help = "How long it is valid.",
	 .standard = "1d; 8h for a shape; for good for project and always"},
	{.name = "rule", .arg = "RULE", W_TO(TEXT, struct w_approvals_args, rule),
	 .help = "The rule to remember, like 'allow: git push ...', instead "
	         "of the one that is proposed. It has to match the request."},
	{.name = "edit", W_TO(FLAG, struct w_approvals_args, has_edit),
	 .help = "Change the proposed rule on the terminal first."},
	W_APPROVALS_NOTE_ROW,
	W_APPROVALS_JSON_ROW("Print the answered question as a JSON object."),
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option deny_options[] = {
	W_APPROVALS_NOTE_ROW,
	W_APPROVALS_JSON_ROW("Print the answered question as a JSON object."),
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example approve_examples[] = {
	{"writ approvals approve 9qf", "exactly that, one time"},
	{"writ approvals approve 9qf --scope session",
	 "exactly that, as often as its session wants it"},
	{"writ approvals approve 9qf --rule 'allow: git push origin ...' --for 2h",
	 "what a rule matches, for two hours"},
	{"writ approvals approve 9qf --scope project",
	 "what the proposed rule matches, in this project from now on"},
	{.line = ""},
};

static const struct w_example deny_examples[] = {
	{"writ approvals deny 9qf --note 'push to a branch instead'",
	 "the caller reads why"},
	{.line = ""},
};

static const struct {
	const char *word;
	writ_scope scope;
} scopes[] = {
#define X(name, word) {word, WRIT_SCOPE_##name},
	WRIT_SCOPE_MAP(X)
#undef X
};
/* clang-format on */

static writ_status
read_scope(
    const struct w_approvals_args *args, writ_scope *out_scope, writ_error *err)
{
	const bool has_rule = args->rule != NULL || args->has_edit;

	*out_scope = has_rule ? WRIT_SCOPE_SHAPE : WRIT_SCOPE_ONCE;
	if (args->scope == NULL)
		return WRIT_OK;
	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		if (strcmp(scopes[i].word, args->scope) != 0)
			continue;
		*out_scope = scopes[i].scope;
		if (has_rule && (*out_scope == WRIT_SCOPE_ONCE ||
				    *out_scope == WRIT_SCOPE_SESSION))
			return w_usage_fail(args->command, err,
			    "a rule is for --scope shape, project or always, "
			    "not '%s'",
			    args->scope);
		return WRIT_OK;
	}
	return w_usage_fail(args->command, err,
	    "--scope: unknown word '%s', expected once, session, shape, "
	    "project "
	    "or always",
	    args->scope);
}

/* ---- --edit ---- */

static writ_status
edit_line(struct w_question_terminal *terminal, struct w_line_editor *edit,
    writ_error *err)
{
	enum w_editor_state state = W_EDITOR_OPEN;
	const size_t columns = w_question_terminal_columns(terminal);
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	while (state == W_EDITOR_OPEN) {
		char byte;

		w_editor_draw(edit, EDIT_PROMPT, columns, &out);
		w_question_terminal_show(terminal, &out);
		struct pollfd key = {.fd = terminal->fd, .events = POLLIN};
		if (w_editor_has_escape(edit) &&
		    poll(&key, 1, ESCAPE_MS) == 0) {
			state = W_EDITOR_ABORTED;
			break;
		}
		ssize_t len = read(terminal->fd, &byte, 1);
		if (len < 0 && errno == EINTR)
			continue;
		state =
		    len == 1 ? w_editor_accept(edit, byte) : W_EDITOR_ABORTED;
	}
	w_buf_add_char(&out, '\n');
	w_question_terminal_show(terminal, &out);
	if (state == W_EDITOR_DONE)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "cancelled; nothing was answered");
}

/* Shows the question, then lets the user edit the rule. */
static writ_status
edit_rule(const struct w_approvals_args *args, writ_approvals *approvals,
    struct w_line_editor *edit, writ_error *err)
{
	struct w_question_terminal terminal;
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, W_QUESTION_PAGE_MAX);
	if (w_question_load(approvals, args->id, &json, err) != WRIT_OK)
		return err->status;
	const char *rule = w_question_text(w_json_root(json), "/rule");
	w_editor_init(edit, args->rule != NULL ? args->rule
			    : rule != NULL     ? rule
					       : "allow: ");
	w_question_add_page(
	    &out, w_json_root(json), w_question_now_ms(), false);
	w_buf_add_char(&out, '\n');
	w_json_free(json);
	if (out.failed)
		return w_fail(err, WRIT_E_NOMEM, "approvals", 0,
		    "the request cannot be shown whole");
	if (!w_question_terminal_exists() ||
	    !w_question_terminal_open(&terminal))
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "--edit needs a terminal; --rule does not");
	w_question_terminal_show(&terminal, &out);
	writ_status status = edit_line(&terminal, edit, err);
	w_question_terminal_close(&terminal);
	return status;
}

/* ---- answering ---- */

static int
approvals_answer_report(const struct w_approvals_args *args,
    writ_approvals *approvals, const writ_answer *answer)
{
	struct w_json *json = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	if (w_question_load(approvals, args->id, &json, &err) != WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	yyjson_val *question = w_json_root(json);
	if (args->is_json) {
		W_AUTO_FREE char *text = yyjson_val_write(question, 0, NULL);

		w_buf_add_str(&out, text == NULL ? "null" : text);
	} else {
		w_buf_add_str(
		    &out, answer->is_approved ? "approved" : "denied");
		if (answer->is_approved)
			w_buf_add_fmt(
			    &out, " (%s)", scopes[answer->scope].word);
		w_buf_add_str(&out, ": ");
		w_question_add_command(&out, question);
	}
	w_buf_add_char(&out, '\n');
	w_json_free(json);
	return w_print(&out);
}

static int
approve(struct w_approvals_args *args, writ_approvals *approvals)
{
	writ_answer answer = WRIT_ANSWER_INIT;
	struct w_line_editor edit;
	writ_error err;

	answer.is_approved = true;
	answer.for_ms = args->for_ms;
	answer.note = args->note;
	answer.rule = args->rule;
	if (read_scope(args, &answer.scope, &err) != WRIT_OK)
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	if (args->has_edit) {
		if (edit_rule(args, approvals, &edit, &err) != WRIT_OK)
			return w_cli_approvals_fail(args, &err);
		answer.rule = edit.text;
	}
	if (writ_approvals_answer(approvals, args->id, &answer, &err) !=
	    WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	return approvals_answer_report(args, approvals, &answer);
}

static int
deny(struct w_approvals_args *args, writ_approvals *approvals)
{
	writ_answer answer = WRIT_ANSWER_INIT;
	writ_error err;

	answer.note = args->note;
	if (writ_approvals_answer(approvals, args->id, &answer, &err) !=
	    WRIT_OK)
		return w_cli_approvals_fail(args, &err);
	return approvals_answer_report(args, approvals, &answer);
}

static int
run_approve(int argc, char **argv)
{
	struct w_approvals_args args = {
	    .command = &w_cmd_approvals_approve, .needs_id = true};

	return w_cli_approvals_run(&args, argc, argv, approve);
}

static int
run_deny(int argc, char **argv)
{
	struct w_approvals_args args = {
	    .command = &w_cmd_approvals_deny, .needs_id = true};

	return w_cli_approvals_run(&args, argc, argv, deny);
}

const struct w_cli_command w_cmd_approvals_approve = {
    .name = "approvals approve",
    .summary = "Let a request run",
    .usage = "approvals approve [OPTION]... ID",
    .about = "Approves exactly the request that 'writ approvals show' shows. "
	     "With --scope shape, project or always the rule that it shows is "
	     "remembered as a grant and allows what it matches until it "
	     "expires; 'writ approvals grants' lists those. What goes beyond "
	     "the sandbox is never remembered longer than the session.",
    .options = approve_options,
    .examples = approve_examples,
    .exits = w_cli_approvals_exits,
    .operand = &(const struct w_option){.words = "@approval",
	W_TO(TEXT, struct w_approvals_args, id)},
    .usage_exit = 2,
    .run = run_approve,
};

const struct w_cli_command w_cmd_approvals_deny = {
    .name = "approvals deny",
    .summary = "Do not let a request run",
    .usage = "approvals deny [OPTION]... ID",
    .about = "Denies a request. The caller is told, with the note.",
    .options = deny_options,
    .examples = deny_examples,
    .exits = w_cli_approvals_exits,
    .operand = &(const struct w_option){.words = "@approval",
	W_TO(TEXT, struct w_approvals_args, id)},
    .usage_exit = 2,
    .run = run_deny,
};
