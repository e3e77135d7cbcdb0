/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_LAUNCH_H
#define W_RUN_LAUNCH_H

#include <writ/run.h>

#include "os/file.h"
#include "run/job/process_tree.h"
#include "run/launch/run_sandbox.h"
#include "run/resolve/identity.h"
#include "run/resolve/program.h"
#include "run/resolve/scratch.h"
#include "run/streams/pty.h"

/* What an engine needs to start commands; created on first use. */
struct w_launcher {
	struct w_spawner spawner;
	struct w_group_pool groups;
	struct w_limiter limiter;
	struct w_watchdog watchdog; /* of both */
	uint64_t exec_pass;     /* see struct w_seccomp_kind; 0: not made yet */
	int null_fd;            /* /dev/null, for every run's standard input */
	int low_fds[W_FD_SAFE]; /* occupied, so that descriptors of a run start
				   at W_FD_SAFE */
	size_t low_count;
	int helper_fd;   /* the helper program; -1: not yet */
	int engine_fd;   /* a pidfd of this process; -1: not yet */
	bool has_run;    /* a run was contained by a control group */
	int pidns_error; /* why pid namespaces are unavailable; 0: they work so
			    far */
	unsigned pidns_runs; /* how many used one */
	struct w_run_sandbox_cache sandbox_cache;
	struct w_program_seen seen;
	struct w_scratch_place scratch_place;
	char uid_map[32];
	char gid_map[32];
	int failed_layer; /* layer whose step failed in the last start; -1: none
			   */
	bool is_stale;    /* it failed because a path had changed */
};

writ_status w_launcher_init(struct w_launcher *launcher, writ_error *err);
void w_launcher_done(struct w_launcher *launcher);

/* Prepares the helper program on first use. */
writ_status w_launcher_need_helper(
    struct w_launcher *launcher, writ_error *err);

/* One command, resolved and ready. All members borrowed. */
struct w_launch {
	const struct w_program *program;
	char *const *argv;
	char *const *envp;
	int cwd_fd;
	int stdio[3];
	struct w_child_limit limits[W_CHILD_LIMITS_MAX];
	size_t limit_count;
	struct w_limits group_limits; /* for the whole run */
	int nice;
	int umask;         /* -1: inherit */
	struct w_pty *pty; /* NULL: none. A sandbox with a view opens it itself;
			      else it is open already */
	const struct w_identity *identity;
	writ_hold hold;
	bool keeps_background;
	const char *cwd;               /* the path of cwd_fd */
	const char *program_path;      /* in the sandbox; NULL: not needed */
	struct w_run_sandbox *sandbox; /* NULL: none */
	bool is_alone;                 /* no other run will use that sandbox */
	bool has_null_input;           /* a sandbox opens its own /dev/null */
	bool wants_tmp; /* a descriptor of the sandbox's /tmp is wanted */
};

/*
 * Starts the command, contained as requested, and returns when it has been
 * executed. On failure no process is left and *err names the step.
 */
writ_status w_launch(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *out_tree, writ_error *err);

#endif /* W_RUN_LAUNCH_H */
