/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet results`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "host", .letter = 'H', .arg = "NAME", W_TO(LIST, struct w_fleet_args, hosts),
	 .help = "Only of this host; may be repeated."},
	{.name = "wait", .arg = "DURATION", W_TO(DURATION, struct w_fleet_args, wait_ms), .standard = "not at all",
	 .help = "Wait so long for those that are missing."},
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet results 01JC...",
	 "what came after the terminal was closed"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_results = {
    .name = "fleet results",
    .summary = "Show the results of an order",
    .usage = "fleet results [OPTION]... ORDER",
    .about = "The results that are there, with equal ones grouped, as writ "
	     "fleet run "
	     "prints them.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
