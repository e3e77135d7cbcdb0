/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SPAWN_H
#define W_RUN_SPAWN_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "run/launch/child.h"

/* A running child. It owns the pidfd: close it after reaping. */
struct w_child {
	pid_t pid;
	int pidfd;
};

/* The stacks on which children run until they execute their programs: one for
 * our child, one for a command that it starts. All runs use the same, since the
 * parent sleeps meanwhile. */
struct w_spawner {
	char *stacks;
	uint64_t ignored; /* real-time signals that the host ignores */
};

writ_status w_spawner_init(struct w_spawner *spawner, writ_error *err);
void w_spawner_done(struct w_spawner *spawner);

struct w_spawn {
	struct w_child_plan *plan; /* of the command */
	struct w_init_plan *init;  /* of a PID 1 above it; NULL: none */
	uint64_t flags;            /* further CLONE_ flags for our child */
	int group_fd;              /* for CLONE_INTO_CGROUP */
};

/*
 * Starts a child and returns when the command has been executed.
 *
 * 0, or the errno of what failed. Then plan->failed_errno tells whether it was
 * a step of a child (not 0) or the clone itself (0), and no child is left.
 */
int w_spawn(struct w_spawner *spawner, const struct w_spawn *spawn,
    struct w_child *out_child);

/* How a child ended. */
struct w_child_exit {
	int is_known; /* 0: somebody else has reaped it */
	int status;   /* as from wait4() */
	uint64_t user_us;
	uint64_t system_us;
	uint64_t max_rss_kib;
};

/* Reaps a child that has ended and closes its pidfd. */
void w_child_reap(struct w_child *child, struct w_child_exit *out_ended);

/* Kills a child and waits for its end. */
void w_child_kill_and_reap(struct w_child *child);

#endif /* W_RUN_SPAWN_H */
