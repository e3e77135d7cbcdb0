/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Control groups that limit memory and processes.
 *
 * Each hierarchy has the engine's own group, and below it one group for each
 * run.
 *
 * A group with a memory limit set by the request is removed with the run: page
 * cache of an earlier run would be charged to the next. The default limit is
 * far above that, so its groups are kept for the next run with the same limits.
 */

#include "run/limits/limit_group.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/cgroup_find.h"
#include "os/file.h"

static const char prefix[] = "writ-limits.";

#define MEMORY_MIN (UINT64_C(4) << 20)

/* A group is reused while it holds less than this fraction of its limit. Pages
 * of a file on tmpfs stay charged to it after their run has ended. */
#define SPARE_SHARE 16

/* The number of a group that the caller returns to the pool. */
#define BORROWED UINT_MAX

void
w_limiter_init(struct w_limiter *limiter)
{
	*limiter = (struct w_limiter){0};
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		w_group_pool_init(&limiter->groups[i]);
}

/* Sets up one hierarchy. If that fails for lack of memory or descriptors, it
 * stays unused for the life of this engine, and the results say "sampling". */
static bool
set_up(struct w_limiter *limiter, int which,
    const struct w_cgroup_tables *tables, const char *controller)
{
	struct w_group_pool *groups = &limiter->groups[which];

	groups->prefix = prefix;
	groups->parent_fd =
	    w_cgroup_find(tables, controller, &limiter->is_v2[which]);
	if (groups->parent_fd < 0)
		return false;
	groups->is_plain = !limiter->is_v2[which];
	if (w_fd_raise(&groups->parent_fd) == 0)
		return true;
	w_close(&groups->parent_fd);
	return false;
}

/* Version 2 counts both in one group; when only one controller can be enabled,
 * the other limit is sampled. */
