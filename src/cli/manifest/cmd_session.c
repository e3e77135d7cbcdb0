/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session`: live sessions, in which runs share /tmp and a network; and
 * the events of applies, and of a script's 'writ ensure'.
 */

#include "cli/manifest/cmd_session.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session start dev", "start one for runs"},
	{"writ run --session dev -- make test", "run in it"},
	{"writ session list", "live ones; then recent applies"},
	{"writ session end dev", "end it and its runs"},
	{"eval \"$(writ session new)\"",
	 "begin one for the 'writ ensure' of a shell script"},
	{"writ session report", "what they did"},
	{"writ session owed", "services that have to be refreshed yet"},
	{.line = ""},
};

const struct w_exit_row w_cli_session_exits[] = {
	{"0", "success"},
	{"1", "the session cannot be made, found, read or ended"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_session_start,
    &w_cmd_session_run,
    &w_cmd_session_list,
    &w_cmd_session_show,
    &w_cmd_session_end,
    &w_cmd_session_new,
    &w_cmd_session_report,
    &w_cmd_session_owed,
    NULL,
};

const struct w_cli_command w_cmd_session = {
    .name = "session",
    .summary = "Sessions that runs share; and what applies did",
    .about = "There are two kinds. A live session is for runs: those in it "
	     "share /tmp and 127.0.0.1 (start, run, list, show, end). A "
	     "session of resources is a directory with events: those of one "
	     "'writ apply', or of several 'writ ensure' in a script (new, "
	     "report, list, owed).",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .subs = subs,
};
