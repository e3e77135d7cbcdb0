/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet ping`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_TARGET_ROWS,
	W_FLEET_WAIT_ROW("2s"),
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet ping",
	 "all of them"},
	{"writ fleet ping --where Facts.tags.web",
	 "some"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_ping = {
    .name = "fleet ping",
    .summary = "Ask hosts whether they are there",
    .usage = "fleet ping [OPTION]...",
    .about =
	"Asks all hosts, or some, and waits for their answers. A host verifies "
	"the signature before it answers.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
