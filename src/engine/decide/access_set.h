/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ACCESS_SET_H
#define W_ENGINE_ACCESS_SET_H

#include "base/arena.h"
#include "command/analysis/analysis.h"
#include "policy/policy_facts.h"
#include "run/resolve/program.h"

/*
 * From a request to what is judged: every command of it with its program's
 * file and names, and every path that it touches with where that leads.
 *
 * A path is looked up here once, before judging; what the command meets when
 * it runs may be another thing. The walls are what holds then.
 */

/* So many paths in one request. */
#define W_ACCESS_PATHS_MAX 65536

/* What the engine knows of a request. All borrowed; it must outlive the case.
 */
struct w_access_input {
	const struct w_analysis *analysis;
	int cwd_fd;                      /* -1: there is no such directory */
	const char *cwd;                 /* NULL likewise */
	const char *home;                /* canonical; NULL: there is none */
	const char *path_list;           /* PATH of the command; NULL: none */
	const char *shell;               /* name of the shell, for its texts */
	const struct w_program *program; /* of the outermost; its path is NULL
					    when there is none */
	const char *const *roots; /* in which runs may write; NULL-ended; NULL:
				     none */
	/* What the request itself touches besides its command: the lists of
	 * paths that are opened for it, and the file that it reads. */
	const char *const *read;
	const char *const *write;
	const char *stdin_path;
	bool is_trusted; /* the lists are a trusted caller's word */
};

/* All zero is an empty one. */
struct w_access_set {
	struct w_arena arena;
	struct w_policy_command *commands;
	size_t count;
	size_t cap;
	size_t path_count;
	/* The paths of the outermost command: those that a trusted caller
	 * opens are among them. */
	const struct w_policy_path *outermost;
	size_t outermost_count;
};

void w_access_set_done(struct w_access_set *access_set);

/* Fills commands. The box was empty. WRIT_E_INVALID: there are too many paths
 * in it. */
writ_status w_access_set_fill(struct w_access_set *access_set,
    const struct w_access_input *input, writ_error *err);

/* ---- access_program.c ---- */

/* Where the program of one command is. found: it is known already; NULL: look
 * for the first word in PATH. */
writ_status w_access_find_program(struct w_access_set *access_set,
    const struct w_access_input *input, const char *word,
    const struct w_program *found, struct w_policy_program *out_program,
    writ_error *err);

#endif /* W_ENGINE_ACCESS_SET_H */
