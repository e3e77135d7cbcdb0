/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starting a command under the best hold that this machine offers.
 *
 * For root a control group comes first: it costs next to nothing, and the
 * command keeps seeing the machine's own process numbers. For an ordinary
 * user a pid namespace comes first: a delegated group could be left by
 * writing to its neighbour. The keeper is the last resort of both.
 */

#include "exec/launch.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "exec/explain.h"
#include "exec/helper.h"
#include "exec/helper_start.h"
#include "os/cgroup.h"
#include "os/file.h"

writ_status
w_launcher_init(struct w_launcher *launcher, writ_error *err)
{
	*launcher = (struct w_launcher){.helper_fd = -1, .engine_fd = -1};
	w_groups_init(&launcher->groups);
	(void)snprintf(launcher->uid_map, sizeof(launcher->uid_map), "%u %u 1",
	    geteuid(), geteuid());
	(void)snprintf(launcher->gid_map, sizeof(launcher->gid_map), "%u %u 1",
	    getegid(), getegid());
	return w_spawner_init(&launcher->spawner, err);
}

void
w_launcher_done(struct w_launcher *launcher)
{
	w_groups_done(&launcher->groups);
	w_close(&launcher->helper_fd);
	w_close(&launcher->engine_fd);
	w_spawner_done(&launcher->spawner);
}

static writ_status
need_helper(struct w_launcher *launcher, writ_error *err)
{
	if (launcher->engine_fd < 0) {
		int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

		if (fd < 0)
			return w_fail(err, WRIT_E_SYSTEM, "helper", errno,
			    "pidfd_open");
		launcher->engine_fd = fd;
		int error = w_fd_raise(&launcher->engine_fd);
		if (error != 0)
			return w_fail(err, WRIT_E_SYSTEM, "helper", error,
			    "cannot hold a descriptor for the helper");
	}
	if (launcher->helper_fd >= 0)
		return WRIT_OK;
	return w_helper_open(&launcher->helper_fd, err);
}

/* Whether a way of holding can be had at all, or the start failed. */
enum verdict {
	STARTED,
	UNAVAILABLE, /* attempt.error says why; another way may do */
	FAILED,      /* the error is filled in */
};

struct way {
	struct w_launcher *launcher;
	const struct w_launch *launch;
	struct w_tree *tree;
	struct w_attempt attempt;
};

static enum verdict
judge(struct way *way, writ_status status, writ_error *err)
{
	if (status != WRIT_OK)
		return FAILED;
	if (way->attempt.error == 0)
		return STARTED;
	(void)w_explain_start(way->launch, &way->attempt, err);
	return FAILED;
}

static bool
is_exhaustion(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE ||
	       error == EAGAIN;
}

/* Our child is the command, or the helper that becomes it after changing the
 * user: not in memory shared with a process that belongs to root. */
static writ_status
start_plain(struct way *way, uint64_t flags, int group_fd, writ_error *err)
{
	struct w_child_plan plan;

	if (way->launch->identity->is_set) {
		const struct w_helper_start start = {
		    .role = W_ROLE_LAUNCH,
		    .flags = flags,
		    .group_fd = group_fd,
		    .group_name = "",
		};
		writ_status status = need_helper(way->launcher, err);

		if (status != WRIT_OK)
			return status;
		return w_helper_start(way->launcher, way->launch, &start,
		    way->tree, &way->attempt, err);
	}
	w_launch_plan(way->launch, &plan);
	way->attempt.error = w_spawn(&way->launcher->spawner, &plan, flags,
	    group_fd, &way->tree->child);
	way->attempt.is_step = plan.failed_errno != 0;
	way->attempt.step = plan.failed_step;
	return WRIT_OK;
}

static enum verdict
by_caller(struct way *way, writ_error *err)
{
	way->tree->by = W_TREE_BY_CALLER;
	return judge(way, start_plain(way, 0, -1, err), err);
}

static enum verdict
groups_failed(struct way *way, int error, writ_error *err)
{
	if (is_exhaustion(error)) {
		(void)w_fail(err, WRIT_E_SYSTEM, "cgroup", error,
		    "cannot make a control group");
		return FAILED;
	}
	way->launcher->groups.error = error;
	way->attempt.error = error;
	return UNAVAILABLE;
}

static enum verdict
by_group(struct way *way, writ_error *err)
{
	struct w_groups *groups = &way->launcher->groups;
	struct w_tree *tree = way->tree;

	if (need_helper(way->launcher, err) != WRIT_OK)
		return FAILED;
	const struct w_groups_tools tools = {
	    .spawner = &way->launcher->spawner,
	    .helper_fd = way->launcher->helper_fd,
	    .engine_fd = way->launcher->engine_fd,
	};
	int error = w_groups_open(groups, &tools);
	if (error == 0)
		error = w_groups_take(groups, &tree->group);
	if (error != 0)
		return groups_failed(way, error, err);

	tree->by = W_TREE_BY_GROUP;
	tree->groups = groups;
	writ_status status =
	    start_plain(way, CLONE_INTO_CGROUP, tree->group.fd, err);
	if (status == WRIT_OK && way->attempt.error == 0)
		return STARTED;
	w_groups_give(groups, &tree->group, false);
	if (status == WRIT_OK && !way->attempt.is_step &&
	    !is_exhaustion(way->attempt.error))
		return groups_failed(way, way->attempt.error, err);
	return judge(way, status, err);
}

