/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet key`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "may", .arg = "WORDS", W_TO(NAME, struct w_fleet_args, may), .standard = "ping,facts,run,cancel",
	 .help = "What it may order: ping, facts, run, cancel."},
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet key list",
	 "who is trusted here"},
	{"writ fleet key revoke ops",
	 "take no order of it any more"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_key = {
    .name = "fleet key",
    .summary = "Keys that sign, and whose orders this host takes",
    .usage = "fleet key list\n  writ fleet key new NAME\n  writ fleet key show "
	     "NAME\n  writ fleet key trust [--may WORDS] NAME PUBLIC-KEY\n  "
	     "writ fleet key revoke NAME",
    .about = "new, show: the keys of this operator. trust, revoke: whose "
	     "orders this "
	     "machine takes as a host; the next order is judged by it, also "
	     "one that "
	     "waits already. A key that was revoked can never be trusted "
	     "again. list "
	     "shows both.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
