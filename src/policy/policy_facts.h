/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_FACTS_H
#define W_POLICY_POLICY_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "command/analysis/analysis.h"

/*
 * What is judged: a request whose program was found, whose words were
 * understood and whose paths were looked up. The engine makes it
 * (engine/decide/access_set.c); everything is borrowed.
 */

/* A path that a command touches. */
struct w_policy_path {
	const char *spelled;  /* absolute, by its text alone; NULL: this touch
				 is no path, or known only when it runs */
	const char *resolved; /* where it leads when all links are followed: of
				 what does not exist its directory's, with the
				 last name; NULL: cannot be told */
	bool is_directory;
	bool exists;
	bool is_elusive; /* it could be anything: /proc/self/root/... */
	bool is_given;   /* a trusted caller opens it: only a denial applies */
	bool is_given_for_write;
};

struct w_policy_program {
	const char *called_as;    /* the first word */
	const char *const *names; /* NULL-ended: docs/policy.md, `program` */
	const char *spelled;      /* its path before links are followed; NULL */
	const char *path;         /* its file; NULL: not found */
	bool is_own;              /* lies in a writable root, or others could
				     write it: it is code, not a program */
};

/* One command: the outermost first, then those inside, each before its own. */
struct w_policy_command {
	const struct w_analysis *analysis;
	struct w_policy_program program;
	const struct w_policy_path
	    *paths;      /* one for each touch of the meaning */
	bool is_shell;   /* the text itself, or a part of one */
	bool is_remote;  /* runs on another machine: no file of ours */
	bool is_builtin; /* of the shell: cd, exit, true; no program at all */
};

enum w_policy_network {
	W_POLICY_NETWORK_OFF,
	W_POLICY_NETWORK_LOOPBACK,
	W_POLICY_NETWORK_HOST,
};

struct w_policy_facts {
	const char *agent; /* NULL: nobody says, the default agent counts */
	/* The id that is called; NULL: no module is. The description of the
	 * program that it runs may have another. */
	const char *module;
	bool is_module_trusted; /* not the project's: its id may allow */
	bool needs_approval;    /* it says that each call is to be approved */
	const struct w_policy_command *commands;
	size_t count;
	const char *shell; /* the text; NULL: an argv */
	const char *cwd;   /* where it really is; NULL: it is not there */
	const char *home;
	const char *const *env; /* that the request sets, NAME=value */
	bool has_terminal;      /* it runs on one of its own */
	const char *profile;    /* in which it would run */
	unsigned walls;         /* 0 none .. 4 strict */
	enum w_policy_network network;
	/* A trusted caller's own choice of these is his word: only denials
	 * look at it, other rules at what it would be without. */
	bool has_usual;
	unsigned usual_walls;
	enum w_policy_network usual_network;
	bool is_network_given; /* he says that it may leave this machine */
	/* What an untrusted caller asks for beyond the walls, each in words
	 * ("the sandbox 'none' instead of 'workspace'"); NULL-ended; NULL:
	 * nothing. */
	const char *const *more;
	bool has_time;
	unsigned week_minute; /* Monday 00:00 is 0 */
	/* For the effects that a shape's own words have, and the nearest form
	 * that would be allowed. */
	const struct w_command_source *source;
};

#endif /* W_POLICY_POLICY_FACTS_H */
