/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet down`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet down",
	 "the hosts wait, and come back when it does"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_down = {
    .name = "fleet down",
    .summary = "Stop the server",
    .usage = "fleet down",
    .about = "Ends the server that writ fleet up has started. What it keeps "
	     "stays on "
	     "disk: results, and work for hosts that are off.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
