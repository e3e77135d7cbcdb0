/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of commands, and the descriptor of the program itself.
 */

#include <string.h>

#include "base/error.h"
#include "base/match.h"
#include "cli/cli_command.h"
#include "cli/help/usage.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define COMMANDS_MAX 48

/* clang-format off */
static const struct w_option writ_options[] = {
	W_HELP_ROW,
	{.name = "version", .kind = W_OPTION_FLAG, .letter = 'V', .help = "Show the version."},
	{.name = ""},
};

static const struct w_example writ_examples[] = {
	{"writ run -- make test",
	 "run a command; when it ends, nothing of it is left running"},
	{"writ run --timeout 30s -- ./fetch-all",
	 "give it half a minute, then end it with everything it started"},
	{"writ run --json --shell 'git log | head'",
	 "one JSON object: how it ended, what it wrote, what it used"},
	{"writ run --sandbox strict -- make test",
	 "let it see the system and this directory, and nothing else"},
	{"writ policy explain -- git push",
	 "what the policy says about a command, and why"},
	{"writ approvals watch",
	 "answer the policy's questions as they come"},
	{"writ mcp install --client claude",
	 "let an agent run its commands through writ"},
	{"writ module explain -- git push --force",
	 "what a command would do, without running it"},
	{"writ call cli.git.log --max-count 3",
	 "a described command, whose arguments are checked first"},
	{"writ apply --noop site.yaml",
	 "what a manifest would change on this machine"},
	{"writ config show",
	 "where writ keeps things, and why there"},
	{"writ help run",
	 "every option of a command"},
	{.line = ""},
};

static const struct w_exit_row writ_exits[] = {
	{"0", "success"},
	{"1", "the command failed"},
	{"2", "wrong usage"},
	{"N", "'writ run' and 'writ call' pass on the status of what they ran; "
	      "see 'writ help run'"},
	{.status = ""},
};

static writ_status store_command_word(void *args,
    const struct w_option *option, const char *value, writ_error *err);

const struct w_cli_command w_cmd_writ = {
	.name = "writ",
	.summary = "Run commands, confined and bounded, with nothing left running",
	.usage = "COMMAND [OPTION]... [ARGUMENT]...",
	.about = "writ runs commands that the policy allows, inside a sandbox, "
	         "within limits, and leaves nothing running: "
	         "when a run ends, however it ends, every process that it "
	         "started is gone.",
	.options = writ_options,
	.stores = {store_command_word},
	.operand = &(const struct w_option){.store = 1},
	.examples = writ_examples,
	.exits = writ_exits,
	.stops_at_operand = true,
	.usage_exit = 2,
};

const struct w_cli_command *const w_cli_commands[] = {
	&w_cmd_run,
	&w_cmd_call,
	&w_cmd_apply,
	&w_cmd_ensure,
	&w_cmd_validate,
	&w_cmd_manifest,
	&w_cmd_session,
	&w_cmd_facts,
	&w_cmd_fleet,
	&w_cmd_mcp,
	&w_cmd_watch,
	&w_cmd_ps,
	&w_cmd_output,
	&w_cmd_attach,
	&w_cmd_wait,
	&w_cmd_kill,
	&w_cmd_diff,
	&w_cmd_undo,
	&w_cmd_redo,
	&w_cmd_trial,
	&w_cmd_quarantine,
	&w_cmd_approvals,
	&w_cmd_audit,
	&w_cmd_policy,
	&w_cmd_module,
	&w_cmd_sandbox,
	&w_cmd_schema,
	&w_cmd_init,
	&w_cmd_doctor,
	&w_cmd_config,
	&w_cmd_version,
	&w_cmd_help,
	&w_cmd_completion,
	&w_cmd_complete,
	&w_cmd_manual,
	NULL,
};
/* clang-format on */

_Static_assert(
    sizeof(w_cli_commands) / sizeof(w_cli_commands[0]) <= COMMANDS_MAX,
    "COMMANDS_MAX is too small");

const struct w_cli_command *
w_cli_command_find(const char *name)
{
	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		if (strcmp(w_cli_commands[i]->name, name) == 0)
			return w_cli_commands[i];
	}
	return NULL;
}

/* Without --version, which comes first, the word must be a command. */
static writ_status
store_command_word(void *args, const struct w_option *option, const char *value,
    writ_error *err)
{
	const bool *wants_version = args;

	(void)option;
	if (!*wants_version && w_cli_command_find(value) == NULL)
		return w_cli_command_unknown(value, err);
	return WRIT_OK;
}

/* "module explain" for "explain"; NULL if no group, or several, have it. */
static const char *
find_in_groups(const char *name)
{
	const char *found = NULL;

	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		const struct w_cli_command *const *sub =
		    w_cli_commands[i]->subs;

		for (; sub != NULL && *sub != NULL; sub++) {
			const char *word = strrchr((*sub)->name, ' ');

			if (word == NULL || strcmp(word + 1, name) != 0)
				continue;
			if (found != NULL)
				return NULL;
			found = (*sub)->name;
		}
	}
	return found;
}

writ_status
w_cli_command_unknown(const char *name, writ_error *err)
{
	const char *names[COMMANDS_MAX];
	size_t count = 0;

	/* What other programs call the list of past runs. */
	if (strcmp(name, "history") == 0 || strcmp(name, "log") == 0 ||
	    strcmp(name, "list") == 0 || strcmp(name, "runs") == 0) {
		(void)w_usage_fail(
		    &w_cmd_writ, err, "unknown command '%s'", name);
		w_suggest(err, "writ audit list");
		return WRIT_E_INVALID;
	}
	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		if (!w_cli_commands[i]->is_hidden)
			names[count++] = w_cli_commands[i]->name;
	}
	names[count] = NULL;

	const char *near = find_in_groups(name);
	if (near == NULL)
		near = w_match_nearest(name, names);
	if (near == NULL)
		return w_usage_fail(
		    &w_cmd_writ, err, "unknown command '%s'", name);
	return w_usage_fail(&w_cmd_writ, err,
	    "unknown command '%s', did you mean '%s'?", name, near);
}

int
w_cli_command_begin(
    const struct w_cli_command *command, int argc, char **argv, void *args)
{
	bool wants_help = false;
	writ_error err;

	if (w_options_parse(command, argc, argv, args, &wants_help, &err) ==
	    WRIT_OK)
		return wants_help ? w_usage_print(command) : -1;
	if (w_options_want_json(argc, argv))
		w_print_error_json(&err);
	else
		w_print_error(&err, NULL);
	return command->usage_exit;
}
