/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ mcp install`: registers the server with an agent program, and takes it
 * out again.
 */

#include <string.h>

#include "base/error.h"
#include "base/match.h"
#include "cli/mcp/install_work.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define NAME_MAX_LEN 24

/* ---- the command line ---- */

static writ_status
store_client(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_install_args *args = ctx;
	const char *names[16] = {NULL};

	(void)option;
	args->entry.host = w_install_host_named(value);
	if (args->entry.host != NULL)
		return WRIT_OK;
	for (size_t i = 0; i < 15 && w_install_hosts[i].name != NULL; i++)
		names[i] = w_install_hosts[i].name;
	(void)w_usage_fail(
	    &w_cmd_mcp_install, err, "unknown client '%.64s'", value);
	w_suggest(err, W_INSTALL_NAMES "; for others see docs/mcp.md");
	w_match_suggest(w_match_nearest(value, names), err);
	return WRIT_E_INVALID;
}

/* The name becomes a part of the tool names that a model sees. */
static writ_status
store_name(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_install_args *args = ctx;
	const size_t len = strspn(value,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	(void)option;
	if (len == 0 || len > NAME_MAX_LEN || value[len] != '\0' ||
	    value[0] == '-')
		return w_usage_fail(&w_cmd_mcp_install, err,
		    "--name: '%.64s' is not up to 24 letters, digits, '-' and "
		    "'_'",
		    value);
	args->entry.name = value;
	return WRIT_OK;
}

static writ_status
store_scope(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_install_args *args = ctx;

	(void)option;
	args->entry.is_project = strcmp(value, "project") == 0;
	if (args->entry.is_project || strcmp(value, "user") == 0)
		return WRIT_OK;
	return w_usage_fail(&w_cmd_mcp_install, err,
	    "--scope: expected user or project, got '%.64s'", value);
}

/* clang-format off */
static const struct w_option options[] = {
	{.heading = "Where to",
	 .name = "client", .arg = "PROGRAM", .store = 2,
	 .help = "The agent program: " W_INSTALL_NAMES ".",
	 .words = "claude|codex|gemini|cursor|vscode|opencode|copilot|qwen|"
	          "claude-desktop|zed|windsurf|goose"},
	{.name = "scope", .arg = "WHOSE", .store = 3,
	 .help = "For all of the user's projects, or for the one in the "
	         "current directory.",
	 .standard = "user", .words = "user|project"},
	{.name = "name", .arg = "NAME", .store = 4,
	 .help = "What the server is called there: up to 24 letters, digits, "
	         "'-' and '_'.",
	 .standard = "writ"},
	{.name = "print", W_TO(FLAG, struct w_install_args, is_printed),
	 .help = "Print what the program's settings have to have, and change "
	         "nothing."},
	{.name = "replace-shell", W_TO(FLAG, struct w_install_args, has_shell),
	 .help = "Also write the setting of the program that takes its own "
	         "shell tool away."},
	{.name = "remove", W_TO(FLAG, struct w_install_args, is_removal),
	 .help = "Take the server out again, and the setting of "
	         "--replace-shell: what was written, and nothing else."},
	{.name = "yes", .letter = 'y', W_TO(FLAG, struct w_install_args, is_yes),
	 .help = "Change files without asking."},
	{.name = "dry-run", .letter = 'n',
	 W_TO(FLAG, struct w_install_args, is_dry_run),
	 .help = "Show what would change, and change nothing."},
	W_MCP_WHO_ROWS("Of the server"),
	W_MCP_TOOL_ROWS,
	W_MCP_RUN_ROWS,
	W_MCP_PLACE_ROWS,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ mcp install --client claude",
	 "by 'claude mcp add', for all projects"},
	{"writ mcp install --client codex --agent reviewer",
	 "as an agent that the policy knows"},
	{"writ mcp install --client opencode --replace-shell",
	 "writ's tools in place of its own shell; shows the change and asks"},
	{"writ mcp install --client zed --yes",
	 "without a terminal"},
	{"writ mcp install --client opencode --remove",
	 "as it was before"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "the server was added or removed, or the change was shown"},
	{"1", "it could not be added, there is one of that name already, or it "
	      "was added and does not work"},
	{"2", "wrong usage"},
	{"3", "no file was changed: nobody could be asked, or the answer was "
	      "no"},
	{.status = ""},
};
/* clang-format on */

static int
mcp_install_decide(struct w_install_args *args)
{
	bool is_there = false;
	writ_error err = {.status = WRIT_OK};

	if (!args->is_removal)
		(void)w_install_check_shell(args, &err);
	if (err.status == WRIT_OK)
		(void)w_install_entry_is_there(
		    &args->entry, args->file, &is_there, &err);
	if (err.status != WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	if (args->is_removal)
		return w_install_remove(args, is_there);
	return w_install_add(args, is_there);
}

static int
install(struct w_install_args *args)
{
	struct w_install_entry *entry = &args->entry;
	writ_error err;

	entry->path = args->path;
	entry->options = args->server.words.items;
	entry->option_count = args->server.words.count;
	if (!w_install_entry_can_be_written(entry)) {
		(void)w_fail(&err, WRIT_E_INVALID, "mcp", 0,
		    "a path or a name is not UTF-8, which %s needs",
		    entry->host->title);
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	}
	if (w_install_entry_file(entry, args->file, &err) != WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	return args->is_printed ? w_install_print_text(args)
				: mcp_install_decide(args);
}

static int
mcp_install_prepare(struct w_install_args *args)
{
	writ_error err;

	if (args->entry.host == NULL)
		(void)w_usage_fail(&w_cmd_mcp_install, &err,
		    "say for which program: --client " W_INSTALL_NAMES);
	else if (!w_install_own_path(args->path, sizeof(args->path)))
		(void)w_fail(&err, WRIT_E_SYSTEM, "mcp", 0,
		    "cannot find the path of this program");
	else
		return install(args);
	return w_print_failure(&err, false,
	    args->entry.host == NULL ? w_cmd_mcp_install.usage_exit
				     : W_INSTALL_FAILED);
}

static int
mcp_install_run(int argc, char **argv)
{
	struct w_install_args args = {.entry = {.name = "writ"}};
	writ_error err;
	int status = W_INSTALL_FAILED;

	if (w_cli_mcp_args_init(&args.server, &w_cmd_mcp_install, &err) !=
	    WRIT_OK) {
		(void)w_print_failure(&err, false, W_INSTALL_FAILED);
	} else {
		status =
		    w_cli_command_begin(&w_cmd_mcp_install, argc, argv, &args);
		if (status < 0)
			status = mcp_install_prepare(&args);
	}
	w_cli_mcp_args_done(&args.server);
	return status;
}

const struct w_cli_command w_cmd_mcp_install = {
    .name = "mcp install",
    .summary = "Add the server to an agent program",
    .usage = "mcp install --client PROGRAM [OPTION]...",
    .about = "Adds the server to an agent program: by that program's own "
	     "command, which is shown and run under the policy like any "
	     "other, or, where it has none, in its file of settings. A change "
	     "of a file is shown first, and written after a yes; comments, "
	     "order and all other settings stay. The options of the server "
	     "are those that the program will start it with.",
    .options = options,
    .stores = {w_cli_mcp_store, store_client, store_scope, store_name},
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = mcp_install_run,
};
