/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_SPAWN_H
#define W_EXEC_SPAWN_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "exec/child.h"

/* A running child. The pidfd is owned: close it after reaping. */
struct w_child {
	pid_t pid;
	int pidfd;
};

/* The stack on which a child runs until it executes its program. One serves
 * all children in turn, since the parent sleeps meanwhile. */
struct w_spawner {
	void *stack;
};

writ_status w_spawner_init(struct w_spawner *spawner, writ_error *err);
void w_spawner_done(struct w_spawner *spawner);

/*
 * Starts the planned child and returns when it has reached its program. flags
 * are further CLONE_ flags; cgroup_fd counts with CLONE_INTO_CGROUP.
 *
 * 0, or the errno of what failed; then plan->failed_errno tells whether it was
 * a step of the child (not 0) or the clone itself (0), and no child is left.
 */
int w_spawn(struct w_spawner *spawner, struct w_child_plan *plan,
    uint64_t flags, int cgroup_fd, struct w_child *out_child);

/* How a child ended. */
struct w_ended {
	int is_known; /* 0: somebody else has reaped it, and nobody knows */
	int status;   /* as from wait4() */
	uint64_t user_us;
	uint64_t system_us;
	uint64_t max_rss_kib;
};

/* Reaps a child that has ended and closes its pidfd. */
void w_reap(struct w_child *child, struct w_ended *out_ended);

/* Kills a child and waits for its end. */
void w_kill_and_reap(struct w_child *child);

#endif /* W_EXEC_SPAWN_H */
