/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet doctor`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet doctor",
	 "what works, and what to do about the rest"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_doctor = {
    .name = "fleet doctor",
    .summary = "Check what of the fleet works",
    .usage = "fleet doctor [--json]",
    .about =
	"As an operator: the key, the server and its version, JetStream, the "
	"streams, and hosts that are not heard. As a host: the settings, the "
	"keys it trusts, and whether its executor runs.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
