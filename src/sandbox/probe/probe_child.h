/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROBE_CHILD_H
#define W_SANDBOX_PROBE_CHILD_H

#include "sandbox/probe/probe.h"

/*
 * A probe: something done for real in a throwaway process. The functions run in
 * a copy of the caller in which other threads may have held any lock: system
 * calls only.
 */
struct w_probe_child {
	/* Set by the parent. */
	bool has_userns; /* make a user namespace first */
	char uid_map[32];
	char gid_map[32];
	/* Written by the child. */
	int error;
	long value;
	const char *step; /* a literal: valid in both processes */
};

/* The only step that other code compares with. */
#define W_STEP_PROC "mounting a fresh /proc"

/* Returns 0, or the errno with child->step set. */
typedef int (*w_probe_child_fn)(struct w_probe_child *child);

/* Records a step that has just failed and returns errno. */
int w_probe_child_fail(struct w_probe_child *child, const char *step);

/* Runs fn in a child and waits for it. *out_value is the child's value. */
void w_probe_child_run(w_probe_child_fn fn, bool has_userns,
    struct w_probe *out_probe, long *out_value);

/* Forks within a probe; the new process dies with its parent. Returns 0 in the
 * child. */
long w_probe_child_fork(void);

/* The probes. */
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

/* Cgroups are probed by the caller itself, with a child as the member to
 * kill. */
void w_probe_cgroup(struct w_probe *out_probe);

#endif /* W_SANDBOX_PROBE_CHILD_H */
