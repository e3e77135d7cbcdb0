/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet nodes`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet nodes",
	 "who is there"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_nodes = {
    .name = "fleet nodes",
    .summary = "List the hosts",
    .usage = "fleet nodes [--json]",
    .about =
	"All hosts that were invited: whether they are there, since when they "
	"have not been heard, and what they have to do.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
