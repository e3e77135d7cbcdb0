/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_LIMIT_GROUP_H
#define W_RUN_LIMIT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/result.h>

#include "run/limits/group_pool.h"

/*
 * Limits of a whole run that the kernel itself counts, where a control group
 * with the controllers "memory" and "pids" can be created: in version 2, or in
 * the hierarchies of version 1. The rest is sampled.
 *
 * The command's process joins while it has one thread, before it executes the
 * command, by writing "0" to each descriptor of w_limit_group_procs().
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

/* Files of a group that are read at the end of each run. */
enum {
	W_LIMIT_OOM_KILLS,
	W_LIMIT_REFUSED_FORKS,
	W_LIMIT_MEMORY_USED,
	W_LIMIT_FILES
};

/* At most this many empty groups are kept for later runs. */
enum {
	W_LIMIT_SPARES = 16
};

/* The limits of a run; 0: none. */
struct w_limits {
	uint64_t memory; /* bytes */
	uint64_t processes;
	bool has_own_memory; /* memory is not the default: see limit_group.c */
};

/* The groups of one run. All zero: none. */
struct w_limit_group {
	struct w_limiter *limiter; /* NULL: none */
	struct w_limits limits;
	unsigned counts; /* what they count together */
	struct w_group dirs[W_LIMIT_HIERARCHIES];
	int procs[W_LIMIT_HIERARCHIES];
	int files[W_LIMIT_HIERARCHIES][W_LIMIT_FILES]; /* -1: not open */
};

/* The groups of an engine; nothing is created before the first limit. */
struct w_limiter {
	bool is_tried;
	struct w_group_pool groups[W_LIMIT_HIERARCHIES];
	unsigned counts[W_LIMIT_HIERARCHIES]; /* 0: unavailable */
	bool is_v2[W_LIMIT_HIERARCHIES];
	struct w_limit_group spares[W_LIMIT_SPARES]; /* empty, no limit met */
	size_t spare_count;
};

void w_limiter_init(struct w_limiter *limiter);
/* false: something is left for the watchdog. */
bool w_limiter_done(struct w_limiter *limiter);

/*
 * Creates the groups for a run with these limits. Cannot fail: what is not
 * available is missing in counts. Memory limits below a few mebibytes are never
 * counted by a group, because the kernel would have to kill a process that
 * still shares its parent's memory.
 */
void w_limit_group_make(struct w_limiter *limiter, struct w_watchdog *watchdog,
    const struct w_limits *limits, struct w_limit_group *out_group);

/*
 * Hands out the group of version 2, if there is one, to contain the run: a
 * process is in only one group of version 2. The caller starts the command in
 * it and returns it to *out_groups; procs no longer has it.
 */
bool w_limit_group_take_hold(struct w_limit_group *group,
    struct w_group_pool **out_groups, struct w_group *out_hold);

/* The descriptors to write "0" to; returns their number. Borrowed,
 * close-on-exec, at W_FD_SAFE or above. */
size_t w_limit_group_procs(
    const struct w_limit_group *group, int out_fds[W_LIMIT_HIERARCHIES]);

/* Which limit was met since the groups were created, or WRIT_LIMIT_NONE. */
writ_limit w_limit_group_met(struct w_limit_group *group);

/* The command has joined: closes the procs descriptors, unless another run will
 * need them. */
void w_limit_group_joined(struct w_limit_group *group);

/* Removes the groups, whose processes are gone, or keeps them for the next run,
 * and clears *group. A group that is still busy is removed with its engine, or
 * by the watchdog. */
void w_limit_group_remove(struct w_limit_group *group);

#endif /* W_RUN_LIMIT_GROUP_H */
