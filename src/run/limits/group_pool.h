/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_GROUP_POOL_H
#define W_RUN_GROUP_POOL_H

#include <stdbool.h>

#include "run/helper/protocol.h"
#include "run/launch/spawn.h"

/*
 * The control groups of an engine in one hierarchy: one for each run below one
 * of its own. A watchdog process, one for all hierarchies, kills them all if
 * the engine is killed.
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
	W_GROUP_POOL_MAX = 64
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
};

/* The watchdog of an engine. It starts with the first pool. */
struct w_watchdog {
	struct w_spawner *spawner;
	int helper_fd;
	int engine_fd;
	struct w_child child; /* pidfd is -1: not started */
	int socket;
	const struct w_group_pool
	    *watched[W_WATCHED_MAX]; /* all of them open */
	size_t watched_count;
};

#define W_WATCHDOG_NONE                       \
	((struct w_watchdog){.helper_fd = -1, \
	    .engine_fd = -1,                  \
	    .child = {.pidfd = -1},           \
	    .socket = -1})

/* is_clean: nothing of the pools is left. Otherwise the watchdog goes on, and
 * kills and removes what is left. */
void w_watchdog_done(struct w_watchdog *watchdog, bool is_clean);

void w_group_pool_init(struct w_group_pool *groups);

/* Whether groups seem to be available here. Opens our own group. */
bool w_group_pool_available(struct w_group_pool *groups);

/* Creates the engine's group and has it watched, if not done yet; replaces a
 * dead watchdog. 0, or an errno. */
int w_group_pool_open(struct w_group_pool *groups, struct w_watchdog *watchdog);

/* Kills what is left and removes every group. false: something is left. */
bool w_group_pool_done(struct w_group_pool *groups);

/* Takes a group for a run. 0, or an errno. */
int w_group_pool_take(struct w_group_pool *groups, struct w_group *out_group);

/* Whether it has processes, as w_cgroup_populated() reports it. */
int w_group_populated(struct w_group *group);

/* Returns an empty group to the pool. */
void w_group_pool_return(
    struct w_group_pool *groups, struct w_group *group, bool was_killed);

#endif /* W_RUN_GROUP_POOL_H */
