/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELPER_H
#define W_RUN_HELPER_H

#include <stddef.h>
#include <stdint.h>

#include "run/helper/protocol.h"
#include "run/launch/child.h"

struct w_process_spec;
struct w_sandbox_plan;

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

struct helper_command {
	const struct identity *identity;
	int is_kept;      /* by this process's parent, whose death it must not
			     survive; else its session is its own already */
	int has_terminal; /* that of the keeper's session */
	const char *path; /* empty: execute W_HELPER_PROGRAM_FD */
	char **argv;
	char **envp;
};

/* Where something went wrong. */
struct fault {
	enum w_step step;
	uint32_t detail; /* which of many */
};

/* Turns the process that calls it into the command. Returns the negative
 * errno when it cannot. */
typedef long (*become_fn)(const void *what, struct fault *out_fault);

/* start.c */
_Noreturn void quit(int status);
void send_event(const struct w_helper_event *message);
void report_failed(const struct fault *fault, long ret);

/* launch.c */
long take_identity(const struct identity *identity);
void close_rest(void);
void unblock_signals(void);
/* A session of its own, or its place in that of the terminal. */
long take_session(int has_terminal);

/* Takes the identity and becomes the command, a struct helper_command. */
long become(const void *command, struct fault *out_fault);

/* supervise.c */
struct supervision {
	char role;
	int may_keep;           /* the background may live on */
	const char *group_name; /* empty: none */
	int pid;                /* the command; 0: not started yet */
	become_fn become;       /* how to start it; NULL: it was started */
	const void *what;
	int keeps_privileges; /* to signal processes of another user */
	int has_terminal;     /* whoever waits there is told of stops */
};

_Noreturn void supervise(const struct supervision *supervision);

/* reap.c: the children of this process, of whom one is the command. */
struct children {
	char role;
	int has_group;
	int pid;   /* the command */
	int ended; /* its status is known */
	int stop;  /* the signal that stopped it, to be told; 0: none */
	int sees_stops;
	int status;   /* as from wait4() */
	int sweeping; /* who dies of SIGKILL now was killed by us */
	uint32_t killed;
};

/* Reaps who has ended. -1: nobody is left. */
int reap(struct children *children);

/* Kills and reaps every process of the run. 1: nobody is left. */
int sweep(struct children *children);

/* group.c: the control group of W_HELPER_GROUP_FD. */
void group_kill(void);
void group_remove(const char *name);

/* cell.c: the realm of W_HELPER_SANDBOX_PLAN_FD. */
const struct w_sandbox_plan *sandbox_plan_map(void);
/* Builds what all runs of a realm have in common. */
long sandbox_plan_enter(
    const struct w_sandbox_plan *sandbox_plan, struct fault *out_fault);
/* Builds the rest and stays with the command, whose process takes its order
 * from W_HELPER_REPORT_FD. */
_Noreturn void sandbox_init(
    const struct w_sandbox_plan *sandbox_plan, int has_terminal);

/* terminal.c: makes a terminal in this view, leads its session, and hands both
 * sides to the engine. 0, or the negative errno. */
long terminal_make(void);

/* order.c: an order and the descriptors that came with it, but for the streams,
 * which are in their places. */
struct received {
	const struct w_process_spec *spec;
	int cwd; /* -1: by its path */
	int program;
	int groups[2];
	size_t group_count;
};

/* 0, or the negative errno. */
long process_spec_receive(struct received *out_received);

/* message.c: raw messages with descriptors. */
long send_fds(
    int socket, const void *bytes, size_t len, const int *fds, size_t count);
long receive_fds(int socket, void *bytes, size_t len, int *fds,
    size_t *count); /* *count: room, then how many came */
/* Fills the numbers that descriptors are moved to, so that what arrives never
 * lands there. */
void take_low_numbers(void);

/* fork_server_loop.c */
_Noreturn void fork_server(void);

/* cgroup_watchdog.c */
_Noreturn void cgroup_watchdog(const char *group_name);

#endif /* W_RUN_HELPER_H */
