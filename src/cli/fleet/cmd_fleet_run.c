/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet run`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_TARGET_ROWS,
	{.name = "shell", .letter = 's', .arg = "TEXT", W_TO(NAME, struct w_fleet_args, shell), .heading = "What",
	 .help = "Run this text with /bin/sh instead of a program."},
	{.name = "cwd", .arg = "DIR", W_TO(NAME, struct w_fleet_args, cwd), .standard = "the base of the host",
	 .help = "The directory to run in."},
	{.name = "env", .letter = 'e', .arg = "NAME=VALUE", W_TO(LIST, struct w_fleet_args, env),
	 .help = "Set a variable; may be repeated."},
	{.name = "timeout", .arg = "DURATION", W_TO(DURATION, struct w_fleet_args, timeout_ms), .standard = "the policy of the host",
	 .help = "End it after this time."},
	{.name = "sandbox", .arg = "PROFILE", W_TO(NAME, struct w_fleet_args, sandbox),
	 .help = "Ask for this sandbox profile."},
	{.name = "idempotent", W_TO(FLAG, struct w_fleet_args, is_idempotent),
	 .help = "A run whose end nobody saw may run again."},
	{.name = "queued", W_TO(FLAG, struct w_fleet_args, is_queued), .heading = "When",
	 .help = "Let it wait for hosts that are off, until --expires."},
	{.name = "expires", .arg = "DURATION", W_TO(DURATION, struct w_fleet_args, expires_ms), .standard = "1m; queued: 1d",
	 .help = "No host starts it later than this."},
	{.name = "limit", .arg = "N", W_TO(COUNT, struct w_fleet_args, limit), .max = 4096, .range = "1 to 4096",
	 .help = "Only on so many hosts."},
	{.name = "batch", .arg = "N", W_TO(NAME, struct w_fleet_args, batch),
	 .help = "So many hosts at a time, or a share like 10%."},
	{.name = "canary", .arg = "N", W_TO(COUNT, struct w_fleet_args, canary), .max = 4096, .range = "1 to 4096",
	 .help = "First on so many hosts; go on only if all of them did it."},
	{.name = "pause", W_TO(FLAG, struct w_fleet_args, pauses),
	 .help = "After the canaries, ask at the terminal whether to go on."},
	{.name = "max-failures", .arg = "N", W_TO(NAME, struct w_fleet_args, failures_max_text), .standard = "0 with --canary or --batch",
	 .help = "Begin no further batch after so many failures."},
	W_FLEET_WAIT_ROW("until all have ended"),
	{.name = "no-wait", W_TO(FLAG, struct w_fleet_args, is_detached),
	 .help = "Print the id of the order and return."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct w_fleet_args, is_quiet),
	 .help = "No progress on standard error."},
	W_FLEET_COMMON_ROWS("Other"),
};

static const struct w_example examples[] = {
	{"writ fleet run --all -- uptime",
	 "on all hosts that are there"},
	{"writ fleet run --where Facts.tags.web --batch 10% -- systemctl restart nginx",
	 "a tenth at a time; stop at the first failure"},
	{"writ fleet run --all --queued --expires 7d -- ./inventory",
	 "also on those that come back within a week"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_run = {
    .name = "fleet run",
    .summary = "Run a command on hosts",
    .usage = "fleet run [OPTION]... {--all | --host NAME | --where EXPR} [--] "
	     "PROGRAM [ARGUMENT]...",
    .about =
	"Signs an order, hands it to the hosts, waits for their results, and "
	"groups the hosts whose results are equal. Each host judges it by its "
	"own "
	"policy, as the agent fleet:KEY, and holds it in its own sandbox. "
	"A host does it once, and its result stays on the server: when this "
	"command ends early, writ fleet results has the rest.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .operand = &(const struct w_option){W_TO(LIST, struct w_fleet_args, words)},
    .stops_at_operand = true,
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
