/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_HELPER_HELPER_H
#define W_EXEC_HELPER_HELPER_H

#include <stddef.h>
#include <stdint.h>

#include "exec/child.h"
#include "exec/helper/protocol.h"

/*
 * The helper's own parts. It has no libc: raw system calls, no allocation,
 * fixed buffers, everything on one small stack.
 */

enum {
	HELPER_GROUPS_MAX = 256
};

/* Whom the command runs as. */
struct identity {
	int is_set;
	uint32_t uid;
	uint32_t gid;
	size_t group_count;
	uint32_t groups[HELPER_GROUPS_MAX];
};

struct command {
	const struct identity *identity;
	int dies_with_parent; /* killed should its keeper be killed */
	const char *path;     /* empty: execute W_HELPER_PROGRAM_FD */
	char **argv;
	char **envp;
};

/* start.c */
_Noreturn void quit(int status);
void tell(const struct w_tell *message);
void report_failed(enum w_step step, long ret);

/* launch.c: takes the identity and becomes the command; returns the negative
 * errno and the step when it cannot. */
long become(const struct command *command, enum w_step *out_step);

/* supervise.c */
struct charge {
	char role;
	int may_keep;                  /* the background may live on */
	const char *group_name;        /* empty: none */
	int pid;                       /* the command; 0: not started yet */
	const struct command *command; /* to be started; NULL: it was */
};

_Noreturn void supervise(const struct charge *charge);

/* reap.c: the children of this process, of whom one is the command. */
struct brood {
	char role;
	int has_group;
	int pid;      /* the command */
	int ended;    /* its status is known */
	int status;   /* as from wait4() */
	int sweeping; /* who dies of SIGKILL now was killed by us */
	uint32_t killed;
};

/* Reaps who has ended. -1: nobody is left. */
int reap(struct brood *brood);

/* Kills and reaps every process of the run. */
void sweep(struct brood *brood);

/* group.c: the control group of W_HELPER_GROUP_FD. */
void group_kill(void);
void group_remove(const char *name);

/* guard.c */
_Noreturn void guard(const char *group_name);

#endif /* W_EXEC_HELPER_HELPER_H */
