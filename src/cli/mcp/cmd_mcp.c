/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ mcp`: the MCP server on standard input and output. Its subcommands have
 * their own files. Standard output carries only the protocol.
 */

#include <unistd.h>

#include "cli/attach/attach_runs.h"
#include "cli/mcp/mcp_args.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/policy/policy_explain.h"
#include "cli/session/session_rows.h"

/* clang-format off */
static const struct w_option options[] = {
	W_MCP_WHO_ROWS("Who"),
	W_MCP_TOOL_ROWS,
	W_MCP_RUN_ROWS,
	W_MCP_PLACE_ROWS,
	{.name = "stdio",
	 .help = "Serve on standard input and output, which is the default."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example group_examples[] = {
	{"writ mcp install --client claude",
	 "add it to an agent program"},
	{"writ mcp check", "talk to it, and see what works"},
	{"writ mcp --agent reviewer --policy reviewer.yaml",
	 "serve one agent by a policy of its own"},
	{"echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' | writ mcp",
	 "one message by hand"},
	{.line = ""},
};

static const struct w_example examples[] = {
	{"writ mcp", "serve the program that started it"},
	{"writ mcp --agent reviewer --expose pinned --pin 'cli.git.*'",
	 "for one agent, with some modules as tools"},
	{"writ mcp --tools files", "also read, write, edit, list and search"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "the client has disconnected: the end of standard input"},
	{"1", "it could not serve"},
	{"2", "wrong usage"},
	{"129, 130, 143", "a signal ended it: SIGHUP, SIGINT, SIGTERM"},
	{.status = ""},
};

static const struct w_exit_row group_exits[] = {
	{"0", "success; serving: the client has disconnected"},
	{"1", "it could not serve; install: not installed; check: something "
	      "does not work"},
	{"2", "wrong usage"},
	{"129, 130, 143", "serving: a signal ended it"},
	{.status = ""},
};
/* clang-format on */

static int
mcp_serve(struct w_mcp_args *args)
{
	writ_error err = {.status = WRIT_OK};

	/* A person who starts the server by hand would wait for a prompt. */
	if (isatty(STDIN_FILENO) == 1) {
		w_print_note("this is an MCP server: it reads JSON-RPC, one "
			     "message on a line, and is meant to be started "
			     "by an agent program");
		w_print_note("'writ mcp install --client claude' sets that "
			     "up, 'writ mcp check' tries it; Ctrl-D ends this");
	}
	args->options.on_notice = w_cli_policy_note;
	if ((args->options.publish != NULL || args->options.connect != NULL) &&
	    w_cli_session_check_caller(&err) != WRIT_OK)
		return w_print_failure(&err, false, 1);
	struct w_attach_runs *terminals = w_attach_runs_new(args->config);
	args->options.terminals = w_attach_runs_terminals(terminals);
	int status = w_mcp_serve_stdio(&args->options, &err);
	w_attach_runs_free(terminals);
	if (err.status != WRIT_OK)
		w_print_error(&err, NULL);
	return status;
}

static int
mcp_run(int argc, char **argv)
{
	struct w_mcp_args args;
	writ_error err;

	if (w_cli_mcp_args_init(&args, &w_cmd_mcp_serve, &err) != WRIT_OK) {
		w_cli_mcp_args_done(&args);
		return w_print_failure(&err, false, 1);
	}
	int status = w_cli_command_begin(&w_cmd_mcp_serve, argc, argv, &args);
	if (status < 0)
		status = mcp_serve(&args);
	w_cli_mcp_args_done(&args);
	return status;
}

#define ABOUT                                                          \
	"Offers writ to an agent over the Model Context Protocol, on " \
	"standard input and output: the agent's commands are judged "  \
	"by the policy, run in a sandbox and within limits, are "      \
	"recorded, and leave nothing running, even if the agent "      \
	"disconnects. "

const struct w_cli_command w_cmd_mcp_serve = {
    .name = "mcp serve",
    .summary = "Serve on standard input and output; the same without the word",
    .usage = "mcp serve [OPTION]...",
    .about = ABOUT "docs/mcp.md has the tools and what they answer.",
    .options = options,
    .stores = {w_cli_mcp_store},
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = mcp_run,
};

static const struct w_cli_command *const subs[] = {
    &w_cmd_mcp_serve,
    &w_cmd_mcp_install,
    &w_cmd_mcp_check,
    NULL,
};

const struct w_cli_command w_cmd_mcp = {
    .name = "mcp",
    .summary = "Serve an agent over the Model Context Protocol",
    .usage = "mcp [OPTION]...\n"
	     "  writ mcp COMMAND [OPTION]...",
    .about = ABOUT "Without a COMMAND it serves.",
    .options = options,
    .stores = {w_cli_mcp_store},
    .examples = group_examples,
    .exits = group_exits,
    .usage_exit = 2,
    .run = mcp_run,
    .subs = subs,
};
