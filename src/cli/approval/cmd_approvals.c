/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ approvals`: shows pending questions and answers them. Each subcommand
 * has its own file; the default is list.
 */

#include "cli/approval/approvals_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_APPROVALS_JSON_ROW("Print a JSON array of objects."),
	W_APPROVALS_IDS_ROW,
	W_APPROVALS_ALL_ROW,
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ approvals", "what waits for an answer"},
	{"writ approvals show 9qf", "everything about one question"},
	{"writ approvals approve 9qf", "let exactly that run, one time"},
	{"writ approvals approve 9qf --scope shape --for 2h",
	 "let whatever its rule matches run, for two hours"},
	{"writ approvals watch", "answer questions as they come"},
	{.line = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_approvals_list,
    &w_cmd_approvals_show,
    &w_cmd_approvals_approve,
    &w_cmd_approvals_deny,
    &w_cmd_approvals_watch,
    &w_cmd_approvals_grants,
    &w_cmd_approvals_revoke,
    NULL,
};

static int
approvals_run(int argc, char **argv)
{
	return w_cmd_approvals_list.run(argc, argv);
}

const struct w_cli_command w_cmd_approvals = {
    .name = "approvals",
    .summary = "Answer the questions that the policy asks a person",
    .usage = "approvals [OPTION]...\n"
	     "  writ approvals COMMAND [OPTION]... [ID]",
    .about = "A request that the policy asks about waits here until a "
	     "person answers it or its time is over. An answer is for "
	     "exactly the request that is shown: the same words, "
	     "directory, environment and sandbox. An ID may be cut where "
	     "no other begins like it. Without a COMMAND it lists what is "
	     "open.",
    .options = options,
    .examples = examples,
    .exits = w_cli_approvals_exits,
    .usage_exit = 2,
    .run = approvals_run,
    .subs = subs,
};
