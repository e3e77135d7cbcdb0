/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INSTALL_HOSTS_H
#define W_CLI_INSTALL_HOSTS_H

#include <limits.h>
#include <stdbool.h>

#include <writ/error.h>

#include "base/buf.h"
#include "base/words.h"

/*
 * The agent programs that `writ mcp install` knows: where each keeps its list
 * of servers, the format of an entry, and the command that adds one.
 */
struct w_install_host {
	const char *name;         /* "claude" */
	const char *title;        /* "Claude Code" */
	const char *program;      /* adds servers; NULL: none does */
	bool adds_to_project;     /* its command can add to a project */
	const char *dir_variable; /* names the user's directory; NULL: none */
	const char *dir;          /* the default, relative to HOME */
	const char *user_file;    /* in that directory */
	const char *project_file; /* in the project */
	const char *key;          /* member with the servers; NULL: TOML */
	bool has_type;            /* an entry needs "type": "stdio" */
	const char *remove;       /* "claude mcp remove"; NULL: by hand */
	const char *shell;        /* how to disable its own shell tool */
};

/* All hosts; a NULL name ends the list. */
extern const struct w_install_host w_install_hosts[];

/* The server to add. */
struct w_install_entry {
	const struct w_install_host *host;
	const char *name; /* of the server */
	bool is_project;  /* for this project only */
	const char *path; /* of writ */
	char *const *options;
	size_t option_count; /* of `writ mcp` */
};

/* NULL: no host has that name. */
const struct w_install_host *w_install_host_named(const char *name);

/* Whether the host's own program can add the entry. */
bool w_install_entry_has_command(const struct w_install_entry *entry);

/* The command that adds it. */
writ_status w_install_entry_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err);

/* The file of the entry; for a project, a relative path. */
writ_status w_install_entry_file(
    const struct w_install_entry *entry, char path[PATH_MAX], writ_error *err);

/* Appends the text that the file needs. */
void w_install_entry_add_text(
    const struct w_install_entry *entry, struct w_buf *buf);

/* Whether the path and the options are UTF-8, which these files require. */
bool w_install_entry_can_be_written(const struct w_install_entry *entry);

/* Whether the text of such a file has a server with that name. */
writ_status w_install_entry_is_in(const struct w_install_entry *entry,
    struct w_buf *text, bool *out_is_there, writ_error *err);

/* Likewise for a file. Fails if it cannot be read or parsed. */
writ_status w_install_entry_is_there(const struct w_install_entry *entry,
    const char *path, bool *out_is_there, writ_error *err);

#endif /* W_CLI_INSTALL_HOSTS_H */
