/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_TRIAL_H
#define W_SANDBOX_TRIAL_H

#include "sandbox/probe.h"

/*
 * A trial: something done for real in a process that is thrown away. The
 * functions run in a copy of the caller, of which other threads may have held
 * any lock: system calls only.
 */
struct w_trial {
	/* Prepared by the parent. */
	bool has_userns; /* make a user namespace first */
	char uid_map[32];
	char gid_map[32];
	/* Written by the child. */
	int error;
	long value;
	const char *step; /* a literal: it means the same in both */
};

/* The one step that others judge by. */
#define W_STEP_PROC "mounting a fresh /proc"

/* Returns 0, or the errno with trial->step set. */
typedef int (*w_trial_fn)(struct w_trial *trial);

/* For a step that has just failed: notes it and returns errno. */
int w_trial_fail(struct w_trial *trial, const char *step);

/* Runs fn in a child and waits for it. value of the child: *out_value. */
void w_trial_run(
    w_trial_fn fn, bool has_userns, struct w_probe *out_probe, long *out_value);

/* Forks within a trial, with the new process dying with its parent; pid 0 is
 * the child. */
long w_trial_fork(void);

/* The trials themselves. */
int w_trial_clone3(struct w_trial *trial);
int w_trial_no_new_privs(struct w_trial *trial);
int w_trial_capabilities(struct w_trial *trial);
int w_trial_keyring(struct w_trial *trial);
int w_trial_landlock(struct w_trial *trial);
int w_trial_seccomp(struct w_trial *trial);
int w_trial_userns(struct w_trial *trial);
int w_trial_mountns(struct w_trial *trial);
int w_trial_pivot(struct w_trial *trial);
int w_trial_pidns(struct w_trial *trial);
int w_trial_netns(struct w_trial *trial);
int w_trial_ipcns(struct w_trial *trial);
int w_trial_utsns(struct w_trial *trial);
int w_trial_cgroupns(struct w_trial *trial);

/* Control groups are tried by the caller itself, with a member to kill. */
void w_probe_cgroup(struct w_probe *out_probe);

#endif /* W_SANDBOX_TRIAL_H */
