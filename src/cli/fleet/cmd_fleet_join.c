/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet join`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "base", .arg = "DIR", W_TO(NAME, struct w_fleet_args, base), .words = "@dir", .standard = "writ-work beside the state directory",
	 .help = "The directory that runs work in."},
	{.name = "user", .arg = "NAME", W_TO(NAME, struct w_fleet_args, user), .words = "@user", .standard = "writ-agentd, else nobody",
	 .help = "Who the part is that talks to the network, where root starts it."},
	{.name = "tag", .arg = "NAME", W_TO(LIST, struct w_fleet_args, tags),
	 .help = "One more tag of the host; may be repeated."},
	{.name = "parallel", .arg = "N", W_TO(COUNT, struct w_fleet_args, parallel), .standard = "8", .max = 256, .range = "1 to 256",
	 .help = "Runs at a time."},
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet join web1.join && writ-agentd",
	 "join, and begin to work"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_join = {
    .name = "fleet join",
    .summary = "Make this machine a host of a fleet",
    .usage = "fleet join [OPTION]... FILE",
    .about =
	"Stores what writ fleet invite has written: the settings, the key for "
	"the server, and whose orders this host takes. Then start writ-agentd. "
	"The policy of this machine decides what an order may do: its agent is "
	"fleet:KEY.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
