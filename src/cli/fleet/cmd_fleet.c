/* SPDX-License-Identifier: Apache-2.0 */

/* `writ fleet`: the same request on many machines, over NATS. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ fleet up", "a server, to begin with"},
	{"writ fleet invite web1", "a file for the machine web1"},
	{"writ fleet join web1.join", "there; then start writ-agentd"},
	{"writ fleet ping", "who is there"},
	{"writ fleet run --all -- uptime", "a command on all of them"},
	{.line = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_fleet_up,
    &w_cmd_fleet_down,
    &w_cmd_fleet_invite,
    &w_cmd_fleet_join,
    &w_cmd_fleet_nodes,
    &w_cmd_fleet_ping,
    &w_cmd_fleet_facts,
    &w_cmd_fleet_run,
    &w_cmd_fleet_status,
    &w_cmd_fleet_results,
    &w_cmd_fleet_cancel,
    &w_cmd_fleet_key,
    &w_cmd_fleet_doctor,
    NULL,
};

const struct w_cli_command w_cmd_fleet = {
    .name = "fleet",
    .summary = "The same request on many machines, over NATS",
    .about = "Orders to hosts are signed; each host verifies them, judges "
	     "them by its own policy, does them once, and keeps the result "
	     "until the server has it. docs/fleet.md begins with two "
	     "machines.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .usage_exit = 2,
    .subs = subs,
};