/* The background outlives the engine, so its group does too: the keeper fills
 * it, watches it, and removes it. */
static enum verdict
by_group_keeper(struct way *way, writ_error *err)
{
	struct w_groups *groups = &way->launcher->groups;
	uint32_t salt[2] = {0};
	char name[40];

	if (need_helper(way->launcher, err) != WRIT_OK)
		return FAILED;
	(void)!getrandom(salt, sizeof(salt), 0);
	(void)snprintf(
	    name, sizeof(name), "writ.keep.%08x%08x", salt[0], salt[1]);
	W_AUTO_FD int group_fd = w_cgroup_make(groups->parent_fd, name);
	int error = group_fd < 0 ? errno : w_fd_raise(&group_fd);
	if (error != 0)
		return groups_failed(way, error, err);

	const struct w_helper_start start = {
	    .role = W_ROLE_KEEPER,
	    .group_fd = group_fd,
	    .group_name = name,
	};
	way->tree->by = W_TREE_BY_KEEPER;
	way->tree->has_group = true;
	writ_status status = w_helper_start(way->launcher, way->launch, &start,
	    way->tree, &way->attempt, err);
	if (status != WRIT_OK || way->attempt.error != 0) {
		way->tree->has_group = false;
		(void)unlinkat(groups->parent_fd, name, AT_REMOVEDIR);
	}
	return judge(way, status, err);
}

static enum verdict
by_cgroup(struct way *way, writ_error *err)
{
	if (!w_groups_available(&way->launcher->groups)) {
		way->attempt.error = way->launcher->groups.error;
		return UNAVAILABLE;
	}
	return way->launch->keeps_background ? by_group_keeper(way, err)
	                                     : by_group(way, err);
}

static enum verdict
by_pidns(struct way *way, writ_error *err)
{
	struct w_launcher *launcher = way->launcher;
	const struct w_helper_start start = {
	    .role = W_ROLE_INIT,
	    .flags = CLONE_NEWPID | (geteuid() == 0 ? 0 : CLONE_NEWUSER),
	    .group_fd = -1,
	    .group_name = "",
	};

	way->attempt.error = launcher->pidns_error;
	if (launcher->pidns_error != 0)
		return UNAVAILABLE;
	if (need_helper(launcher, err) != WRIT_OK)
		return FAILED;
	way->tree->by = W_TREE_BY_INIT;
	writ_status status = w_helper_start(
	    launcher, way->launch, &start, way->tree, &way->attempt, err);

	bool is_refusal =
	    way->attempt.is_step
	        ? way->attempt.step == W_STEP_USERNS
	        : way->attempt.error != 0 && !is_exhaustion(way->attempt.error);
	if (status == WRIT_OK && is_refusal && way->attempt.error != 0) {
		launcher->pidns_error = way->attempt.error;
		return UNAVAILABLE;
	}
	return judge(way, status, err);
}

static enum verdict
by_keeper(struct way *way, writ_error *err)
{
	const struct w_helper_start start = {
	    .role = W_ROLE_KEEPER,
	    .group_fd = -1,
	    .group_name = "",
	};

	if (need_helper(way->launcher, err) != WRIT_OK)
		return FAILED;
	way->tree->by = W_TREE_BY_KEEPER;
	return judge(way,
	    w_helper_start(way->launcher, way->launch, &start, way->tree,
	        &way->attempt, err),
	    err);
}

typedef enum verdict (*way_fn)(struct way *way, writ_error *err);

/* The ways to try in turn, best first. The keeper is never unavailable. */
static const way_fn root_ways[] = {by_cgroup, by_pidns, by_keeper};
static const way_fn user_ways[] = {by_pidns, by_keeper};

static const way_fn asked_ways[] = {
    [WRIT_HOLD_CGROUP] = by_cgroup,
    [WRIT_HOLD_PIDNS] = by_pidns,
    [WRIT_HOLD_KEEPER] = by_keeper,
    [WRIT_HOLD_CALLER] = by_caller,
};

static enum verdict
try_ways(struct way *way, writ_error *err)
{
	const way_fn *ways = geteuid() == 0 ? root_ways : user_ways;
	enum verdict verdict;

	if (way->launch->hold != WRIT_HOLD_AUTO)
		return asked_ways[way->launch->hold](way, err);
	do {
		*way->tree = (struct w_tree){
		    .child = {.pidfd = -1}, .socket = -1, .group = {.fd = -1}};
		way->attempt = (struct w_attempt){0};
		verdict = (*ways++)(way, err);
	} while (verdict == UNAVAILABLE);
	return verdict;
}

writ_status
w_launch(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *out_tree, writ_error *err)
{
	struct w_tree tree = {
	    .child = {.pidfd = -1}, .socket = -1, .group = {.fd = -1}};
	struct way way = {
	    .launcher = launcher,
	    .launch = launch,
	    .tree = &tree,
	};
	writ_error own = {0};

	/* The status is read back from the error, so there must be one. */
	switch (try_ways(&way, &own)) {
	case STARTED:
		*out_tree = tree;
		return WRIT_OK;
	case UNAVAILABLE:
		(void)w_explain_hold(launch->hold, way.attempt.error, &own);
		break;
	case FAILED:
		break;
	}
	if (err != NULL)
		*err = own;
	return own.status;
}
