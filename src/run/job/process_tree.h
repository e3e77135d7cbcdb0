/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROCESS_TREE_H
#define W_RUN_PROCESS_TREE_H

#include <stdbool.h>

#include "os/proc.h"
#include "run/helper/protocol.h"
#include "run/limits/group_pool.h"
#include "run/limits/limit_group.h"

/*
 * How the processes of one run are contained.
 *
 *   CALLER     only the command itself is known
 *   GROUP      a control group of the engine; the command is our child
 *   INIT       a pid namespace; our child is its init, the helper
 *   SUBREAPER  our child is the helper as a subreaper; with a group of its own
 *              the kernel does the killing, else it searches its descendants
 */
enum w_tree_by {
	W_TREE_BY_CALLER,
	W_TREE_BY_GROUP,
	W_TREE_BY_INIT,
	W_TREE_BY_SUBREAPER,
};

struct w_tree {
	enum w_tree_by by;
	struct w_child child; /* the command, or its helper */
	int socket;           /* to the helper; -1: none */
	struct w_group_pool *groups;
	struct w_group group; /* of W_TREE_BY_GROUP, or the subreaper's own; fd
				 is -1 after its return */
	char group_name[W_GROUP_NAME]; /* of the subreaper's own; empty: none */
	bool was_killed;
	bool is_limited; /* the group has limits, so it is not reused */
	struct w_limit_group limits; /* what the kernel counts */
};

#define W_TREE_NONE       \
	((struct w_tree){ \
	    .child = {.pidfd = -1}, .socket = -1, .group = {.fd = -1}})

/* Whether the kernel itself guarantees that every process is killed. */
bool w_tree_is_guaranteed(const struct w_tree *tree);

/* "cgroup", "pidns", "keeper", or NULL. */
const char *w_tree_word(const struct w_tree *tree);

/* Sends a signal to every process. is_end: it should end them, and the helper
 * waits for all of them. */
void w_tree_signal(struct w_tree *tree, int sig, bool is_end);

/* Kills every process; their end is reported like any other. */
void w_tree_kill(struct w_tree *tree);

/* Kills our child itself: the last resort when the helper does not answer. */
void w_tree_kill_child(struct w_tree *tree);

/* Appends a snapshot of the run's processes. */
bool w_tree_pids(const struct w_tree *tree, struct w_pids *pids);

/* Whether the tree has a control group. */
bool w_tree_has_group(const struct w_tree *tree);

/* Whether the group has processes, as w_cgroup_populated() reports it. */
int w_tree_populated(struct w_tree *tree);

/* Returns the empty group to the pool, or removes it. */
void w_tree_release_group(struct w_tree *tree);

/* Kills everything at once, waits, and releases the tree: for a start that
 * failed half-way and for an engine that is freed. */
void w_tree_end_now(struct w_tree *tree);

#endif /* W_RUN_PROCESS_TREE_H */
