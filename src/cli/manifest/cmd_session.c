/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session`: the events of applies, and of a script's commands.
 */

#include "cli/manifest/cmd_session.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"eval \"$(writ session new)\"", "begin one in a shell script"},
	{"writ session report", "what its commands did"},
	{"writ session list", "recent applies, and those that can be resumed"},
	{"writ session owed", "services that have to be refreshed yet"},
	{.line = NULL},
};

const struct w_exit_row w_cli_session_exits[] = {
	{"0", "success"},
	{"1", "the session cannot be made, found or read"},
	{"2", "wrong usage"},
	{.status = NULL},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_session_new,
    &w_cmd_session_report,
    &w_cmd_session_list,
    &w_cmd_session_owed,
    NULL,
};

const struct w_cli_command w_cmd_session = {
    .name = "session",
    .summary = "Tie the commands of a script together, and look at applies",
    .about = "A session is where events are kept: those of one 'writ apply', "
	     "or of several 'writ ensure' in a script, which can then refer "
	     "to each other.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .subs = subs,
};
