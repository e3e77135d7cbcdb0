/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_GROUP_POOL_H
#define W_RUN_GROUP_POOL_H

#include <stdbool.h>

#include "run/launch/spawn.h"

/*
 * The control groups of an engine: one for each run beneath one of its own,
 * and the guard process that kills them all should the engine be killed.
 *
 * A group whose run left nobody behind is used again. A killed one never is:
 * the kernel kills whatever is born into it later.
 */
struct w_group {
	int fd;        /* -1: none; then the rest says nothing */
	int events_fd; /* stays open as long, to be read; -1: not yet */
	unsigned number;
};

enum {
	W_GROUP_POOL_MAX = 64,
	W_GROUP_NAME = 40,
};

struct w_group_pool {
	int error; /* why there are none; 0 with is_open false: untried */
	const char *prefix; /* of the engine's group; NULL: the usual. With
			       one, what dead engines left is swept away */
	bool is_plain;      /* of version 1: groups that cannot be killed */
	bool is_open;
	int parent_fd; /* the group that we live in ourselves */
	int base_fd;
	int claim_fd; /* with a prefix: keeps sweepers away from the base */
	char base_name[W_GROUP_NAME];
	unsigned next_number;
	struct w_group pool[W_GROUP_POOL_MAX];
	size_t pool_count;
	struct w_child watchdog;
	int watchdog_socket;
};

/* What the groups need to start their guard. */
struct w_group_tools {
	struct w_spawner *spawner;
	int helper_fd;
	int engine_fd;
};

void w_group_pool_init(struct w_group_pool *groups);

/* Whether groups may be had here, as far as a look can tell. Opens the group
 * that we live in. */
bool w_group_pool_available(struct w_group_pool *groups);

/* Makes the engine's group and starts its guard, if that is not done; a guard
 * that has died is replaced. 0, or an errno. */
int w_group_pool_open(
    struct w_group_pool *groups, const struct w_group_tools *tools);

/* Kills what is left, removes every group and dismisses the guard. */
void w_group_pool_done(struct w_group_pool *groups);

/* Takes a group for a run. 0, or an errno. */
int w_group_pool_take(struct w_group_pool *groups, struct w_group *out_group);

/* Whether there are processes in it, as w_cgroup_populated() says it. */
int w_group_populated(struct w_group *group);

/* Gives an empty group back. */
void w_group_pool_return(
    struct w_group_pool *groups, struct w_group *group, bool was_killed);

#endif /* W_RUN_GROUP_POOL_H */
