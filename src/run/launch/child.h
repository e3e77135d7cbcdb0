/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_CHILD_H
#define W_RUN_CHILD_H

#include <stddef.h>
#include <stdint.h>

/* Steps of a child, in order. A row is the name, the word for the error's
 * stage, and what failed. The helper reports its own steps with the same
 * numbers. */
#define W_STEP_MAP(X)                                                  \
	X(USERNS, "userns", "cannot set up a user namespace")          \
	X(PROCESS, "spawn", "cannot start a process")                  \
	X(SHARED, "session", "cannot join the walls of the session")   \
	X(VIEW, "mountns", "cannot build the view of the file system") \
	X(NETWORK, "netns", "cannot set up the network")               \
	X(HOSTNAME, "utsns", "cannot set the host name")               \
	X(LIMIT_GROUP, "cgroup", "cannot enter a control group")       \
	X(KEYRING, "keyring", "cannot get a keyring of its own")       \
	X(PRIVILEGES, "capabilities", "cannot give up privileges")     \
	X(RULES, "landlock", "cannot make a rule")                     \
	X(LANDLOCK, "landlock", "cannot enforce the rules")            \
	X(SECCOMP, "seccomp", "cannot load the filter")                \
	X(SESSION, "session", "cannot start a session")                \
	X(TERMINAL, "terminal", "cannot get a terminal")               \
	X(STDIO, "stdio", "cannot place the descriptors")              \
	X(CWD, "cwd", "cannot enter the working directory")            \
	X(LIMITS, "limits", "cannot set a resource limit")             \
	X(NICE, "nice", "cannot change the niceness")                  \
	X(IDENTITY, "identity", "cannot change to the user")           \
	X(PROGRAM, "program", "the program changed on disk")           \
	X(EXEC, "exec", "cannot execute")

enum w_step {
#define X(name, word, text) W_STEP_##name,
	W_STEP_MAP(X)
#undef X
};

/* How a process relates to the terminal of its run. */
enum w_terminal_part {
	W_TERMINAL_NONE,
	W_TERMINAL_LEAD, /* it leads the terminal's session */
	W_TERMINAL_JOIN, /* foreground process group in the parent's session */
};

struct w_child_limit {
	uint32_t resource; /* RLIMIT_... */
	uint64_t soft;
	uint64_t hard;
};

enum {
	W_CHILD_LIMITS_MAX = 6,
	W_CHILD_PASS_MAX = 6,
	W_CHILD_PROCS_MAX = 2,
	W_INIT_PASS = 2
};

/*
 * Everything the child needs, resolved beforehand. All members are borrowed;
 * descriptors are close-on-exec and at W_FD_SAFE or above.
 */
struct w_child_plan {
	int program_fd;    /* executed when path is NULL */
	const char *path;  /* else this, if it is still program_fd's file */
	char *const *argv; /* NULL-ended */
	char *const *envp; /* NULL-ended, never NULL */
	int cwd_fd;        /* -1: stay */
	int stdio[3];      /* -1: leave closed */
	int pass[W_CHILD_PASS_MAX]; /* placed at 3, 4, ...; -1: closed */
	size_t pass_count;
	struct w_child_limit limits[W_CHILD_LIMITS_MAX];
	size_t limit_count;
	int limit_procs[W_CHILD_PROCS_MAX]; /* cgroup.procs of the groups that
					       limit the run; joined first */
	size_t limit_procs_count;
	int nice;
	int umask;                     /* -1: inherit */
	enum w_terminal_part terminal; /* that of stdio[0] */
	uint64_t ignored; /* set of real-time signals that the host ignores */
	unsigned fd_end;  /* the descriptors above are all below this number */
	const char *uid_map; /* of a new user namespace; NULL: none */
	const char *gid_map;
	int makes_layer; /* it mounts one, in that namespace */

	/* Written by the child, read by the parent when it resumes. */
	int failed_errno; /* 0: the program was executed */
	enum w_step failed_step;
};

/*
 * Executes the planned program. Returns only on failure, with the step and the
 * errno in the plan. For w_clone_child(), with every signal blocked. arg is a
 * struct w_child_plan.
 */
int w_child_main(void *arg);

/*
 * A child between us and the command: PID 1 of a namespace, which becomes the
 * helper.
 *
 * It starts the command first and then executes the helper, so the two load in
 * parallel, and the command's failures arrive in the same memory. That is safe
 * only because no process in the namespace can stop or kill its PID 1: the
 * engine sleeps until the helper has been executed.
 */
struct w_init_plan {
	struct w_child_plan *command; /* receives the failures of both */
	void *stack;                  /* for the command */
	size_t stack_size;
	const char *uid_map; /* NULL: no user namespace */
	const char *gid_map;
	int helper_fd;
	char *const *argv;     /* the helper's */
	char *pid_text;        /* one of argv: receives the pid */
	int pass[W_INIT_PASS]; /* the helper's descriptors 3, 4 */
	int terminal;    /* controlling terminal of its session; -1: none */
	unsigned fd_end; /* these, and the command's, are below this number */
};

/* Room for a pid in decimal and a NUL. */
enum {
	W_PID_TEXT = 12
};

/* arg is a struct w_init_plan. */
int w_child_init_main(void *arg);

#endif /* W_RUN_CHILD_H */
