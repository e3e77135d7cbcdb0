/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_MCP_ARGS_H
#define W_CLI_MCP_ARGS_H

#include <writ/config.h>

#include "base/words.h"
#include "cli/cli_command.h"
#include "mcp/server.h"

/*
 * What the commands of `writ mcp` share: the options of the server. `serve`
 * obeys them; `install` and `check` validate them and pass them on to a server
 * that they register or start.
 */

enum w_mcp_option {
	W_MCP_PLAIN,
	W_MCP_CWD,
	W_MCP_SHAPE,
	W_MCP_EXPOSE,
	W_MCP_TOOLS,
};

/* clang-format off */
#define W_MCP_TO(kind_word, member) \
	W_TO(kind_word, struct w_mcp_args, member), \
	.store = 1

#define W_MCP_SETTING_ROW(option, setting, what, text, choice) \
	{.name = option, .arg = what, W_MCP_TO(SETTING, config), \
	 .key = setting, .help = text, .words = choice}

/* Options for the identity of the server. */
#define W_MCP_WHO_ROWS(heading_text) \
	{.heading = heading_text, \
	 .name = "agent", .arg = "NAME", W_MCP_TO(TEXT, options.agent), \
	 .help = "The agent that asks: the policy decides by it, and the " \
	         "record names it. A client cannot set it.", \
	 .standard = "the policy's default agent"}, \
	W_MCP_SETTING_ROW("policy", "policy", "FILE|PRESET", \
	    "Use this policy instead of the user's and the project's. " \
	    "The machine's policy always applies as well.", "@policy"), \
	{.name = "sandbox", .arg = "PROFILE", W_MCP_TO(TEXT, options.sandbox), \
	 .help = "The sandbox of runs that do not name one.", \
	 .standard = "as the policy says", .words = "@profile"}, \
	{.name = "cwd", .arg = "DIR", .id = W_MCP_CWD, \
	 W_MCP_TO(TEXT, options.cwd), \
	 .help = "Where runs start that do not name a directory, and whose " \
	         "project's policy applies.", \
	 .standard = "the current one", .words = "@dir"}

#define W_MCP_TOOL_ROWS \
	{.heading = "Tools", \
	 .name = "tools", .arg = "WHICH", .id = W_MCP_TOOLS, \
	 .store = 1, \
	 .help = "Which tools there are apart from modules: core, or files: also " \
	         "read, write, edit, list and search.", \
	 .standard = "core", .words = "core|files"}, \
	{.name = "exec-shape", .arg = "SHAPE", .id = W_MCP_SHAPE, \
	 .store = 1, \
	 .help = "What the tool exec looks like: argv, story or oxios.", \
	 .standard = "as the policy says, else argv", \
	 .words = "policy|argv|story|oxios"}, \
	{.name = "expose", .arg = "WHICH", .id = W_MCP_EXPOSE, \
	 .store = 1, \
	 .help = "Which modules are tools of their own: auto (yours, as long " \
	         "as they are few), core (none), pinned, or all.", \
	 .standard = "auto", .words = "auto|core|pinned|all"}, \
	{.name = "pin", .arg = "ID", W_MCP_TO(LIST, pinned), \
	 .help = "A module that is a tool of its own in any case: an id, or a " \
	         "pattern with '*'. May be repeated.", \
	 .words = "@module"}, \
	{.name = "structured", W_MCP_TO(FLAG, options.structured), \
	 .help = "Answer with structuredContent beside the text, and describe " \
	         "it in outputSchema: for programs. Most agents show it to " \
	         "the model instead of the text, at ten times the size."}, \
	W_MCP_SETTING_ROW("modules", "modules", "DIRS", \
	    "Directories of modules.", "@dir")

