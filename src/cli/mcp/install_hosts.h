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
 * of servers, how an entry looks there, and which command of its own adds one.
 */
struct w_install_host {
	const char *name;         /* "claude" */
	const char *title;        /* "Claude Code" */
	const char *program;      /* that adds a server; NULL: none does */
	bool adds_to_project;     /* it can do so for one project, too */
	const char *dir_variable; /* names the directory of the user's file;
				     NULL: none does */
	const char *dir;          /* else: this one, beneath HOME */
	const char *user_file;    /* beneath that directory */
	const char *project_file; /* beneath that of the project */
	const char *key;          /* the member that has the servers; NULL: the
				     file is TOML */
	bool has_type;            /* an entry says "type": "stdio" */
	const char *remove;       /* "claude mcp remove"; NULL: by hand */
	const char *shell;        /* how its own shell is taken away */
};

/* All of them; ends with a name of NULL. */
extern const struct w_install_host w_install_hosts[];

/* What is to be added. */
struct w_install_entry {
	const struct w_install_host *host;
	const char *name; /* of the server */
	bool is_project;  /* for this project, not for the user */
	const char *path; /* of writ */
	char *const *options;
	size_t option_count; /* of `writ mcp` */
};

/* NULL: there is none of that name. */
const struct w_install_host *w_install_host_named(const char *name);

/* Whether an entry can be added by the program of the host. */
bool w_install_entry_has_command(const struct w_install_entry *entry);

/* That command. */
writ_status w_install_entry_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err);

/* The file that it goes into; a path of the project is relative. */
writ_status w_install_entry_file(
    const struct w_install_entry *entry, char path[PATH_MAX], writ_error *err);

/* Appends what that file has to have. */
void w_install_entry_add_text(
    const struct w_install_entry *entry, struct w_buf *buf);

/* Whether its path and its options are UTF-8: no such file can have others. */
bool w_install_entry_can_be_written(const struct w_install_entry *entry);

/* Whether the text of such a file has a server of that name already. */
writ_status w_install_entry_is_in(const struct w_install_entry *entry,
    struct w_buf *text, bool *out_is_there, writ_error *err);

/* Whether the file has a server of that name already. Fails when it cannot be
 * read or understood. */
writ_status w_install_entry_is_there(const struct w_install_entry *entry,
    const char *path, bool *out_is_there, writ_error *err);

#endif /* W_CLI_INSTALL_HOSTS_H */
