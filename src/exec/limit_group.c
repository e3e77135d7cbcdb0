/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Groups that count memory and processes.
 *
 * Each hierarchy has the engine's own group, its guard, and below it one group
 * for each run. They are not used again: what the page cache holds for an
 * earlier run would count for the next.
 */

#include "exec/limit_group.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "os/cgroup_find.h"
#include "os/file.h"

static const char prefix[] = "writ-limits.";

#define MEMORY_MIN (UINT64_C(4) << 20)

/* The number of a group that somebody else gives back. */
#define BORROWED UINT_MAX

void
w_limiter_init(struct w_limiter *limiter)
{
	*limiter = (struct w_limiter){0};
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		w_groups_init(&limiter->groups[i]);
}

void
w_limiter_done(struct w_limiter *limiter)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		w_groups_done(&limiter->groups[i]);
}

/* Takes a hierarchy into use. Without memory or descriptors there is none for
 * the rest of this engine's life, and the results say "sampling". */
static bool
set_up(struct w_limiter *limiter, int which, const char *controller)
{
	struct w_groups *groups = &limiter->groups[which];

	groups->prefix = prefix;
	groups->parent_fd = w_cgroup_find(controller, &limiter->is_v2[which]);
	if (groups->parent_fd < 0)
		return false;
	groups->is_plain = !limiter->is_v2[which];
	if (w_fd_raise(&groups->parent_fd) == 0)
		return true;
	w_close(&groups->parent_fd);
	return false;
}

/* Version 2 counts both in one group; when only one of them can be handed
 * down, the other stays to be sampled. */
static void
find_hierarchies(struct w_limiter *limiter)
{
	limiter->is_tried = true;
	if (set_up(limiter, 0, "memory"))
		limiter->counts[0] = W_COUNTS_MEMORY;
	if (!set_up(limiter, 1, "pids"))
		return;
	limiter->counts[1] = W_COUNTS_PROCESSES;
	if (limiter->counts[0] != 0 && limiter->is_v2[0] && limiter->is_v2[1]) {
		limiter->counts[0] |= W_COUNTS_PROCESSES;
		limiter->counts[1] = 0;
		w_close(&limiter->groups[1].parent_fd);
	}
}

static int
write_number(int dir_fd, const char *file, uint64_t number)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, number);
	return w_file_write_at(dir_fd, file, text);
}

/* Swap would only put off the end. Kernels without accounting of swap do not
 * have its files. */
static int
limit_memory(int dir_fd, bool is_v2, uint64_t bytes)
{
	int error;

	if (is_v2) {
		error = write_number(dir_fd, "memory.max", bytes);
		(void)write_number(dir_fd, "memory.swap.max", 0);
		(void)write_number(dir_fd, "memory.oom.group", 1);
		return error;
	}
	error = write_number(dir_fd, "memory.limit_in_bytes", bytes);
	(void)write_number(dir_fd, "memory.memsw.limit_in_bytes", bytes);
	return error;
}

/* Which of the wanted a hierarchy may count. */
static unsigned
useful(const struct w_limiter *limiter, int which, uint64_t memory,
    uint64_t processes)
{
	unsigned wanted = (memory >= MEMORY_MIN ? W_COUNTS_MEMORY : 0) |
			  (processes != 0 ? W_COUNTS_PROCESSES : 0);

	return limiter->counts[which] & wanted;
}

/* The base has no processes of its own, so it may hand controllers down. */
static int
open_base(
    struct w_limiter *limiter, int which, const struct w_groups_tools *tools)
{
	struct w_groups *groups = &limiter->groups[which];

	int error = w_groups_open(groups, tools);
	if (error == 0 && limiter->is_v2[which]) {
		(void)w_file_write_at(
		    groups->base_fd, "cgroup.subtree_control", "+memory");
		(void)w_file_write_at(
		    groups->base_fd, "cgroup.subtree_control", "+pids");
	}
	return error;
}

static void
drop(struct w_limit_group *group, int which)
{
	w_close(&group->procs[which]);
	w_groups_give(
	    &group->limiter->groups[which], &group->dirs[which], true);
}

/* Who joins is one thread, and in version 1 can say so: for a whole process
 * the kernel would first stop every fork and exit on the machine, and wait
 * until all processors have seen that, which takes ten milliseconds. */
