/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INSTALL_HOSTS_H
#define W_CLI_INSTALL_HOSTS_H

#include <limits.h>
#include <stdbool.h>

#include <writ/error.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/mcp/settings_edit.h"

/* The members of an entry, which differ among the programs. */
enum w_install_form {
	W_INSTALL_PLAIN,    /* command, args */
	W_INSTALL_STDIO,    /* and "type": "stdio" */
	W_INSTALL_COPILOT,  /* "type": "local", and which tools */
	W_INSTALL_OPENCODE, /* one list with command and args */
	W_INSTALL_QWEN,     /* and that the model sees its tools at once */
	W_INSTALL_GOOSE,    /* cmd, args, a name and a timeout */
};

/* A file of a program's settings. */
struct w_install_place {
	const char *user;    /* in the user's directory; NULL: none */
	const char *project; /* in the project; NULL: none */
	/* These apply instead where such a file exists; NULL: none. */
	const char *other_user;
	const char *other_project;
};

/*
 * The agent programs that `writ mcp install` knows: where each keeps its list
 * of servers, the format of an entry, and the command that adds one.
 */
struct w_install_host {
	const char *name;         /* "claude" */
	const char *title;        /* "Claude Code" */
	const char *program;      /* adds servers; NULL: none does */
	bool adds_to_project;     /* its command can add to a project */
	bool can_remove;          /* it has a command `mcp remove` */
	const char *dir_variable; /* names the user's directory; NULL: none */
	const char *dir;          /* the default, relative to HOME */
	struct w_install_place place;
	enum w_client_settings_format format;
	const char *key; /* of the entries */
	enum w_install_form form;

	const char *shell; /* how to disable its own shell tool, in words */
	/* The setting that does; no path: there is none. */
	struct w_client_settings_value shell_value;
	const char *shell_whole; /* JSON of what has to be above it, or NULL */
	struct w_install_place shell_place;
	const char *shell_dir; /* instead of dir; NULL: the same */
};

/* All hosts; a NULL name ends the list. */
extern const struct w_install_host w_install_hosts[];

/* Their names as a sentence has them: "claude, codex, ... or goose". */
#define W_INSTALL_NAMES                                     \
	"claude, codex, gemini, cursor, vscode, opencode, " \
	"copilot, qwen, claude-desktop, zed, windsurf or goose"

/* The server to add. */
struct w_install_entry {
	const struct w_install_host *host;
	const char *name; /* of the server */
	bool is_project;  /* for this project only */
	const char *path; /* of writ */
	char *const *options;
	size_t option_count; /* of `writ mcp` */
};

#define W_INSTALL_BELOW_MAX 512

/* A file to change: below a directory, out of which no link leads. */
struct w_install_target {
	char base[PATH_MAX];
	char below[W_INSTALL_BELOW_MAX];
};

/* NULL: no host has that name. */
const struct w_install_host *w_install_host_named(const char *name);

/* Whether the host's own program can add the entry. */
bool w_install_entry_has_command(const struct w_install_entry *entry);

/* The command that adds it. */
writ_status w_install_entry_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err);

/* The command that removes it. */
writ_status w_install_entry_remove_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err);

/* The file of the entry, and that of the setting for the shell. */
writ_status w_install_entry_target(const struct w_install_entry *entry,
    struct w_install_target *out, writ_error *err);
writ_status w_install_shell_target(const struct w_install_entry *entry,
    struct w_install_target *out, writ_error *err);

/* The path of the first; for a project, a relative one. */
writ_status w_install_entry_file(
    const struct w_install_entry *entry, char path[PATH_MAX], writ_error *err);

/* The value of the entry. Its JSON is in the buffer, which must outlive it. */
struct w_client_settings_value w_install_entry_value(
    const struct w_install_entry *entry, struct w_buf *json);

/* Appends the text that the file needs. */
void w_install_entry_add_text(
    const struct w_install_entry *entry, struct w_buf *buf);

/* Whether the path and the options are UTF-8, which these files require. */
bool w_install_entry_can_be_written(const struct w_install_entry *entry);

/* Fails as why says, and names the file and the place in it. */
void w_install_fail_place(
    writ_error *err, const char *path, const writ_error *why);

/* Whether the text of such a file has a server with that name. */
writ_status w_install_entry_is_in(const struct w_install_entry *entry,
    struct w_buf *text, bool *out_is_there, writ_error *err);

/* Likewise for a file. Fails if it cannot be read or parsed. */
writ_status w_install_entry_is_there(const struct w_install_entry *entry,
    const char *path, bool *out_is_there, writ_error *err);

#endif /* W_CLI_INSTALL_HOSTS_H */
