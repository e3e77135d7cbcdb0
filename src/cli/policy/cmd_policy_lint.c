/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy lint`: errors in policies, and what is valid but probably a
 * mistake.
 */

#include <unistd.h>

#include "base/auto.h"
#include "cli/output/print.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_quote.h"

#define PAGE_MAX ((size_t)64 << 20)

enum {
	FOUND = 1,
};

/* clang-format off */
static const struct w_option options[] = {
	W_POLICY_ROWS,
};

static const struct w_example examples[] = {
	{"writ policy lint", "all policies that apply here"},
	{"writ policy lint .writ/policy.yaml", "one file, by itself"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "nothing was found"},
	{"1", "something was"},
	{"2", "wrong usage, or a file that cannot be read"},
	{.status = ""},
};
/* clang-format on */

static int
lint(struct w_policy_args *args)
{
	W_AUTO_POLICY_REPORT struct w_policy_report view = {.json = NULL};
	W_AUTO_FREE char *cwd = getcwd(NULL, 0);
	struct w_policy_quotes quotes = {.file = NULL};
	size_t found = 0;
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
	int status = w_cli_policy_report(args, WRIT_POLICY_LINT, &view);
	if (status != 0)
		return status;
	yyjson_arr_foreach(
	    yyjson_obj_get(view.root, "policies"), i, count, policy)
	{
		size_t warnings = 0;

		if (w_cli_policy_is_default(args, policy))
			continue;
		found += w_cli_policy_add_faults(&page, policy, &warnings);
	}
	w_cli_policy_quotes_done(&quotes);
	w_cli_policy_note_none(args, view.root);
	status =
	    args->is_json ? w_print_json(view.json, view.len) : w_print(&buf);
	if (status != 0)
		return args->command->usage_exit;
	return found > 0 ? FOUND : 0;
}

static int
policy_lint_run(int argc, char **argv)
{
	struct w_policy_args args = {.command = &w_cmd_policy_lint};

	return w_cli_policy_begin(&args, argc, argv, lint);
}

const struct w_cli_command w_cmd_policy_lint = {
    .name = "policy lint",
    .summary = "Find errors and probable mistakes in policies",
    .usage = "policy lint [OPTION]... [FILE|PRESET]",
    .about = "Lists everything that is wrong with a policy, with its "
	     "place, and what is valid, but probably a mistake: rules "
	     "that can never match or that another makes redundant, names "
	     "of programs and modules that do not exist, allows that are "
	     "too broad. A preset that stands in for a policy is left out.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@policy",
	W_TO(TEXT, struct w_policy_args, operand)},
    .usage_exit = 2,
    .run = policy_lint_run,
};
