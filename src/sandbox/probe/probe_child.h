/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROBE_CHILD_H
#define W_SANDBOX_PROBE_CHILD_H

#include "sandbox/probe/probe.h"

/*
 * A trial: something done for real in a process that is thrown away. The
 * functions run in a copy of the caller, of which other threads may have held
 * any lock: system calls only.
 */
struct w_probe_child {
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
typedef int (*w_probe_child_fn)(struct w_probe_child *child);

/* For a step that has just failed: notes it and returns errno. */
int w_probe_child_fail(struct w_probe_child *child, const char *step);

/* Runs fn in a child and waits for it. value of the child: *out_value. */
void w_probe_child_run(w_probe_child_fn fn, bool has_userns,
    struct w_probe *out_probe, long *out_value);

/* Forks within a trial, with the new process dying with its parent; pid 0 is
 * the child. */
long w_probe_child_fork(void);

/* The trials themselves. */
int w_probe_clone3(struct w_probe_child *child);
int w_probe_no_new_privs(struct w_probe_child *child);
int w_probe_capabilities(struct w_probe_child *child);
int w_probe_keyring(struct w_probe_child *child);
int w_probe_landlock(struct w_probe_child *child);
int w_probe_seccomp(struct w_probe_child *child);
int w_probe_userns(struct w_probe_child *child);
int w_probe_mountns(struct w_probe_child *child);
int w_probe_pivot_root(struct w_probe_child *child);
int w_probe_pidns(struct w_probe_child *child);
int w_probe_netns(struct w_probe_child *child);
int w_probe_ipcns(struct w_probe_child *child);
int w_probe_utsns(struct w_probe_child *child);
int w_probe_cgroupns(struct w_probe_child *child);

/* Control groups are tried by the caller itself, with a member to kill. */
void w_probe_cgroup(struct w_probe *out_probe);

#endif /* W_SANDBOX_PROBE_CHILD_H */
