/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet invite`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "output", .letter = 'o', .arg = "FILE", W_TO(NAME, struct w_fleet_args, file), .words = "@file", .standard = "NAME.join",
	 .help = "The file; it must not exist."},
	{.name = "may", .arg = "WORDS", W_TO(NAME, struct w_fleet_args, may), .standard = "ping,facts,run,cancel",
	 .help = "What this operator may order there: ping, facts, run, cancel."},
	{.name = "key", .letter = 'k', .arg = "NAME", W_TO(NAME, struct w_fleet_args, key), .standard = "default",
	 .help = "The key whose orders it takes."},
	{.name = "tag", .arg = "NAME", W_TO(LIST, struct w_fleet_args, tags),
	 .help = "A tag of the host, in Facts.tags; may be repeated."},
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet invite web1",
	 "writes web1.join"},
	{"writ fleet invite db1 --may ping,facts -o db1.join",
	 "one that runs nothing"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_invite = {
    .name = "fleet invite",
    .summary = "Let a host into the fleet",
    .usage = "fleet invite [OPTION]... NAME",
    .about =
	"Makes a key by which the server knows the host, and writes the file "
	"that the host needs for writ fleet join: the server, the key, and the "
	"keys whose orders it takes. The file is a secret: whoever has it can "
	"be "
	"that host. Bring it there and remove it.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
