/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_GROUP_POOL_H
#define W_RUN_GROUP_POOL_H

#include <stdbool.h>

#include "run/launch/spawn.h"

/*
 * The control groups of an engine: one for each run below one of its own, and
 * the watchdog process that kills them all if the engine is killed.
 *
 * A group whose run left no process behind is reused. A killed one never is:
 * the kernel kills whatever is forked into it later.
 */
struct w_group {
	int fd;        /* -1: none; then the rest is invalid */
	int events_fd; /* cgroup.events, open as long as fd; -1: not yet */
	unsigned number;
};

enum {
	W_GROUP_POOL_MAX = 64,
	W_GROUP_NAME = 40,
};

struct w_group_pool {
	int error; /* why groups are unavailable; 0 with is_open false: untried
		    */
	const char *prefix; /* of the engine's group; NULL: the default. With
			       one, groups of dead engines are removed */
	bool is_plain;      /* cgroup v1: no cgroup.kill */
	bool is_open;
	int parent_fd; /* our own group */
	int base_fd;
	int claim_fd; /* with a prefix: marks the base as in use */
	char base_name[W_GROUP_NAME];
	unsigned next_number;
	struct w_group pool[W_GROUP_POOL_MAX];
	size_t pool_count;
	struct w_child watchdog;
	int watchdog_socket;
};

/* What the pool needs to start its watchdog. */
struct w_group_tools {
	struct w_spawner *spawner;
	int helper_fd;
	int engine_fd;
};

void w_group_pool_init(struct w_group_pool *groups);

/* Whether groups seem to be available here. Opens our own group. */
bool w_group_pool_available(struct w_group_pool *groups);

/* Creates the engine's group and starts its watchdog, if not done yet; replaces
 * a dead watchdog. 0, or an errno. */
int w_group_pool_open(
    struct w_group_pool *groups, const struct w_group_tools *tools);

/* Kills what is left, removes every group and stops the watchdog. */
void w_group_pool_done(struct w_group_pool *groups);

/* Takes a group for a run. 0, or an errno. */
int w_group_pool_take(struct w_group_pool *groups, struct w_group *out_group);

/* Whether it has processes, as w_cgroup_populated() reports it. */
int w_group_populated(struct w_group *group);

/* Returns an empty group to the pool. */
void w_group_pool_return(
    struct w_group_pool *groups, struct w_group *group, bool was_killed);

#endif /* W_RUN_GROUP_POOL_H */
