/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ completion SHELL`: prints the shell's script of completions/, which
 * asks `writ __complete`.
 */

#include <string.h>

#include "base/buf.h"
#include "cli/cli_command.h"
#include "cli/help/complete.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{". <(writ completion bash)", "in this bash, now"},
	{"writ completion zsh > ~/.zfunc/_writ",
	 "for zsh, in a directory of its fpath"},
	{"writ completion fish > ~/.config/fish/completions/writ.fish",
	 "for all later fish shells"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the script could not be written"},
	{"2", "wrong usage, or an unknown shell"},
	{.status = ""},
};
/* clang-format on */

static const struct shell {
	const char *name;
	const char *script;
} shells[] = {
    {"bash", w_complete_bash},
    {"zsh", w_complete_zsh},
    {"fish", w_complete_fish},
    {NULL, NULL},
};

static writ_status
completion_store(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	const struct shell **chosen = ctx;

	(void)option;
	if (*chosen != NULL)
		return w_usage_fail(
		    &w_cmd_completion, err, "unexpected word '%s'", value);
	for (const struct shell *it = shells; it->name != NULL; it++) {
		if (strcmp(it->name, value) == 0)
			*chosen = it;
	}
	if (*chosen == NULL)
		return w_usage_fail(&w_cmd_completion, err,
		    "unknown shell '%s', expected bash, zsh or fish", value);
	return WRIT_OK;
}

static int
completion_run(int argc, char **argv)
{
	const struct shell *chosen = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	int status =
	    w_cli_command_begin(&w_cmd_completion, argc, argv, &chosen);
	if (status >= 0)
		return status;
	if (chosen == NULL) {
		(void)w_usage_fail(&w_cmd_completion, &err,
		    "say which shell: bash, zsh or fish");
		w_print_error(&err, NULL);
		return w_cmd_completion.usage_exit;
	}
	w_buf_add_str(&buf, chosen->script);
	return w_print(&buf);
}

const struct w_cli_command w_cmd_completion = {
    .name = "completion",
    .summary = "Print a completion script for a shell",
    .usage = "completion bash|zsh|fish",
    .options = options,
    .stores = {completion_store},
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "bash|zsh|fish", .store = 1},
    .usage_exit = 2,
    .run = completion_run,
};
