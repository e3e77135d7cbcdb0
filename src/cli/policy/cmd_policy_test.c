/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy test`: whether policies decide as their own 'expect' says.
 */

#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/output/print.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_quote.h"

#define PAGE_MAX ((size_t)64 << 20)

enum {
	FAILED = 1,
};

/* clang-format off */
static const struct w_option options[] = {
	W_POLICY_ROWS,
};

static const struct w_example examples[] = {
	{"writ policy test", "all policies that apply here"},
	{"writ policy test .writ/policy.yaml", "one file, by itself"},
	{"writ policy test --json", "the same for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "every line of 'expect' holds"},
	{"1", "one does not, or a policy is invalid"},
	{"2", "wrong usage, or a file that cannot be read"},
	{.status = ""},
};
/* clang-format on */

struct tally {
	size_t passed;
	size_t failed;
	size_t faults;
};

static void
add_difference(const struct w_decision_page *page, yyjson_val *line)
{
	const char *decision = w_cli_decision_text(line, "decision");
	const char *rule = w_cli_decision_text(line, "rule");
	const char *message = w_cli_decision_text(line, "message");

	w_buf_add_fmt(page->buf, "        came: %s",
	    decision == NULL ? "no answer" : decision);
	if (message != NULL && message[0] != '\0') {
		w_buf_add_str(page->buf, ": ");
		w_cli_decision_add_plain(page, message);
	}
	w_buf_add_char(page->buf, '\n');
	if (rule == NULL)
		return;
	w_buf_add_str(page->buf, "        by:   ");
	w_cli_decision_add_path(page, rule);
	w_buf_add_char(page->buf, '\n');
}

static void
policy_test_add_line(const struct w_decision_page *page, yyjson_val *line)
{
	const bool is_passed = yyjson_is_true(yyjson_obj_get(line, "passed"));
	const char *file = w_cli_decision_text(line, "file");
	const char *expected = w_cli_decision_text(line, "expected");
	const char *text = w_cli_decision_text(line, "text");

	w_cli_decision_paint(page, is_passed ? "32" : "1;31");
	w_buf_add_fmt(page->buf, "%-6s", is_passed ? "ok" : "FAILED");
	w_cli_decision_paint(page, "0");
	w_buf_add_str(page->buf, "  ");
	w_cli_decision_add_place(page, file == NULL ? "?" : file,
	    (unsigned)yyjson_get_uint(yyjson_obj_get(line, "line")),
	    (unsigned)yyjson_get_uint(yyjson_obj_get(line, "column")));
	w_buf_add_fmt(page->buf, "  %s: ", expected == NULL ? "?" : expected);
	w_cli_decision_add_plain(page, text == NULL ? "?" : text);
	w_buf_add_char(page->buf, '\n');
	if (!is_passed)
		add_difference(page, line);
}

static void
policy_test_add_policy(
    const struct w_decision_page *page, yyjson_val *policy, struct tally *tally)
{
	size_t warnings = 0;
	const size_t faults = w_cli_policy_add_faults(page, policy, &warnings);
	size_t i;
	size_t count;
	yyjson_val *line;

	tally->faults += faults - warnings;
	yyjson_arr_foreach(yyjson_obj_get(policy, "expect"), i, count, line)
	{
		if (yyjson_is_true(yyjson_obj_get(line, "passed")))
			tally->passed++;
		else
			tally->failed++;
		policy_test_add_line(page, line);
	}
}

static void
add_summary(const struct w_decision_page *page, const struct tally *tally)
{
	const size_t all = tally->passed + tally->failed;

	if (tally->faults > 0)
		w_buf_add_fmt(page->buf, "%zu error%s; ", tally->faults,
		    tally->faults == 1 ? "" : "s");
	if (all == 0)
		w_buf_add_str(
		    page->buf, "nothing is expected: add lines to 'expect'\n");
	else
		w_buf_add_fmt(
		    page->buf, "%zu of %zu as expected\n", tally->passed, all);
}

static int
test(struct w_policy_args *args)
{
	W_AUTO_POLICY_REPORT struct w_policy_report view = {.json = NULL};
	W_AUTO_FREE char *cwd = getcwd(NULL, 0);
	struct w_policy_quotes quotes = {.file = NULL};
	struct tally tally = {.passed = 0};
	bool has_own = false;
	W_AUTO_BUF struct w_buf buf;
	const struct w_decision_page page = {.buf = &buf,
	    .has_colour = w_print_has_colour(STDOUT_FILENO),
	    .cwd = cwd,
	    .quote = w_cli_policy_quote,
	    .ctx = &quotes};
	size_t i;
	size_t count;
	yyjson_val *policy;

	w_buf_init(&buf, PAGE_MAX);
	int status = w_cli_policy_report(args, WRIT_POLICY_TEST, &view);
	if (status != 0)
		return status;
	yyjson_arr_foreach(
	    yyjson_obj_get(view.root, "policies"), i, count, policy)
	{
		has_own = has_own || !w_cli_policy_is_default(args, policy);
		if (!w_cli_policy_is_default(args, policy))
			policy_test_add_policy(&page, policy, &tally);
	}
	if (has_own)
		add_summary(&page, &tally);
	else
		w_cli_policy_note_none(args, view.root);
	w_cli_policy_quotes_done(&quotes);
	status =
	    args->is_json ? w_print_json(view.json, view.len) : w_print(&buf);
	if (status != 0)
		return args->command->usage_exit;
	return tally.failed + tally.faults > 0 ? FAILED : 0;
}

static int
policy_test_run(int argc, char **argv)
{
	struct w_policy_args args = {.command = &w_cmd_policy_test};

	return w_cli_policy_begin(&args, argc, argv, test);
}

const struct w_cli_command w_cmd_policy_test = {
    .name = "policy test",
    .summary = "Check that policies give the answers in 'expect'",
    .usage = "policy test [OPTION]... [FILE|PRESET]",
    .about = "Checks every line of 'expect' against the policy that it is "
	     "in, and shows which got another answer, and by which rule. "
	     "Errors in a file are shown as well. A preset that stands in "
	     "for a policy is left out.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@policy",
	W_TO(TEXT, struct w_policy_args, operand)},
    .usage_exit = 2,
    .run = policy_test_run,
};
