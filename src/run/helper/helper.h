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
 * Declarations shared by the helper's files. It has no libc: raw system calls,
 * no allocation, fixed buffers, everything on one small stack.
 */

enum {
	HELPER_GROUPS_MAX = 256
};

/* The user and groups that the command runs as. */
struct identity {
	int is_set;
	uint32_t uid;
	uint32_t gid;
	size_t group_count;
	uint32_t groups[HELPER_GROUPS_MAX];
};

struct helper_command {
	const struct identity *identity;
	int is_supervised; /* its parent is the subreaper, and it must not
			      outlive it; else it has its own session already */
	int has_terminal;  /* that of the subreaper's session */
	const char *path;  /* empty: execute W_HELPER_PROGRAM_FD */
	char **argv;
	char **envp;
};

/* Which step failed. */
struct fault {
	enum w_step step;
	uint32_t detail; /* index of the mount or rule */
};

/* Turns the calling process into the command. Returns the negative errno on
 * failure. */
typedef long (*become_fn)(const void *what, struct fault *out_fault);

/* helper_main.c */
_Noreturn void quit(int status);
void send_event(const struct w_helper_event *message);
void report_failed(const struct fault *fault, long ret);

/* command_exec.c */
long take_identity(const struct identity *identity);
void close_rest(void);
void unblock_signals(void);
/* Starts a session, or joins the session of the terminal. */
long take_session(int has_terminal);

/* Changes the user and executes the command; what is a struct
 * helper_command. */
long become(const void *what, struct fault *out_fault);

/* supervise.c */
struct supervision {
	char role;
	int may_keep;           /* the background may live on */
	const char *group_name; /* empty: none */
	int pid;                /* the command; 0: not started yet */
	become_fn become;       /* starts it; NULL: it runs already */
	const void *what;
	int keeps_privileges; /* to signal processes of another user */
	int has_terminal;     /* stops are reported to the engine */
};

_Noreturn void supervise(const struct supervision *supervision);

/* reap.c: the children of this process; one of them is the command. */
struct children {
	char role;
	int has_group;
	int pid;   /* the command */
	int ended; /* its status is known */
	int stop;  /* the signal that stopped it, to be reported; 0: none */
	int sees_stops;
	int status;   /* as from wait4() */
	int sweeping; /* a death by SIGKILL was caused by us */
	uint32_t killed;
};

/* Reaps ended children. -1: none are left. */
int reap(struct children *children);

/* Kills and reaps every process of the run. 1: none are left. */
int sweep(struct children *children);

/* cgroup_remove.c */
void group_kill(int group);
void group_remove(int parent, int group, const char *name);

/* sandbox_init.c: the sandbox plan of W_HELPER_SANDBOX_PLAN_FD. */
const struct w_sandbox_plan *sandbox_plan_map(void);
/* Builds what all runs of a plan share. */
long sandbox_plan_enter(
    const struct w_sandbox_plan *sandbox_plan, struct fault *out_fault);
/* Builds the rest and stays as the parent of the command, whose process reads
 * its spec from W_HELPER_REPORT_FD. After take_low_numbers(). */
_Noreturn void sandbox_init(
    const struct w_sandbox_plan *sandbox_plan, int has_terminal);

/* controlling_terminal.c: opens a terminal in this view, makes it the
 * controlling one and sends both sides to the engine. 0, or the negative
 * errno. */
long terminal_make(void);

/* process_spec.c: a spec and its descriptors; the streams are already at 0 to
 * 2. */
struct received {
	const struct w_process_spec *spec;
	int cwd; /* -1: open by path */
	int program;
	int groups[2];
	size_t group_count;
};

/* 0, or the negative errno. */
long process_spec_receive(struct received *out_received);

/* fd_passing.c: messages with descriptors. */
long send_fds(
    int socket, const void *bytes, size_t len, const int *fds, size_t count);
long receive_fds(int socket, void *bytes, size_t len, int *fds,
    size_t *count); /* *count: capacity, then how many came */
/* Occupies the low descriptor numbers, so that received descriptors never land
 * there. */
void take_low_numbers(void);

/* session_maker.c: makes the walls of a session, in whose namespaces it is
 * already. */
_Noreturn void session_maker(const char *letters, const char *text);
/* Joins the session of a plan, if it has one, and makes these namespaces in
 * it. */
long session_join(const struct w_sandbox_plan *sandbox_plan,
    uint64_t namespaces, struct fault *out_fault);

/* session_holder.c */
_Noreturn void session_holder(void);
/* forwarder.c */
_Noreturn void session_forwarder(const char *letters);
/* holder_peer.c: whether it may use the session. */
int holder_peer_is_trusted(int socket);

/* fork_server_loop.c */
_Noreturn void fork_server(void);

/* cgroup_watchdog.c */
_Noreturn void cgroup_watchdog(void);

#endif /* W_RUN_HELPER_H */
