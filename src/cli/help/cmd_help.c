/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ help [COMMAND [WORD]]`: prints the same text as `writ COMMAND --help`.
 */

#include "cli/cli_command.h"
#include "cli/help/usage.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ help", "all commands"},
	{"writ help run", "everything about one command"},
	{"writ help sandbox show", "about one of the commands within it"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the help could not be written"},
	{"2", "no such command"},
	{.status = ""},
};
/* clang-format on */

static writ_status
help_store(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	const struct w_cli_command **topic = ctx;

	(void)option;
	if ((*topic)->subs != NULL) {
		const struct w_cli_command *sub =
		    w_subcommand_find(*topic, value);

		if (sub == NULL)
			return w_subcommand_unknown(*topic, value, err);
		*topic = sub;
		return WRIT_OK;
	}
	if (*topic != &w_cmd_writ)
		return w_usage_fail(
		    &w_cmd_help, err, "unexpected word '%s'", value);
	*topic = w_cli_command_find(value);
	return *topic == NULL ? w_cli_command_unknown(value, err) : WRIT_OK;
}

static int
help_run(int argc, char **argv)
{
	const struct w_cli_command *topic = &w_cmd_writ;

	int status = w_cli_command_begin(&w_cmd_help, argc, argv, &topic);
	return status >= 0 ? status : w_usage_print(topic);
}

const struct w_cli_command w_cmd_help = {
    .name = "help",
    .summary = "Show the help of writ or of a command",
    .usage = "help [COMMAND [WORD]]",
    .options = options,
    .stores = {help_store},
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@commands", .store = 1},
    .usage_exit = 2,
    .run = help_run,
};
