/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet status`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet status",
	 "the last orders"},
	{"writ fleet status 01JC...",
	 "one of them"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_status = {
    .name = "fleet status",
    .summary = "Show how far orders are",
    .usage = "fleet status [OPTION]... [ORDER]",
    .about = "Without an ORDER the last ones. With one: how many hosts have "
	     "done it, "
	     "which are missing, and which have refused it and why. It needs "
	     "nothing "
	     "of the machine that sent it.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