static int
open_procs(struct w_limit_group *group, int which)
{
	const char *file =
	    group->limiter->is_v2[which] ? "cgroup.procs" : "tasks";
	int fd = openat(group->dirs[which].fd, file, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	int error = w_fd_raise(&fd);
	group->procs[which] = fd;
	return error;
}

/* What one hierarchy counts then; 0 with nothing left behind. */
static unsigned
make_one(
    struct w_limit_group *group, int which, uint64_t memory, uint64_t processes)
{
	struct w_limiter *limiter = group->limiter;
	unsigned counts = useful(limiter, which, memory, processes);

	if (w_groups_take(&limiter->groups[which], &group->dirs[which]) != 0)
		return 0;

	int fd = group->dirs[which].fd;
	if ((counts & W_COUNTS_MEMORY) != 0 &&
	    limit_memory(fd, limiter->is_v2[which], memory) != 0)
		counts &= ~(unsigned)W_COUNTS_MEMORY;
	if ((counts & W_COUNTS_PROCESSES) != 0 &&
	    write_number(fd, "pids.max", processes) != 0)
		counts &= ~(unsigned)W_COUNTS_PROCESSES;
	if (counts == 0 || open_procs(group, which) != 0) {
		drop(group, which);
		return 0;
	}
	return counts;
}

void
w_limit_group_make(struct w_limiter *limiter,
    const struct w_groups_tools *tools, uint64_t memory, uint64_t processes,
    struct w_limit_group *out_group)
{
	struct w_limit_group group = {
	    .limiter = limiter,
	    .dirs = {{.fd = -1}, {.fd = -1}},
	    .procs = {-1, -1},
	};

	if (!limiter->is_tried)
		find_hierarchies(limiter);
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++) {
		if (useful(limiter, i, memory, processes) != 0 &&
		    open_base(limiter, i, tools) == 0)
			group.counts |= make_one(&group, i, memory, processes);
	}
	*out_group = group;
}

size_t
w_limit_group_procs(
    const struct w_limit_group *group, int out_fds[W_LIMIT_HIERARCHIES])
{
	size_t count = 0;

	for (int i = 0; i < W_LIMIT_HIERARCHIES && group->limiter != NULL;
	     i++) {
		if (group->procs[i] >= 0)
			out_fds[count++] = group->procs[i];
	}
	return count;
}

bool
w_limit_group_take_hold(struct w_limit_group *group,
    struct w_groups **out_groups, struct w_group *out_hold)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES && group->limiter != NULL;
	     i++) {
		if (group->dirs[i].fd < 0 || !group->limiter->is_v2[i])
			continue;

		/* The copy is for looking; the number stays with the other. */
		int copy = fcntl(group->dirs[i].fd, F_DUPFD_CLOEXEC, W_FD_SAFE);
		if (copy < 0)
			return false;
		*out_hold = group->dirs[i];
		*out_groups = &group->limiter->groups[i];
		group->dirs[i] =
		    (struct w_group){.fd = copy, .number = BORROWED};
		w_close(&group->procs[i]);
		return true;
	}
	return false;
}

/* The number behind a word at the start of a line; 0 without it. */
static uint64_t
count_of(int dir_fd, const char *file, const char *word)
{
	char text[512];
	size_t len = strlen(word);

	if (w_file_read_at(dir_fd, file, text, sizeof(text)) <= 0)
		return 0;
	for (const char *at = text; *at != '\0';) {
		if (strncmp(at, word, len) == 0 && at[len] == ' ')
			return strtoull(at + len, NULL, 10);
		at += strcspn(at, "\n");
		at += *at == '\n' ? 1 : 0;
	}
	return 0;
}

static writ_limit
look_at(const struct w_limit_group *group, int which)
{
	int fd = group->dirs[which].fd;
	const char *file = group->limiter->is_v2[which] ? "memory.events"
							: "memory.oom_control";

	if (fd < 0)
		return WRIT_LIMIT_NONE;
	if ((group->counts & W_COUNTS_MEMORY) != 0 &&
	    count_of(fd, file, "oom_kill") != 0)
		return WRIT_LIMIT_MEMORY;
	if ((group->counts & W_COUNTS_PROCESSES) != 0 &&
	    count_of(fd, "pids.events", "max") != 0)
		return WRIT_LIMIT_PROCESSES;
	return WRIT_LIMIT_NONE;
}

writ_limit
w_limit_group_look(const struct w_limit_group *group)
{
	writ_limit limit = WRIT_LIMIT_NONE;

	if (group->limiter == NULL)
		return WRIT_LIMIT_NONE;
	for (int i = 0; i < W_LIMIT_HIERARCHIES && limit == WRIT_LIMIT_NONE;
	     i++)
		limit = look_at(group, i);
	return limit;
}

void
w_limit_group_joined(struct w_limit_group *group)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES && group->limiter != NULL; i++)
		w_close(&group->procs[i]);
}

void
w_limit_group_remove(struct w_limit_group *group)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES && group->limiter != NULL;
	     i++) {
		if (group->dirs[i].number == BORROWED)
			w_close(&group->dirs[i].fd);
		else if (group->dirs[i].fd >= 0)
			drop(group, i);
	}
	*group = (struct w_limit_group){0};
}
