/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ mcp install`: registers the server with an agent program.
 *
 * The program's own command adds the entry, if it has one; writ never edits the
 * files of other programs. That command runs like any other: the policy
 * decides, a person is asked if needed, and it is recorded. It runs without a
 * sandbox, since its purpose is to change its user's settings.
 */

#include <stdlib.h>
#include <string.h>

#include <writ/draft.h>

#include "base/error.h"
#include "base/match.h"
#include "cli/mcp/conformance.h"
#include "cli/mcp/install_hosts.h"
#include "cli/mcp/mcp_args.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/run/watch.h"
#include "cli/setup/project.h"

#define TEXT_MAX     ((size_t)1 << 20)
#define NAME_MAX_LEN 24

enum {
	INSTALLED = 0,
	FAILED = 1,
	BY_HAND = 3,
};

struct mcp_install_args {
	struct w_mcp_args server;
	struct w_install_entry entry;
	bool is_printed;
	char path[PATH_MAX]; /* of writ */
	char file[PATH_MAX]; /* of the entry */
};

/* ---- the command line ---- */

static writ_status
store_client(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct mcp_install_args *args = ctx;
	const char *names[16] = {NULL};

	(void)option;
	args->entry.host = w_install_host_named(value);
	if (args->entry.host != NULL)
		return WRIT_OK;
	for (size_t i = 0; i < 15 && w_install_hosts[i].name != NULL; i++)
		names[i] = w_install_hosts[i].name;
	(void)w_usage_fail(
	    &w_cmd_mcp_install, err, "unknown client '%.64s'", value);
	w_suggest(err, "claude, codex, gemini, cursor or vscode; for others "
		       "see docs/mcp.md");
	w_match_suggest(w_match_nearest(value, names), err);
	return WRIT_E_INVALID;
}

/* The name becomes a part of the tool names that a model sees. */
static writ_status
store_name(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct mcp_install_args *args = ctx;
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
	struct mcp_install_args *args = ctx;

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
	 .name = "client", .arg = "PROGRAM", .store = store_client,
	 .help = "The agent program: claude, codex, gemini, cursor or vscode.",
	 .words = "claude|codex|gemini|cursor|vscode"},
	{.name = "scope", .arg = "WHOSE", .store = store_scope,
	 .help = "For all of the user's projects, or for the one in the "
	         "current directory.",
	 .standard = "user", .words = "user|project"},
	{.name = "name", .arg = "NAME", .store = store_name,
	 .help = "What the server is called there: up to 24 letters, digits, "
	         "'-' and '_'.",
	 .standard = "writ"},
	{.name = "print", W_TO(FLAG, struct mcp_install_args, is_printed),
	 .help = "Print what the program's settings have to have, and change "
	         "nothing."},
	W_MCP_WHO_ROWS("Of the server"),
	W_MCP_TOOL_ROWS,
	W_MCP_RUN_ROWS,
	W_MCP_PLACE_ROWS,
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"writ mcp install --client claude",
	 "by 'claude mcp add', for all projects"},
	{"writ mcp install --client codex --agent reviewer",
	 "as an agent that the policy knows"},
	{"writ mcp install --client cursor --scope project --print "
	 "> .cursor/mcp.json",
	 "the text itself, where there is no such file yet"},
	{.line = NULL},
};

static const struct w_exit_row exits[] = {
	{"0", "the server was added, or --print has printed"},
	{"1", "it could not be added, there is one of that name already, or it "
	      "was added and does not work"},
	{"2", "wrong usage"},
	{"3", "nothing was changed: what was printed has to be done by hand"},
	{.status = NULL},
};
/* clang-format on */

/* ---- by hand ---- */

static int
mcp_install_print_text(const struct mcp_install_args *args)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_install_entry_add_text(&args->entry, &text);
	w_print_note("this goes into %s:", args->file);
	return w_print(&text);
}

static int
leave_to_person(const struct mcp_install_args *args, const char *why)
{
	if (why != NULL)
		w_print_note("%s", why);
	return mcp_install_print_text(args) == 0 ? BY_HAND : FAILED;
}

/* ---- by the program's own command ---- */

/* Runs the program's command. The options are for the server; the user's own
 * policy decides here. */
static int
add_entry(const struct mcp_install_args *args)
{
	W_AUTO_WORDS struct w_words argv = {.items = NULL};
	writ_request request = WRIT_REQUEST_INIT;
	const struct w_watch_options watch_options = {.request = &request};
	W_AUTO_BUF struct w_buf line;
	writ_error err;

	w_buf_init(&line, TEXT_MAX);
	if (w_install_entry_command(&args->entry, &argv, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	for (size_t i = 0; i < argv.count; i++) {
		w_buf_add_str(&line, i == 0 ? "" : " ");
		w_words_quote(&line, argv.items[i]);
	}
	w_print_note("running %s", line.data);

	request.argv = (const char *const *)argv.items;
	request.sandbox = "none";
	request.env_mode = WRIT_ENV_INHERIT;
	request.output_limit = WRIT_ZERO;
	request.spill_limit = WRIT_ZERO;
	int status = w_watch_run(&watch_options);
	if (status == writ_status_exit(WRIT_E_DENIED))
		return leave_to_person(args, "it did not run; run it yourself, "
					     "or add what follows by hand");
	return status == 0 ? INSTALLED : FAILED;
}

/* ---- both ---- */

static int
refuse_there(const struct mcp_install_args *args)
{
	const struct w_install_entry *entry = &args->entry;
	writ_error err;

	(void)w_fail(&err, WRIT_E_INVALID, "mcp", 0,
	    "%s already has a server '%s', in %s; it stays as it is",
	    entry->host->title, entry->name, args->file);
	if (entry->host->remove != NULL)
		w_suggest(&err, "%s %s first, or --name for another one",
		    entry->host->remove, entry->name);
	else
		w_suggest(&err, "remove it there, or --name for another one");
	return w_print_failure(&err, false, FAILED);
}

static int
add_and_try(const struct mcp_install_args *args)
{
	const struct w_install_entry *entry = &args->entry;
	int status = add_entry(args);

	if (status != INSTALLED)
		return status;
	status = w_conformance_run_briefly(&args->server) ? INSTALLED : FAILED;
	w_print_note("%s's own shell bypasses writ; turn it off with %s "
		     "(docs/mcp.md)",
	    entry->host->title, entry->host->shell);
	return status;
}

static int
install(struct mcp_install_args *args)
{
	struct w_install_entry *entry = &args->entry;
	bool is_there = false;
	writ_error err;

	entry->path = args->path;
	entry->options = args->server.words.items;
	entry->option_count = args->server.words.count;
	if (!w_install_entry_can_be_written(entry)) {
		(void)w_fail(&err, WRIT_E_INVALID, "mcp", 0,
		    "a path or a name is not UTF-8, which %s needs",
		    entry->host->title);
		return w_print_failure(&err, false, FAILED);
	}
	if (w_install_entry_file(entry, args->file, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	if (args->is_printed)
		return mcp_install_print_text(args);
	if (w_install_entry_is_there(entry, args->file, &is_there, &err) !=
	    WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	if (is_there)
		return refuse_there(args);
	if (!w_install_entry_has_command(entry))
		return leave_to_person(args, NULL);
	if (!w_cli_project_has_program(entry->host->program, getenv("PATH"))) {
		w_print_note(
		    "there is no program '%s' in PATH", entry->host->program);
		return leave_to_person(args, NULL);
	}
	return add_and_try(args);
}

static int
mcp_install_prepare(struct mcp_install_args *args)
{
	writ_error err;

	if (args->entry.host == NULL)
		(void)w_usage_fail(&w_cmd_mcp_install, &err,
		    "say for which program: --client claude, codex, gemini, "
		    "cursor or vscode");
	else if (!w_install_own_path(args->path, sizeof(args->path)))
		(void)w_fail(&err, WRIT_E_SYSTEM, "mcp", 0,
		    "cannot find the path of this program");
	else
		return install(args);
	return w_print_failure(&err, false,
	    args->entry.host == NULL ? w_cmd_mcp_install.usage_exit : FAILED);
}

static int
mcp_install_run(int argc, char **argv)
{
	struct mcp_install_args args = {.entry = {.name = "writ"}};
	writ_error err;
	int status = FAILED;

	if (w_cli_mcp_args_init(&args.server, &w_cmd_mcp_install, &err) !=
	    WRIT_OK) {
		(void)w_print_failure(&err, false, FAILED);
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
    .about = "Adds the server to an agent program by that program's own "
	     "command, which is shown and run under the policy like any "
	     "other; where it has none, or it is not installed, prints the "
	     "text and the file that it goes into. Asks nothing and replaces "
	     "nothing. The options of the server are those that the program "
	     "will start it with.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = mcp_install_run,
};
