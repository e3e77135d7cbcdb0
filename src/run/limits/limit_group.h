/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_LIMIT_GROUP_H
#define W_RUN_LIMIT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/result.h>

#include "run/limits/group_pool.h"

/*
 * Limits of a whole run that the kernel itself counts, where a control group
 * with the controllers "memory" and "pids" can be made: in version 2, or in
 * the hierarchies of version 1. What cannot be had is left to sampling.
 *
 * The command's process joins before it is the command and has a second thread,
 * by writing "0" to each of the descriptors that w_limit_group_procs() gives.
 */

/* What a group counts. */
enum {
	W_COUNTS_MEMORY = 1,
	W_COUNTS_PROCESSES = 2
};

/* One hierarchy for both, or one for each. */
enum {
	W_LIMIT_HIERARCHIES = 2
};

/* At most this many empty groups wait for the next run. */
enum {
	W_LIMIT_SPARES = 16
};

/* What a run is held to; 0: no limit. */
struct w_limits {
	uint64_t memory; /* bytes */
	uint64_t processes;
	bool has_own_memory; /* not what every run gets: see limit_group.c */
};

/* The groups of one run. Zero is the empty one. */
struct w_limit_group {
	struct w_limiter *limiter; /* NULL: there are none */
	struct w_limits limits;
	unsigned counts; /* what they count, all in all */
	struct w_group dirs[W_LIMIT_HIERARCHIES];
	int procs[W_LIMIT_HIERARCHIES];
};

/* Those of an engine; nothing is made before the first limit. */
struct w_limiter {
	bool is_tried;
	struct w_group_pool groups[W_LIMIT_HIERARCHIES];
	unsigned counts[W_LIMIT_HIERARCHIES]; /* 0: not to be had */
	bool is_v2[W_LIMIT_HIERARCHIES];
	struct w_limit_group spares[W_LIMIT_SPARES]; /* empty, no limit met */
	size_t spare_count;
};

void w_limiter_init(struct w_limiter *limiter);
void w_limiter_done(struct w_limiter *limiter);

/*
 * Makes the groups for a run with these limits; 0: none. Cannot fail: what it
 * could not get, counts does not have. Below a few mebibytes memory is never
 * counted by a group, because then the kernel would have to kill a process
 * that still shares the memory of its maker.
 */
void w_limit_group_make(struct w_limiter *limiter,
    const struct w_group_tools *tools, const struct w_limits *limits,
    struct w_limit_group *out_group);

/*
 * Hands out the group of version 2, if it is one, so that the run is held by
 * it: a process is in one group of version 2 only. The caller starts the
 * command in it and gives it back to *out_groups; procs no longer has it.
 */
bool w_limit_group_take_hold(struct w_limit_group *group,
    struct w_group_pool **out_groups, struct w_group *out_hold);

/* Where to write to join; how many there are. Borrowed, close-on-exec, at
 * W_FD_SAFE or above. */
size_t w_limit_group_procs(
    const struct w_limit_group *group, int out_fds[W_LIMIT_HIERARCHIES]);

/* Which limit was met since the groups were made, or WRIT_LIMIT_NONE. */
writ_limit w_limit_group_met(const struct w_limit_group *group);

/* The command has joined: closes the descriptors for it, unless another run
 * will need them. */
void w_limit_group_joined(struct w_limit_group *group);

/* Removes the groups, whose processes are gone, or keeps them for the next run,
 * and leaves the empty one. A group that will not go yet is removed with its
 * engine, or by the guard. */
void w_limit_group_remove(struct w_limit_group *group);

#endif /* W_RUN_LIMIT_GROUP_H */