#define W_MCP_RUN_ROWS \
	{.heading = "Runs", \
	 .name = "max-runs", .arg = "N", \
	 W_MCP_TO(COUNT, options.max_runs), \
	 .max = 4096, .range = "a number from 1 to 4096", \
	 .help = "How many run at the same time; the others wait.", \
	 .standard = "64"}, \
	{.name = "yield", .arg = "DURATION", \
	 W_MCP_TO(DURATION, options.yield_ms), \
	 .max = W_MCP_YIELD_MAX_MS, .range = "1ms to 10m", \
	 .help = "How long a call waits for its run before it answers that it " \
	         "is still running, unless the call says.", \
	 .standard = "20s"}, \
	{.name = "output", .arg = "SIZE", \
	 W_MCP_TO(SIZE, options.output), \
	 .max = W_MCP_OUTPUT_MAX, .range = "1B to 1MiB", \
	 .help = "How much output an answer has at most, unless the call " \
	         "says; the rest can be read later.", \
	 .standard = "24KiB"}, \
	{.name = "publish", .arg = "[HOST_PORT:]PORT", W_MCP_TO(LIST, publish), \
	 .help = "Let the machine reach a port of the client's session, on its " \
	         "own 127.0.0.1. May be repeated, like the next."}, \
	{.name = "connect", .arg = "ADDRESS", W_MCP_TO(LIST, connect), \
	 .help = "Let the client's session reach a service of the machine, at " \
	         "the same place: 127.0.0.1:PORT, or the path of a local socket " \
	         "below /run."}, \
	W_MCP_SETTING_ROW("approval-timeout", "approval_timeout", "DURATION", \
	    "How long a question waits for its answer.", ""), \
	W_MCP_SETTING_ROW("form-time", "form_time", "DURATION", \
	    "A form that comes back sooner than this is not a person's " \
	    "answer.", ""), \
	{.name = "trust-forms", W_MCP_TO(FLAG, options.trust_forms), \
	 .help = "Let the client's forms answer questions about more than the " \
	         "sandbox allows, and remember rules for good. Without it " \
	         "only a terminal or 'writ approvals' does."}

#define W_MCP_PLACE_ROWS \
	{.heading = "Record and places", \
	 .name = "audit-durability", .arg = "MODE", W_MCP_TO(SETTING, config), \
	 .key = "audit_durability", .words = "sync|batch|none", \
	 .help = "When a record is written to the disk.", .standard = "batch"}, \
	W_MCP_SETTING_ROW("audit-failure", "audit_failure", "MODE", \
	    "What to do when no record can be written.", "refuse|run"), \
	W_MCP_SETTING_ROW("audit-key", "audit_key", "FILE", \
	    "Hash records under the key in FILE.", "@file"), \
	W_MCP_SETTING_ROW("config-dir", "config_dir", "DIR", \
	    "The user's configuration.", "@dir"), \
	W_MCP_SETTING_ROW("state-dir", "state_dir", "DIR", \
	    "Where writ keeps its state; see writ config show.", "@dir"), \
	W_MCP_SETTING_ROW("spill-dir", "spill_dir", "DIR", \
	    "Where output beyond the limit is written.", "@dir")
/* clang-format on */

struct w_mcp_args {
	const struct w_cli_command *command;
	writ_config *config;
	struct w_mcp_options options; /* of the server */
	struct w_words pinned;
	struct w_words publish;
	struct w_words connect;
	struct w_words words; /* the same options, as words */
};

writ_status w_cli_mcp_args_init(struct w_mcp_args *args,
    const struct w_cli_command *command, writ_error *err);
void w_cli_mcp_args_done(struct w_mcp_args *args);

/* Stores an option of the rows above, and remembers its words. ctx is a struct
 * w_mcp_args. */
writ_status w_cli_mcp_store(void *ctx, const struct w_option *option,
    const char *value, writ_error *err);

/* The path of this program. false: unknown. */
bool w_install_own_path(char *path, size_t size);

extern const struct w_cli_command w_cmd_mcp_check;
extern const struct w_cli_command w_cmd_mcp_install;
extern const struct w_cli_command w_cmd_mcp_serve;

#endif /* W_CLI_MCP_ARGS_H */
