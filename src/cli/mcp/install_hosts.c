/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent programs: one row each, and the few formats of their files and
 * commands.
 */

#include "cli/mcp/install_hosts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "base/encode.h"
#include "base/error.h"
#include "cli/options/text_file.h"
#include "data/json.h"

#define FILE_MAX    ((size_t)64 << 20)
#define HEADING_MAX 256

/* clang-format off */
const struct w_install_host w_install_hosts[] = {
	{.name = "claude", .title = "Claude Code", .program = "claude",
	 .adds_to_project = true, .dir_variable = "CLAUDE_CONFIG_DIR",
	 .dir = "", .user_file = ".claude.json", .project_file = ".mcp.json",
	 .key = "mcpServers", .has_type = true,
	 .remove = "claude mcp remove",
	 .shell = "\"permissions\": {\"deny\": [\"Bash\"]} in "
	          ".claude/settings.json"},
	{.name = "codex", .title = "Codex", .program = "codex",
	 .dir_variable = "CODEX_HOME", .dir = ".codex",
	 .user_file = "config.toml", .project_file = ".codex/config.toml",
	 .remove = "codex mcp remove",
	 .shell = "shell_tool = false below [features] in config.toml"},
	{.name = "gemini", .title = "Gemini CLI", .program = "gemini",
	 .adds_to_project = true, .dir = ".gemini",
	 .user_file = "settings.json", .project_file = ".gemini/settings.json",
	 .key = "mcpServers", .remove = "gemini mcp remove",
	 .shell = "a rule that denies run_shell_command in "
	          "~/.gemini/policies/"},
	{.name = "cursor", .title = "Cursor", .dir = ".cursor",
	 .user_file = "mcp.json", .project_file = ".cursor/mcp.json",
	 .key = "mcpServers",
	 .shell = "a hook; see docs/hooks.md"},
	{.name = "vscode", .title = "Visual Studio Code", .program = "code",
	 .dir_variable = "XDG_CONFIG_HOME", .dir = ".config",
	 .user_file = "Code/User/mcp.json", .project_file = ".vscode/mcp.json",
	 .key = "servers", .has_type = true,
	 .shell = "an agent (.github/agents) without the tool set "
	          "'execute'"},
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

/* ---- the file ---- */

writ_status
w_install_entry_file(
    const struct w_install_entry *entry, char path[PATH_MAX], writ_error *err)
{
	const struct w_install_host *host = entry->host;
	const char *home = getenv("HOME");
	const char *dir =
	    host->dir_variable == NULL ? NULL : getenv(host->dir_variable);
	int len;

	if (entry->is_project)
		len = snprintf(path, PATH_MAX, "%s", host->project_file);
	else if (dir != NULL && dir[0] != '\0')
		len = snprintf(path, PATH_MAX, "%s/%s", dir, host->user_file);
	else if (home == NULL || home[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "HOME is not set: where %s keeps its settings is not known",
		    host->title);
	else
		len = snprintf(path, PATH_MAX, "%s/%s%s%s", home, host->dir,
		    host->dir[0] == '\0' ? "" : "/", host->user_file);
	if (len < 0 || len >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "the path of the settings of %s is too long", host->title);
	return WRIT_OK;
}

/* These files may have comments, whatever their names. */
static writ_status
json_has_server(const struct w_install_entry *entry, struct w_buf *text,
    bool *out_is_there, writ_error *err)
{
	yyjson_read_err why;
	yyjson_doc *doc = yyjson_read_opts(text->data, text->len,
	    YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS,
	    NULL, &why);

	if (doc == NULL)
		return w_fail(
		    err, WRIT_E_PARSE, "mcp", 0, "no JSON: %s", why.msg);
	*out_is_there = yyjson_obj_get(yyjson_obj_get(yyjson_doc_get_root(doc),
					   entry->host->key),
			    entry->name) != NULL;
	yyjson_doc_free(doc);
	return WRIT_OK;
}

/* Looks for the table's header, with and without quotes. */
static bool
toml_has_server(const struct w_install_entry *entry, const char *text)
{
	char plain[HEADING_MAX];
	char quoted[HEADING_MAX];

	(void)snprintf(plain, sizeof(plain), "[mcp_servers.%s]", entry->name);
	(void)snprintf(
	    quoted, sizeof(quoted), "[mcp_servers.\"%s\"]", entry->name);
	for (; *text != '\0'; text += strcspn(text, "\n"), text += *text != 0) {
		const char *word = text + strspn(text, " \t");

		if (strncmp(word, plain, strlen(plain)) == 0 ||
		    strncmp(word, quoted, strlen(quoted)) == 0)
			return true;
	}
	return false;
}

writ_status
w_install_entry_is_in(const struct w_install_entry *entry, struct w_buf *text,
    bool *out_is_there, writ_error *err)
{
	*out_is_there = false;
	if (strspn(text->data, " \t\r\n") == text->len)
		return WRIT_OK;
	if (entry->host->key != NULL)
		return json_has_server(entry, text, out_is_there, err);
	*out_is_there = toml_has_server(entry, text->data);
	return WRIT_OK;
}

writ_status
w_install_entry_is_there(const struct w_install_entry *entry, const char *path,
    bool *out_is_there, writ_error *err)
{
	const struct w_text_file_kind kind = {
	    .what = "settings", .advice = "is this the right file?"};
	writ_error why;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, FILE_MAX);
	*out_is_there = false;
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return WRIT_OK;
	writ_status status = w_text_file_read(&kind, path, &text, err);
	if (status != WRIT_OK)
		return status;
	status = w_install_entry_is_in(entry, &text, out_is_there, &why);
	if (status == WRIT_OK)
		return WRIT_OK;
	return w_fail(err, status, "mcp", 0, "'%.200s': %s", path, why.message);
}

/* ---- the entry ---- */

/* Paths and names as JSON strings, which are also valid in TOML. */
static void
add_args(const struct w_install_entry *entry, struct w_buf *buf)
{
	w_buf_add_str(buf, "[\"mcp\"");
	for (size_t i = 0; i < entry->option_count; i++) {
		w_buf_add_str(buf, ", ");
		w_json_add_text(buf, entry->options[i]);
	}
	w_buf_add_char(buf, ']');
}

void
w_install_entry_add_text(const struct w_install_entry *entry, struct w_buf *buf)
{
	const struct w_install_host *host = entry->host;

	if (host->key == NULL) {
		w_buf_add_fmt(buf, "[mcp_servers.%s]\ncommand = ", entry->name);
		w_json_add_text(buf, entry->path);
		w_buf_add_str(buf, "\nargs = ");
		add_args(entry, buf);
		w_buf_add_char(buf, '\n');
		return;
	}
	w_buf_add_fmt(
	    buf, "{\n  \"%s\": {\n    \"%s\": {\n", host->key, entry->name);
	if (host->has_type)
		w_buf_add_str(buf, "      \"type\": \"stdio\",\n");
	w_buf_add_str(buf, "      \"command\": ");
	w_json_add_text(buf, entry->path);
	w_buf_add_str(buf, ",\n      \"args\": ");
	add_args(entry, buf);
	w_buf_add_str(buf, "\n    }\n  }\n}\n");
}

bool
w_install_entry_can_be_written(const struct w_install_entry *entry)
{
	bool is_good = w_utf8_valid(entry->path, strlen(entry->path));

	for (size_t i = 0; i < entry->option_count; i++)
		is_good = is_good && w_utf8_valid(entry->options[i],
					 strlen(entry->options[i]));
	return is_good;
}

/* ---- the command ---- */

bool
w_install_entry_has_command(const struct w_install_entry *entry)
{
	return entry->host->program != NULL &&
	       (!entry->is_project || entry->host->adds_to_project);
}

/* `code --add-mcp` takes an object. */
static int
install_hosts_add_object(
    const struct w_install_entry *entry, struct w_words *argv)
{
	W_AUTO_BUF struct w_buf object;

	w_buf_init(&object, FILE_MAX);
	w_buf_add_fmt(&object, "{\"name\":\"%s\",\"command\":", entry->name);
	w_json_add_text(&object, entry->path);
	w_buf_add_str(&object, ",\"args\":");
	add_args(entry, &object);
	w_buf_add_char(&object, '}');
	return !object.failed &&
	       w_words_add(argv, "--add-mcp", strlen("--add-mcp")) &&
	       w_words_add(argv, object.data, object.len);
}

static int
install_hosts_add_word(struct w_words *argv, const char *word)
{
	return w_words_add(argv, word, strlen(word));
}

/* "mcp add [--scope user] NAME [--] WRIT mcp [--] OPTION...": everything after
 * a "--" belongs to the server; for Gemini CLI that is only the options. */
static int
install_hosts_add_words(
    const struct w_install_entry *entry, struct w_words *argv)
{
	const bool is_late = strcmp(entry->host->name, "gemini") == 0;
	int is_good = install_hosts_add_word(argv, "mcp") &&
		      install_hosts_add_word(argv, "add");

	if (entry->host->adds_to_project)
		is_good = is_good && install_hosts_add_word(argv, "--scope") &&
			  install_hosts_add_word(
			      argv, entry->is_project ? "project" : "user");
	is_good = is_good && install_hosts_add_word(argv, entry->name) &&
		  (is_late || install_hosts_add_word(argv, "--")) &&
		  install_hosts_add_word(argv, entry->path) &&
		  install_hosts_add_word(argv, "mcp");
	if (is_late && entry->option_count > 0)
		is_good = is_good && install_hosts_add_word(argv, "--");
	for (size_t i = 0; i < entry->option_count; i++)
		is_good =
		    is_good && install_hosts_add_word(argv, entry->options[i]);
	return is_good;
}

writ_status
w_install_entry_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err)
{
	const bool is_object = strcmp(entry->host->name, "vscode") == 0;

	if (install_hosts_add_word(out_argv, entry->host->program) &&
	    (is_object ? install_hosts_add_object(entry, out_argv)
		       : install_hosts_add_words(entry, out_argv)))
		return WRIT_OK;
	return w_fail_nomem(err, "mcp");
}
