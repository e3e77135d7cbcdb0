/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent programs: one row each, and where their files are.
 */

#include "cli/mcp/install_hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* clang-format off */
const struct w_install_host w_install_hosts[] = {
	{.name = "claude", .title = "Claude Code", .program = "claude",
	 .adds_to_project = true, .can_remove = true,
	 .dir_variable = "CLAUDE_CONFIG_DIR", .dir = "",
	 .place = {.user = ".claude.json", .project = ".mcp.json"},
	 .key = "mcpServers", .form = W_INSTALL_STDIO,
	 .shell = "\"permissions\": {\"deny\": [\"Bash\"]} in "
	          ".claude/settings.json",
	 .shell_value = {{"permissions", "deny"}, "\"Bash\"", true},
	 .shell_place = {.user = "settings.json",
	                 .project = ".claude/settings.json"},
	 .shell_dir = ".claude"},
	{.name = "codex", .title = "Codex", .program = "codex",
	 .can_remove = true, .dir_variable = "CODEX_HOME", .dir = ".codex",
	 .place = {.user = "config.toml", .project = ".codex/config.toml"},
	 .format = W_SETTINGS_TOML, .key = "mcp_servers",
	 .shell = "shell_tool = false below [features] in config.toml",
	 .shell_value = {{"features", "shell_tool"}, "false", false},
	 .shell_place = {.user = "config.toml",
	                 .project = ".codex/config.toml"}},
	{.name = "gemini", .title = "Gemini CLI", .program = "gemini",
	 .adds_to_project = true, .can_remove = true, .dir = ".gemini",
	 .place = {.user = "settings.json",
	           .project = ".gemini/settings.json"},
	 .key = "mcpServers",
	 .shell = "\"tools\": {\"exclude\": [\"run_shell_command\"]} in "
	          ".gemini/settings.json",
	 .shell_value = {{"tools", "exclude"}, "\"run_shell_command\"", true},
	 .shell_place = {.user = "settings.json",
	                 .project = ".gemini/settings.json"}},
	{.name = "cursor", .title = "Cursor", .dir = ".cursor",
	 .place = {.user = "mcp.json", .project = ".cursor/mcp.json"},
	 .key = "mcpServers",
	 .shell = "a hook; see docs/hooks.md"},
	{.name = "vscode", .title = "Visual Studio Code", .program = "code",
	 .dir_variable = "XDG_CONFIG_HOME", .dir = ".config",
	 .place = {.user = "Code/User/mcp.json",
	           .project = ".vscode/mcp.json"},
	 .key = "servers", .form = W_INSTALL_STDIO,
	 .shell = "an agent (.github/agents) without the tool set "
	          "'execute'"},
	{.name = "opencode", .title = "opencode",
	 .dir_variable = "XDG_CONFIG_HOME", .dir = ".config",
	 .place = {.user = "opencode/opencode.json",
	           .project = "opencode.json",
	           .other_user = "opencode/opencode.jsonc",
	           .other_project = "opencode.jsonc"},
	 .key = "mcp", .form = W_INSTALL_OPENCODE,
	 .shell = "\"permission\": {\"bash\": \"deny\"} in opencode.json",
	 .shell_value = {{"permission", "bash"}, "\"deny\"", false},
	 .shell_place = {.user = "opencode/opencode.json",
	                 .project = "opencode.json",
	                 .other_user = "opencode/opencode.jsonc",
	                 .other_project = "opencode.jsonc"}},
	{.name = "copilot", .title = "GitHub Copilot CLI",
	 .dir_variable = "COPILOT_HOME", .dir = ".copilot",
	 .place = {.user = "mcp-config.json", .project = ".github/mcp.json"},
	 .key = "mcpServers", .form = W_INSTALL_COPILOT,
	 .shell = "the option --deny-tool=shell each time it is started"},
	{.name = "qwen", .title = "Qwen Code", .dir = ".qwen",
	 .place = {.user = "settings.json", .project = ".qwen/settings.json"},
	 .key = "mcpServers", .form = W_INSTALL_QWEN,
	 .shell = "\"permissions\": {\"deny\": [\"run_shell_command\"]} in "
	          ".qwen/settings.json",
	 .shell_value = {{"permissions", "deny"},
	                 "\"run_shell_command\"", true},
	 .shell_place = {.user = "settings.json",
	                 .project = ".qwen/settings.json"}},
	{.name = "claude-desktop", .title = "Claude Desktop",
	 .dir_variable = "XDG_CONFIG_HOME", .dir = ".config",
	 .place = {.user = "Claude/claude_desktop_config.json"},
	 .key = "mcpServers"},
	{.name = "zed", .title = "Zed",
	 .dir_variable = "XDG_CONFIG_HOME", .dir = ".config",
	 .place = {.user = "zed/settings.json",
	           .project = ".zed/settings.json"},
	 .key = "context_servers",
	 .shell = "agent.tool_permissions.tools.terminal.default = \"deny\" "
	          "in settings.json",
	 .shell_value = {{"agent", "tool_permissions", "tools", "terminal",
	                  "default"}, "\"deny\"", false},
	 .shell_place = {.user = "zed/settings.json"}},
	{.name = "windsurf", .title = "Windsurf", .dir = ".codeium/windsurf",
	 .place = {.user = "mcp_config.json"}, .key = "mcpServers",
	 .shell = "Auto Execution off, so that it asks for each command"},
	{.name = "goose", .title = "goose",
	 .dir_variable = "XDG_CONFIG_HOME", .dir = ".config",
	 .place = {.user = "goose/config.yaml"},
	 .format = W_SETTINGS_YAML, .key = "extensions",
	 .form = W_INSTALL_GOOSE,
	 .shell = "enabled: false for the extension 'developer' in config.yaml",
	 .shell_value = {{"extensions", "developer", "enabled"}, "false",
	                 false},
	 .shell_whole = "{\"enabled\":false,\"type\":\"builtin\","
	                "\"name\":\"developer\",\"description\":\"\"}",
	 .shell_place = {.user = "goose/config.yaml"}},
	{.name = NULL},
};
/* clang-format on */

