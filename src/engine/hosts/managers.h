/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MANAGERS_H
#define W_ENGINE_MANAGERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * The hosts of package managers: "@npm" and its like, from the configuration of
 * the person and of the machine. Files are read, no program runs. Files of the
 * project are passed over, whatever leads to them: what runs there can write
 * them. So are files that others could write.
 *
 * Where none of them names the registry, what the installed tool uses by
 * default is read from its own files, if they have it in text. Where nothing
 * names one, a manager has no hosts.
 */
struct w_manager_host {
	const char *host;   /* a pattern: a name, with a port if it is named */
	const char *origin; /* the file, with "~/" for the home directory, or
			       "$NAME" */
};

struct w_manager_hosts {
	const struct w_manager_host *items;
	size_t count;
};

#define W_MANAGER_HOSTS_MAX 256 /* of one manager */

struct w_managers_scope {
	const char *home;         /* NULL: none */
	const char *const *roots; /* of the project: NULL-ended; NULL: none */
	const char *const *env;   /* of the person: NAME=value; NULL: none */
};

/* Cache of what was read. NULL: not made yet. */
struct w_managers;
void w_managers_free(struct w_managers *managers);

/* Forgets which hosts the environment named, and where the home was; call it
 * when one of them may differ. */
void w_managers_forget(struct w_managers *managers);

/*
 * The hosts of a manager, "@npm". *managers is made with the first call, and
 * keeps what was read for as long as the files are the same. *out is valid
 * until the next call. A name that is none has no hosts.
 */
writ_status w_managers_find(struct w_managers **managers,
    const struct w_managers_scope *scope, const char *name,
    struct w_manager_hosts *out, writ_error *err);

#endif /* W_ENGINE_MANAGERS_H */