static void
find_hierarchies(struct w_limiter *limiter)
{
	struct w_cgroup_tables tables = {.mounts = NULL};

	limiter->is_tried = true;
	if (!w_cgroup_tables_read(&tables))
		return;
	if (set_up(limiter, 0, &tables, "memory"))
		limiter->counts[0] = W_COUNTS_MEMORY;
	if (set_up(limiter, 1, &tables, "pids"))
		limiter->counts[1] = W_COUNTS_PROCESSES;
	w_cgroup_tables_done(&tables);
	if (limiter->counts[1] == 0)
		return;
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

/* Swap would only delay the end. Kernels without swap accounting do not have
 * its files. */
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

/* Which of the requested limits a hierarchy can count. */
static unsigned
useful(
    const struct w_limiter *limiter, int which, const struct w_limits *limits)
{
	unsigned wanted = (limits->memory >= MEMORY_MIN ? W_COUNTS_MEMORY : 0) |
			  (limits->processes != 0 ? W_COUNTS_PROCESSES : 0);

	return limiter->counts[which] & wanted;
}

/* The base has no processes of its own, so it may enable controllers for its
 * children. */
static int
open_base(struct w_limiter *limiter, int which, struct w_watchdog *watchdog)
{
	struct w_group_pool *groups = &limiter->groups[which];

	int error = w_group_pool_open(groups, watchdog);
	if (error == 0 && limiter->is_v2[which]) {
		(void)w_file_write_at(
		    groups->base_fd, "cgroup.subtree_control", "+memory");
		(void)w_file_write_at(
		    groups->base_fd, "cgroup.subtree_control", "+pids");
	}
	return error;
}

static void
close_files(struct w_limit_group *group, int which)
{
	for (int i = 0; i < W_LIMIT_FILES; i++)
		w_close(&group->files[which][i]);
}

static void
limit_group_drop(struct w_limit_group *group, int which)
{
	w_close(&group->procs[which]);
	close_files(group, which);
	w_group_pool_return(
	    &group->limiter->groups[which], &group->dirs[which], true);
}

/* A process that joins has one thread. In version 1 "tasks" makes use of that:
 * for a whole process the kernel first blocks every fork and exit on the
 * machine and waits for all CPUs, which takes ten milliseconds. */
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

/* Returns what the hierarchy counts then; 0: nothing was created. */
static unsigned
make_one(struct w_limit_group *group, int which)
{
	struct w_limiter *limiter = group->limiter;
	const struct w_limits *limits = &group->limits;
	unsigned counts = useful(limiter, which, limits);

	if (w_group_pool_take(&limiter->groups[which], &group->dirs[which]) !=
	    0)
		return 0;

	int fd = group->dirs[which].fd;
	if ((counts & W_COUNTS_MEMORY) != 0 &&
	    limit_memory(fd, limiter->is_v2[which], limits->memory) != 0)
		counts &= ~(unsigned)W_COUNTS_MEMORY;
	if ((counts & W_COUNTS_PROCESSES) != 0 &&
	    write_number(fd, "pids.max", limits->processes) != 0)
		counts &= ~(unsigned)W_COUNTS_PROCESSES;
	if (counts == 0 || open_procs(group, which) != 0) {
		limit_group_drop(group, which);
		return 0;
	}
	return counts;
}

/* Reuses the groups of an earlier run with the same limits. */
static bool
take_spare(struct w_limiter *limiter, const struct w_limits *limits,
    struct w_limit_group *out_group)
{
	for (size_t i = limiter->spare_count; i-- > 0;) {
		const struct w_limits *spare = &limiter->spares[i].limits;

		if (limits->has_own_memory || spare->memory != limits->memory ||
		    spare->processes != limits->processes)
			continue;
		*out_group = limiter->spares[i];
		limiter->spares[i] = limiter->spares[--limiter->spare_count];
		return true;
	}
	return false;
}

void
w_limit_group_make(struct w_limiter *limiter, struct w_watchdog *watchdog,
    const struct w_limits *limits, struct w_limit_group *out_group)
{
	struct w_limit_group group = {
	    .limiter = limiter,
	    .limits = *limits,
	    .dirs = {{.fd = -1}, {.fd = -1}},
	    .procs = {-1, -1},
	    .files = {{-1, -1, -1}, {-1, -1, -1}},
	};
	bool is_open[W_LIMIT_HIERARCHIES];

	if (!limiter->is_tried)
		find_hierarchies(limiter);
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		is_open[i] = useful(limiter, i, limits) != 0 &&
			     open_base(limiter, i, watchdog) == 0;
	if (take_spare(limiter, limits, out_group))
		return;
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++) {
		if (is_open[i])
			group.counts |= make_one(&group, i);
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
    struct w_group_pool **out_groups, struct w_group *out_hold)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES && group->limiter != NULL;
	     i++) {
		if (group->dirs[i].fd < 0 || !group->limiter->is_v2[i])
			continue;

		/* The copy is for reading; the pool's number goes to the
		 * caller. */
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

/*
 * Reads a file of a group. It stays open: groups are used again, and opening
 * costs more than reading. The kernel makes the text anew for each read from
 * the start; not so for the lists of processes in version 1, which are opened
 * each time.
 */
static bool
read_file(
    struct w_limit_group *group, int which, int what, char *text, size_t size)
{
	static const char *const names[][W_LIMIT_FILES] = {
	    {"memory.oom_control", "pids.events", "memory.usage_in_bytes"},
	    {"memory.events", "pids.events", "memory.current"},
	};
	int *fd = &group->files[which][what];

	if (*fd < 0)
		*fd = openat(group->dirs[which].fd,
		    names[group->limiter->is_v2[which]][what],
		    O_RDONLY | O_CLOEXEC);
	if (*fd < 0 || w_fd_raise(fd) != 0)
		return false;
	const ssize_t len = pread(*fd, text, size - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/* The number after a word at the start of a line; 0: no such line. */
static uint64_t
limit_group_count_of(
    struct w_limit_group *group, int which, int what, const char *word)
{
	char text[512];
	size_t len = strlen(word);

	if (!read_file(group, which, what, text, sizeof(text)))
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
limit_group_look_at(struct w_limit_group *group, int which)
{
	const unsigned counts = group->counts & group->limiter->counts[which];

	if (group->dirs[which].fd < 0)
		return WRIT_LIMIT_NONE;
	if ((counts & W_COUNTS_MEMORY) != 0 &&
	    limit_group_count_of(group, which, W_LIMIT_OOM_KILLS, "oom_kill") !=
		0)
		return WRIT_LIMIT_MEMORY;
	if ((counts & W_COUNTS_PROCESSES) != 0 &&
	    limit_group_count_of(group, which, W_LIMIT_REFUSED_FORKS, "max") !=
		0)
		return WRIT_LIMIT_PROCESSES;
	return WRIT_LIMIT_NONE;
}

writ_limit
w_limit_group_met(struct w_limit_group *group)
{
	writ_limit limit = WRIT_LIMIT_NONE;

	if (group->limiter == NULL)
		return WRIT_LIMIT_NONE;
	for (int i = 0; i < W_LIMIT_HIERARCHIES && limit == WRIT_LIMIT_NONE;
	     i++)
		limit = limit_group_look_at(group, i);
	return limit;
}

void
w_limit_group_joined(struct w_limit_group *group)
{
	if (group->limiter == NULL || !group->limits.has_own_memory)
		return;
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		w_close(&group->procs[i]);
}

static void
remove_all(struct w_limit_group *group)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES && group->limiter != NULL;
	     i++) {
		if (group->dirs[i].number == BORROWED) {
			close_files(group, i);
			w_close(&group->dirs[i].fd);
		} else if (group->dirs[i].fd >= 0) {
			limit_group_drop(group, i);
		}
	}
}

static bool
is_empty(const struct w_limit_group *group, int which)
{
	char text[32];
	const char *file =
	    group->limiter->is_v2[which] ? "cgroup.procs" : "tasks";

	return w_file_read_at(
		   group->dirs[which].fd, file, text, sizeof(text)) == 0;
}

static bool
is_nearly_unused(struct w_limit_group *group, int which)
{
	char text[32];

	return read_file(
		   group, which, W_LIMIT_MEMORY_USED, text, sizeof(text)) &&
	       strtoull(text, NULL, 10) < group->limits.memory / SPARE_SHARE;
}

/* Whether the groups can be reused as if they were new. */
static bool
is_like_new(struct w_limit_group *group)
{
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++) {
		if (group->dirs[i].fd < 0)
			continue;
		if (group->procs[i] < 0 || !is_empty(group, i) ||
		    ((group->limiter->counts[i] & W_COUNTS_MEMORY) != 0 &&
			!is_nearly_unused(group, i)))
			return false;
	}
	return w_limit_group_met(group) == WRIT_LIMIT_NONE;
}

void
w_limit_group_remove(struct w_limit_group *group)
{
	struct w_limiter *limiter = group->limiter;

	if (limiter != NULL && !group->limits.has_own_memory &&
	    group->counts != 0 && limiter->spare_count < W_LIMIT_SPARES &&
	    is_like_new(group))
		limiter->spares[limiter->spare_count++] = *group;
	else
		remove_all(group);
	*group = (struct w_limit_group){0};
}

bool
w_limiter_done(struct w_limiter *limiter)
{
	bool is_clean = true;

	while (limiter->spare_count > 0)
		remove_all(&limiter->spares[--limiter->spare_count]);
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		is_clean = w_group_pool_done(&limiter->groups[i]) && is_clean;
	return is_clean;
}