const struct w_install_host *
w_install_host_named(const char *name)
{
	for (const struct w_install_host *it = w_install_hosts;
	     it->name != NULL; it++) {
		if (strcmp(it->name, name) == 0)
			return it;
	}
	return NULL;
}

/* ---- the files ---- */

static void
install_hosts_set(
    struct w_install_target *out, const char *base, const char *below)
{
	(void)snprintf(out->base, sizeof(out->base), "%s", base);
	(void)snprintf(out->below, sizeof(out->below), "%s", below);
}

/* The directory that the variable names, or HOME. In HOME the file is below
 * the program's directory. */
static writ_status
install_hosts_find_user(const struct w_install_host *host, const char *dir,
    const char *file, struct w_install_target *out, writ_error *err)
{
	const char *home = getenv("HOME");
	const char *named =
	    host->dir_variable == NULL ? NULL : getenv(host->dir_variable);
	const bool is_named = named != NULL && named[0] != '\0';

	if (is_named) {
		install_hosts_set(out, named, file);
	} else if (home == NULL || home[0] == '\0') {
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "HOME is not set: where %s keeps its settings is not known",
		    host->title);
	} else {
		install_hosts_set(out, home, file);
		(void)snprintf(out->below, sizeof(out->below), "%s%s%s", dir,
		    dir[0] == '\0' ? "" : "/", file);
	}
	if (strlen(is_named ? named : home) >= sizeof(out->base))
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "the path of the settings of %s is too long", host->title);
	return WRIT_OK;
}

static bool
install_hosts_exists(const struct w_install_target *target)
{
	char path[PATH_MAX * 2];

	(void)snprintf(
	    path, sizeof(path), "%s/%s", target->base, target->below);
	return access(path, F_OK) == 0;
}

static writ_status
install_hosts_find(const struct w_install_entry *entry,
    const struct w_install_place *place, const char *dir,
    struct w_install_target *out, writ_error *err)
{
	const bool is_project = entry->is_project;
	const char *file = is_project ? place->project : place->user;
	const char *other =
	    is_project ? place->other_project : place->other_user;
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && other != NULL; other = NULL) {
		install_hosts_set(out, ".", other);
		if (!is_project)
			status = install_hosts_find_user(
			    entry->host, dir, other, out, err);
		if (status == WRIT_OK && install_hosts_exists(out))
			return WRIT_OK;
	}
	install_hosts_set(out, ".", file);
	if (status == WRIT_OK && !is_project)
		status =
		    install_hosts_find_user(entry->host, dir, file, out, err);
	return status;
}

writ_status
w_install_entry_target(const struct w_install_entry *entry,
    struct w_install_target *out, writ_error *err)
{
	const struct w_install_host *host = entry->host;

	if (entry->is_project && host->place.project == NULL)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "%s has no servers of a project; leave --scope out",
		    host->title);
	return install_hosts_find(entry, &host->place, host->dir, out, err);
}

writ_status
w_install_shell_target(const struct w_install_entry *entry,
    struct w_install_target *out, writ_error *err)
{
	const struct w_install_host *host = entry->host;
	const struct w_install_place *place = &host->shell_place;

	if ((entry->is_project ? place->project : place->user) != NULL)
		return install_hosts_find(entry, place,
		    host->shell_dir != NULL ? host->shell_dir : host->dir, out,
		    err);
	if (host->shell == NULL)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "%s has no shell of its own to replace", host->title);
	(void)w_fail(err, WRIT_E_INVALID, "mcp", 0,
	    "%s has no setting%s that takes its shell away", host->title,
	    entry->is_project && place->user != NULL ? " of a project" : "");
	w_suggest(err, "leave --replace-shell out, and use %s", host->shell);
	return WRIT_E_INVALID;
}

writ_status
w_install_entry_file(
    const struct w_install_entry *entry, char path[PATH_MAX], writ_error *err)
{
	struct w_install_target target;
	writ_status status = w_install_entry_target(entry, &target, err);

	if (status != WRIT_OK)
		return status;
	if (entry->is_project)
		(void)snprintf(path, PATH_MAX, "%s", target.below);
	else if (snprintf(path, PATH_MAX, "%s/%s", target.base, target.below) >=
		 PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "the path of the settings of %s is too long",
		    entry->host->title);
	return WRIT_OK;
}
