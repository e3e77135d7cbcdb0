/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROCESS_TREE_H
#define W_RUN_PROCESS_TREE_H

#include <stdbool.h>

#include "os/proc.h"
#include "run/helper/protocol.h"
#include "run/limits/group_pool.h"
#include "run/limits/limit_group.h"

/*
 * How the processes of one run are held together.
 *
 *   CALLER  only the command itself is known
 *   GROUP   a control group of the engine; the command is our child
 *   INIT    a pid namespace; our child is its init, the helper
 *   KEEPER  our child is the helper as a subreaper; with a group of its own
 *           the kernel does the killing, else it hunts
 */
enum w_tree_by {
	W_TREE_BY_CALLER,
	W_TREE_BY_GROUP,
	W_TREE_BY_INIT,
	W_TREE_BY_SUBREAPER,
};

struct w_tree {
	enum w_tree_by by;
	struct w_child child; /* the command, or the helper above it */
	int socket;           /* to the helper; -1: there is none */
	struct w_group_pool *groups;
	struct w_group group; /* of W_TREE_BY_GROUP, or the keeper's own; its
				 fd is -1 once it is given back */
	char group_name[W_GROUP_NAME]; /* of the keeper's own; empty: none */
	bool was_killed;
	bool is_limited; /* the group has limits, so it is not used again */
	struct w_limit_group limits; /* what the kernel counts */
};

/* Whether the kernel itself ends every process. */
bool w_tree_is_guaranteed(const struct w_tree *tree);

/* "cgroup", "pidns", "keeper", or NULL. */
const char *w_tree_word(const struct w_tree *tree);

/* Sends a signal to every process. is_end: they are meant to end by it, and
 * the helper waits for all of them. */
void w_tree_signal(struct w_tree *tree, int sig, bool is_end);

/* Has every process killed; their end is reported as any other. */
void w_tree_kill(struct w_tree *tree);

/* Kills our child itself: the last means when the helper does not answer. */
void w_tree_kill_child(struct w_tree *tree);

/* Appends the processes of the run. A snapshot. */
bool w_tree_pids(const struct w_tree *tree, struct w_pids *pids);

/* Whether there is a control group to look at. */
bool w_tree_has_group(const struct w_tree *tree);

/* Whether that has processes, as w_cgroup_populated() says it. */
int w_tree_populated(struct w_tree *tree);

/* Gives the group back, or removes it. It is empty. */
void w_tree_release_group(struct w_tree *tree);

/* Ends everything at once, waits for it, and releases the tree: for a start
 * that failed half-way and for an engine that is freed. */
void w_tree_end_now(struct w_tree *tree);

#endif /* W_RUN_PROCESS_TREE_H */
