/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ACCESS_SET_H
#define W_ENGINE_ACCESS_SET_H

#include "base/arena.h"
#include "command/analysis/analysis.h"
#include "engine/hosts/managers.h"
#include "policy/policy_facts.h"
#include "run/resolve/program.h"

/*
 * From a request to what the policy evaluates: each command with its program's
 * file and names, and each path it touches with where that leads.
 *
 * A path is looked up once, before evaluation; the command may find something
 * else there when it runs. The sandbox covers that race.
 */

/* Paths in one request. */
#define W_ACCESS_PATHS_MAX 65536

/* What the engine knows of a request. All borrowed; it must outlive the
 * facts. */
struct w_access_input {
	const struct w_analysis *analysis;
	int cwd_fd;                        /* -1: no such directory */
	const char *cwd;                   /* NULL: no such directory */
	const struct w_session_view *view; /* where the run's /tmp is that of a
					      session; NULL: it is not */
	const char *home;                  /* canonical; NULL: none */
	const char *path_list;             /* PATH of the command; NULL: none */
	const char *shell;               /* name of the shell for shell texts */
	const struct w_program *program; /* of the outermost command; its path
					    is NULL if not found */
	const char *const *
	    roots; /* directories that runs may write; NULL-ended; NULL: none */
	/* What the request itself touches besides its command: the paths
	 * opened for it, and the file it reads as standard input. */
	const char *const *read;
	const char *const *write;
	const char *stdin_path;
	const char *const *hosts;      /* patterns that an untrusted caller asks
					  for; NULL: none */
	struct w_managers **managers;  /* cache; NULL: "@npm" stays as it is */
	const char *const *person_env; /* the environment of the person */
	bool is_trusted; /* the lists come from a trusted caller */
	bool is_decided; /* a process outside has decided about the same call;
			    it saw the owners of the programs */
};

/* Why a host is touched that the request asks for: compared by address. */
extern const char w_access_asked_host[];

/* All zero is empty. */
struct w_access_set {
	struct w_arena arena;
	struct w_policy_command *commands;
	size_t count;
	size_t cap;
	size_t path_count;
	/* The paths of the outermost command; those that a trusted caller
	 * opens are among them. */
	const struct w_policy_path *outermost;
	size_t outermost_count;
};

void w_access_set_done(struct w_access_set *access_set);

/* Fills an empty set. WRIT_E_INVALID: too many paths. */
writ_status w_access_set_fill(struct w_access_set *access_set,
    const struct w_access_input *input, writ_error *err);

/* ---- access_hosts.c ---- */

/* Puts the hosts of package managers in place of "@npm" and its like. */
writ_status w_access_expand_managers(struct w_access_set *access_set,
    const struct w_access_input *input, const struct w_analysis **analysis,
    writ_error *err);

/* ---- access_program.c ---- */

/* Finds the program of one command. found: already known; NULL: search PATH
 * for the first word. */
writ_status w_access_find_program(struct w_access_set *access_set,
    const struct w_access_input *input, const char *word,
    const struct w_program *found, struct w_policy_program *out_program,
    writ_error *err);

#endif /* W_ENGINE_ACCESS_SET_H */
