/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_FACTS_H
#define W_POLICY_POLICY_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "command/analysis/analysis.h"
#include "policy/hosts/host_list.h"

/*
 * What rules are matched against: a request whose program was found, whose
 * arguments were analyzed and whose paths were resolved. Built by the engine
 * (engine/decide/access_set.c); everything is borrowed.
 */

/* A path that a command touches. */
struct w_policy_path {
	const char *spelled;  /* absolute, links not followed; NULL: not a path,
				 or known only at run time */
	const char *resolved; /* all links followed; if it does not exist,
				 its resolved directory and the last name;
				 NULL: unknown */
	bool is_directory;
	bool exists;
	bool is_elusive; /* may be any file: /proc/self/root/... */
	bool is_given;   /* opened by a trusted caller: only deny rules apply */
	bool is_given_for_write;
};

struct w_policy_program {
	const char *called_as;    /* the first word */
	const char *const *names; /* NULL-ended: docs/policy.md, `program` */
	const char *spelled; /* path before links are followed; NULL: none */
	const char *path;    /* resolved; NULL: not found */
	bool is_own; /* in a writable root, or writable by others: treated as
			code, not as a known program */
};

/* One command. Order: the outermost first, each before those inside it. */
struct w_policy_command {
	const struct w_analysis *analysis;
	struct w_policy_program program;
	const struct w_policy_path *paths; /* one for each touch of the
					      analysis */
	bool is_shell;                     /* a shell command, or part of one */
	bool is_remote;  /* runs on another machine: touches no local file */
	bool can_undo;   /* it runs on a layer, and all that it can change for
			    good lies on that */
	bool is_builtin; /* shell builtin (cd, exit, true): no program */
};

enum w_policy_network {
	W_POLICY_NETWORK_OFF,
	W_POLICY_NETWORK_LOOPBACK,
	W_POLICY_NETWORK_HOSTS,
	W_POLICY_NETWORK_HOST,
};

struct w_policy_facts {
	const char *agent; /* NULL: not given, the default agent applies */
	/* Id of the called module; NULL: none. The description of the program
	 * that it runs may have another id. */
	const char *module;
	bool is_module_trusted; /* not from the project: its id may match allow
				   rules */
	bool needs_approval;    /* the module asks for approval of each call */
	const struct w_policy_command *commands;
	size_t count;
	const char *shell; /* the shell command; NULL: an argv */
	const char *cwd;   /* resolved; NULL: does not exist */
	const char *home;
	const char *const *env;     /* set by the request, NAME=value */
	bool are_variables_allowed; /* a trusted caller's options are his word:
				       an allow of a command covers them */
	bool has_terminal;          /* the command gets its own terminal */
	const char *profile;        /* sandbox profile */
	unsigned walls;             /* 0 none .. 4 strict */
	enum w_policy_network network;
	/* A trusted caller may choose another profile or network. Deny rules
	 * look at the choice; other rules look at what would apply without it.
	 */
	bool has_usual;
	unsigned usual_walls;
	enum w_policy_network usual_network;
	bool is_network_given; /* the caller allows network access */
	const struct w_host_list *given_hosts; /* hosts that the caller allows;
						  NULL: none */
	/* What an untrusted caller asks for beyond the sandbox, each as text
	 * ("the sandbox 'none' instead of 'workspace'"); NULL-ended; NULL:
	 * nothing. */
	const char *const *more;
	bool has_time;
	unsigned week_minute; /* Monday 00:00 is 0 */
	int64_t now;          /* seconds of the epoch; 0: not known */
	const char *project;  /* its root, resolved; NULL: not known */
	/* For the effects of a shape's words alone, and for the nearest allowed
	 * command. */
	const struct w_command_source *source;
};

#endif /* W_POLICY_POLICY_FACTS_H */
