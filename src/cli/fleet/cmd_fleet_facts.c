/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet facts`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_TARGET_ROWS,
	W_FLEET_WAIT_ROW("5s"),
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet facts os.name",
	 "which system each host has"},
	{"writ fleet facts --host web1 --json",
	 "all of one"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_facts = {
    .name = "fleet facts",
    .summary = "Show facts of hosts",
    .usage = "fleet facts [OPTION]... [QUERY]",
    .about = "What writ facts says on each host, with its tags. A QUERY is a "
	     "path into "
	     "it, like os.name; hosts with the same answer are grouped.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
