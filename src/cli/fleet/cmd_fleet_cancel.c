/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet cancel`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "key", .letter = 'k', .arg = "NAME", W_TO(NAME, struct w_fleet_args, key), .standard = "default",
	 .help = "Sign with this key."},
	W_FLEET_WAIT_ROW("5s"),
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet cancel 01JC...",
	 "on all hosts that it was for"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_cancel = {
    .name = "fleet cancel",
    .summary = "Take an order back",
    .usage = "fleet cancel [OPTION]... ORDER",
    .about = "Sends a signed order to the hosts of the other one: those that "
	     "have not "
	     "begun do not begin, and those that have end it.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
