/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts a command with the best containment that this machine offers.
 *
 * For root a control group comes first: it costs next to nothing, and the
 * command keeps seeing the machine's own pids. For an ordinary user a pid
 * namespace comes first: a process could leave a delegated group by writing to
 * a sibling's cgroup.procs. The subreaper is the last resort of both.
 */

#include "run/launch/launch.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "os/cgroup.h"
#include "os/file.h"
#include "run/launch/child_command.h"
#include "run/launch/explain.h"
#include "run/launch/helper_file.h"
#include "run/launch/sandbox_start.h"

/* Descriptors for a child must be W_FD_SAFE or above. Occupying the lower
 * numbers once is cheaper than moving each descriptor of each run. */
static writ_status
take_low_numbers(struct w_launcher *launcher, writ_error *err)
{
	W_AUTO_FD int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	while (fd >= 0 && fd < W_FD_SAFE) {
		launcher->low_fds[launcher->low_count++] = fd;
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "engine", errno,
		    "cannot open '/dev/null'");
	launcher->null_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_launcher_init(struct w_launcher *launcher, writ_error *err)
{
	*launcher = (struct w_launcher){.null_fd = -1,
	    .helper_fd = -1,
	    .engine_fd = -1,
	    .watchdog = W_WATCHDOG_NONE};
	w_group_pool_init(&launcher->groups);
	w_limiter_init(&launcher->limiter);
	(void)snprintf(launcher->uid_map, sizeof(launcher->uid_map), "%u %u 1",
	    geteuid(), geteuid());
	(void)snprintf(launcher->gid_map, sizeof(launcher->gid_map), "%u %u 1",
	    getegid(), getegid());
	writ_status status = take_low_numbers(launcher, err);
	if (status == WRIT_OK)
		status = w_spawner_init(&launcher->spawner, err);
	if (status != WRIT_OK)
		w_launcher_done(launcher);
	return status;
}

void
w_launcher_done(struct w_launcher *launcher)
{
	w_run_sandbox_cache_done(&launcher->sandbox_cache);
	bool is_clean = w_group_pool_done(&launcher->groups);
	is_clean = w_limiter_done(&launcher->limiter) && is_clean;
	w_watchdog_done(&launcher->watchdog, is_clean);
	w_close(&launcher->helper_fd);
	w_close(&launcher->engine_fd);
	w_close(&launcher->null_fd);
	while (launcher->low_count > 0)
		w_close(&launcher->low_fds[--launcher->low_count]);
	w_spawner_done(&launcher->spawner);
}

static writ_status
open_engine_fd(struct w_launcher *launcher, writ_error *err)
{
	if (launcher->engine_fd >= 0)
		return WRIT_OK;
	W_AUTO_FD int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int error = fd < 0 ? errno : w_fd_raise(&fd);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "helper", error,
		    "cannot open a pidfd of this process");
	launcher->engine_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_launcher_need_helper(struct w_launcher *launcher, writ_error *err)
{
	writ_status status = open_engine_fd(launcher, err);

	if (status == WRIT_OK && launcher->helper_fd < 0)
		status = w_helper_open(&launcher->helper_fd, err);
	launcher->watchdog.spawner = &launcher->spawner;
	launcher->watchdog.helper_fd = launcher->helper_fd;
	launcher->watchdog.engine_fd = launcher->engine_fd;
	return status;
}

/* The result of one way to start the command. */
enum launch_outcome {
	STARTED,
	UNAVAILABLE, /* attempt.error says why; another way may work */
	FAILED,      /* the error is filled in */
};

struct launching {
	struct w_launcher *launcher;
	const struct w_launch *launch;
	struct w_tree *tree;
	struct w_attempt attempt;
};

static enum launch_outcome
outcome_of(struct launching *launching, writ_status status, writ_error *err)
{
	if (status != WRIT_OK)
		return FAILED;
	if (launching->attempt.error == 0)
		return STARTED;
	(void)w_explain_start(launching->launch, &launching->attempt, err);
	return FAILED;
}

/* Starts our child and stores the result in launching->attempt. The status is
 * for failures that no other way avoids. */
static writ_status
spawn_child(struct launching *launching, struct w_spawn *start,
    const struct w_helper_setup *helper_setup, writ_error *err)
{
	struct w_child_command command;
	struct w_attempt *attempt = &launching->attempt;

	writ_status status = w_child_command_init(&command, launching->launcher,
	    launching->launch, &launching->tree->limits, helper_setup, err);
	if (status != WRIT_OK)
		return status;
	start->plan = &command.plan;
	if (start->init != NULL)
		start->init->command = &command.plan;
	if (launching->launch->pty != NULL)
		command.plan.terminal =
		    start->init == NULL ? W_TERMINAL_LEAD : W_TERMINAL_JOIN;
	attempt->error = w_spawn(
	    &launching->launcher->spawner, start, &launching->tree->child);
	attempt->is_step = command.plan.failed_errno != 0;
	if (attempt->error == 0) {
		if (command.socket >= 0)
			launching->tree->socket = w_take_fd(&command.socket);
		attempt->error = w_child_command_await(&command);
		attempt->is_step = true;
		if (attempt->error != 0)
			w_tree_end_now(launching->tree);
	}
	attempt->step = command.plan.failed_step;
	start->plan = NULL;
	w_child_command_done(&command);
	return WRIT_OK;
}

/* In its sandbox, whose init contains it. */
static enum launch_outcome
by_sandbox(struct launching *launching, writ_error *err)
{
	if (w_launcher_need_helper(launching->launcher, err) != WRIT_OK)
		return FAILED;
	writ_status status = w_run_sandbox_start(launching->launcher,
	    launching->launch, launching->tree, &launching->attempt, err);
	if (status == WRIT_OK && launching->attempt.error != 0) {
		if (w_explain_is_lacking(&launching->attempt))
			launching->launcher->failed_layer = w_explain_layer(
			    launching->launch, &launching->attempt);
		/* ENOENT from exec is about the program's loader or
		 * interpreter, whose paths are not part of the sandbox. */
		launching->launcher->is_stale =
		    launching->attempt.error == ESTALE ||
		    (launching->attempt.error == ENOENT &&
			launching->attempt.step != W_STEP_EXEC);
	}
	return outcome_of(launching, status, err);
}

static enum launch_outcome
by_caller(struct launching *launching, writ_error *err)
{
	struct w_spawn start = {.flags = 0};

	if (launching->launch->identity->is_set &&
	    w_launcher_need_helper(launching->launcher, err) != WRIT_OK)
		return FAILED;
	launching->tree->by = W_TREE_BY_CALLER;
	return outcome_of(
	    launching, spawn_child(launching, &start, NULL, err), err);
}

static enum launch_outcome
groups_failed(struct launching *launching, int error, writ_error *err)
{
	if (w_explain_is_exhaustion(error)) {
		(void)w_fail(err, WRIT_E_SYSTEM, "cgroup", error,
		    "cannot make a control group");
		return FAILED;
	}
	launching->launcher->groups.error = error;
	launching->attempt.error = error;
	return UNAVAILABLE;
}

/* A group with limits also contains the run. 0, or an errno. */
static int
take_group(struct w_launcher *launcher, struct w_tree *tree)
{
	tree->is_limited =
	    w_limit_group_take_hold(&tree->limits, &tree->groups, &tree->group);
	if (tree->is_limited)
		return 0;
	tree->groups = &launcher->groups;
	int error = w_group_pool_open(tree->groups, &launcher->watchdog);
	return error == 0 ? w_group_pool_take(tree->groups, &tree->group)
			  : error;
}

static enum launch_outcome
by_pooled_group(struct launching *launching, writ_error *err)
{
	struct w_tree *tree = launching->tree;

	if (w_launcher_need_helper(launching->launcher, err) != WRIT_OK)
		return FAILED;
	int error = take_group(launching->launcher, tree);
	if (error != 0)
		return groups_failed(launching, error, err);

	tree->by = W_TREE_BY_GROUP;
	struct w_spawn start = {
	    .flags = CLONE_INTO_CGROUP,
	    .group_fd = tree->group.fd,
	};
	writ_status status = spawn_child(launching, &start, NULL, err);
	if (status == WRIT_OK && launching->attempt.error == 0)
		return STARTED;
	w_group_pool_return(tree->groups, &tree->group, tree->is_limited);
	if (tree->is_limited)
		w_limit_group_remove(&tree->limits);
	if (status == WRIT_OK && !launching->attempt.is_step &&
	    !w_explain_is_exhaustion(launching->attempt.error))
		return groups_failed(launching, launching->attempt.error, err);
	return outcome_of(launching, status, err);
}

/* A group for this run alone, which the subreaper watches, kills and
 * removes. */
static enum launch_outcome
by_own_group(struct launching *launching, writ_error *err)
{
	struct w_group_pool *groups = &launching->launcher->groups;
	struct w_tree *tree = launching->tree;
	struct w_spawn start = {.flags = 0};
	uint32_t salt[2] = {0};

	if (w_launcher_need_helper(launching->launcher, err) != WRIT_OK)
		return FAILED;
	(void)!getrandom(salt, sizeof(salt), 0);
	(void)snprintf(tree->group_name, sizeof(tree->group_name),
	    "writ.run.%08x%08x", salt[0], salt[1]);
	tree->group.fd = w_cgroup_make(groups->parent_fd, tree->group_name);
	if (tree->group.fd < 0)
		return groups_failed(launching, errno, err);

	tree->by = W_TREE_BY_SUBREAPER;
	tree->groups = groups;
	int error = w_fd_raise(&tree->group.fd);
	const struct w_helper_setup helper_setup = {
	    .role = W_ROLE_SUBREAPER,
	    .group_fd = tree->group.fd,
	    .group_name = tree->group_name,
	};
	writ_status status =
	    error == 0 ? spawn_child(launching, &start, &helper_setup, err)
		       : w_fail(err, WRIT_E_SYSTEM, "cgroup", error,
			     "cannot hold a control group");
	if (status == WRIT_OK && launching->attempt.error == 0)
		return STARTED;
	w_tree_release_group(tree);
	if (status == WRIT_OK && launching->attempt.step == W_STEP_PROCESS &&
	    !w_explain_is_exhaustion(launching->attempt.error))
		return groups_failed(launching, launching->attempt.error, err);
	return outcome_of(launching, status, err);
}

static enum launch_outcome
by_cgroup(struct launching *launching, writ_error *err)
{
	if (!w_group_pool_available(&launching->launcher->groups)) {
		int error = launching->launcher->groups.error;

		/* The next run may have the resources. */
		if (w_explain_is_exhaustion(error))
			launching->launcher->groups.error = 0;
		return groups_failed(launching, error, err);
	}

	const bool is_first = !launching->launcher->has_run;
	const bool has_limits = launching->tree->limits.counts != 0;

	launching->launcher->has_run = true;
	/* Background processes that are kept outlive the engine, and so must
	 * their group. */
	if (launching->launch->keeps_background)
		return by_own_group(launching, err);
	/* The watchdog and the pool pay off from the second run on. A terminal
	 * needs a helper to lead its session. A group with limits has no room
	 * for one. */
	if (!has_limits && (is_first || launching->launch->pty != NULL))
		return by_own_group(launching, err);
	return by_pooled_group(launching, err);
}

/* Starts the command in a namespace whose PID 1 is the helper. */
static writ_status
spawn_in_namespace(struct launching *launching, uint64_t flags, writ_error *err)
{
	struct w_launcher *launcher = launching->launcher;
	W_AUTO_FD int theirs = -1;
	char name[] = "writ", pid_text[W_PID_TEXT] = "";
	char role[4] = {W_ROLE_INIT};
	size_t at = 1;
	char *const argv[] = {name, role, pid_text, NULL};

	if (launching->launch->keeps_background)
		role[at++] = 'b';
	if (launching->launch->pty != NULL)
		role[at++] = 't';
	int error = w_fd_pair(&launching->tree->socket, &theirs);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "helper", error,
		    "cannot make a socket for the helper");
	struct w_init_plan init = {
	    .helper_fd = launcher->helper_fd,
	    .argv = argv,
	    .pid_text = pid_text,
	    .pass = {theirs, launcher->engine_fd},
	    .terminal = launching->launch->pty == NULL
			    ? -1
			    : launching->launch->pty->slave,
	};
	if ((flags & CLONE_NEWUSER) != 0) {
		init.uid_map = launcher->uid_map;
		init.gid_map = launcher->gid_map;
	}
	struct w_spawn start = {.init = &init, .flags = flags};
	writ_status status = spawn_child(launching, &start, NULL, err);
	if (status != WRIT_OK || launching->attempt.error != 0)
		w_close(&launching->tree->socket);
	return status;
}

/* As the engine's own user, unless root has chosen another. */
static bool
is_by_root(const struct w_launch *launch)
{
	return launch->identity->is_set || launch->identity->uid == 0;
}

/* From the second run on a sandbox init is ready, which is cheaper than
 * executing a helper. UNAVAILABLE: nothing was done. */
static enum launch_outcome
by_bare_sandbox(struct launching *launching, writ_error *err)
{
	struct w_launcher *launcher = launching->launcher;
	struct w_launch launch = *launching->launch;
	/* Whether its process needs privileges to get ready. */
	bool is_late = launch.nice < 0 || is_by_root(&launch);

	if (launcher->pidns_runs++ == 0 || launch.pty != NULL ||
	    w_run_sandbox_bare(&launcher->sandbox_cache, is_late,
		launch.keeps_background, &launch.sandbox, NULL) != WRIT_OK)
		return UNAVAILABLE;
	writ_status status = w_run_sandbox_start_ready(
	    launcher, &launch, launching->tree, &launching->attempt, err);
	w_run_sandbox_release(launch.sandbox);
	return status == WRIT_OK && launching->attempt.error == ENOTCONN
		   ? UNAVAILABLE
		   : outcome_of(launching, status, err);
}

static enum launch_outcome
by_pidns(struct launching *launching, writ_error *err)
{
	struct w_launcher *launcher = launching->launcher;
	struct w_attempt *attempt = &launching->attempt;
	uint64_t flags =
	    CLONE_NEWPID | (is_by_root(launching->launch) ? 0 : CLONE_NEWUSER);

	attempt->error = launcher->pidns_error;
	if (launcher->pidns_error != 0)
		return UNAVAILABLE;
	if (w_launcher_need_helper(launcher, err) != WRIT_OK)
		return FAILED;
	enum launch_outcome outcome = by_bare_sandbox(launching, err);
	if (outcome != UNAVAILABLE)
		return outcome;
	*attempt = (struct w_attempt){0};
	launching->tree->by = W_TREE_BY_INIT;
	writ_status status = spawn_in_namespace(launching, flags, err);

	bool is_refusal = attempt->is_step
			      ? attempt->step == W_STEP_USERNS
			      : !w_explain_is_exhaustion(attempt->error);
	if (status == WRIT_OK && is_refusal && attempt->error != 0) {
		launcher->pidns_error = attempt->error;
		return UNAVAILABLE;
	}
	return outcome_of(launching, status, err);
}

static enum launch_outcome
by_subreaper(struct launching *launching, writ_error *err)
{
	static const struct w_helper_setup helper_setup = {
	    .role = W_ROLE_SUBREAPER, .group_fd = -1, .group_name = ""};
	struct w_spawn start = {.flags = 0};

	if (w_launcher_need_helper(launching->launcher, err) != WRIT_OK)
		return FAILED;
	w_limit_group_remove(&launching->tree->limits);
	launching->tree->by = W_TREE_BY_SUBREAPER;
	return outcome_of(
	    launching, spawn_child(launching, &start, &helper_setup, err), err);
}

typedef enum launch_outcome (*way_fn)(
    struct launching *launching, writ_error *err);

/* The ways to try in turn, best first. The subreaper is always available. */
static const way_fn root_ways[] = {by_cgroup, by_pidns, by_subreaper, NULL};
static const way_fn user_ways[] = {by_pidns, by_subreaper, NULL};

/* With a terminal, a helper above the command leads its session, and a group
 * with limits has no room for one. The init of a pid namespace can. */
static const way_fn limited_terminal_ways[] = {
    by_pidns, by_cgroup, by_subreaper, NULL};

static const way_fn asked_ways[] = {
    [WRIT_HOLD_CGROUP] = by_cgroup,
    [WRIT_HOLD_PIDNS] = by_pidns,
    [WRIT_HOLD_KEEPER] = by_subreaper,
    [WRIT_HOLD_CALLER] = by_caller,
};

static enum launch_outcome
try_ways(struct launching *launching, writ_error *err)
{
	const way_fn *ways = root_ways;
	enum launch_outcome outcome;

	if (launching->launch->hold != WRIT_HOLD_AUTO)
		return asked_ways[launching->launch->hold](launching, err);

	if (!is_by_root(launching->launch))
		ways = user_ways;
	else if (launching->launch->pty != NULL &&
		 launching->tree->limits.counts != 0)
		ways = limited_terminal_ways;
	do {
		const struct w_limit_group limits = launching->tree->limits;

		*launching->tree = W_TREE_NONE;
		launching->tree->limits = limits;
		launching->attempt = (struct w_attempt){0};
		outcome = (*ways++)(launching, err);
	} while (outcome == UNAVAILABLE && *ways != NULL);
	return outcome;
}

/* Creates the groups that count memory and processes. Not under a subreaper: it
 * would be counted itself and, as a member, could not remove them. Not for a
 * kept background: it outlives the engine that watches them. */
static writ_status
make_limits(struct launching *launching, writ_error *err)
{
	const struct w_launch *launch = launching->launch;

	if ((launch->group_limits.memory == 0 &&
		launch->group_limits.processes == 0) ||
	    launch->hold == WRIT_HOLD_KEEPER || launch->keeps_background)
		return WRIT_OK;
	writ_status status = w_launcher_need_helper(launching->launcher, err);
	if (status != WRIT_OK)
		return status;
	w_limit_group_make(&launching->launcher->limiter,
	    &launching->launcher->watchdog, &launch->group_limits,
	    &launching->tree->limits);
	return WRIT_OK;
}

writ_status
w_launch(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *out_tree, writ_error *err)
{
	struct w_tree tree = W_TREE_NONE;
	struct launching launching = {
	    .launcher = launcher,
	    .launch = launch,
	    .tree = &tree,
	};
	const bool has_walls =
	    launch->sandbox != NULL && launch->sandbox->sandbox_plan != NULL;
	writ_error own = {0};
	writ_status status = make_limits(&launching, err);
	if (status != WRIT_OK)
		return status;

	launcher->failed_layer = -1;
	launcher->is_stale = false;
	/* err may be NULL, but the status is read from the error: fill our
	 * own. */
	switch (has_walls ? by_sandbox(&launching, &own)
			  : try_ways(&launching, &own)) {
	case STARTED:
		w_limit_group_joined(&tree.limits);
		*out_tree = tree;
		return WRIT_OK;
	case UNAVAILABLE:
		(void)w_explain_hold(
		    launch->hold, launching.attempt.error, &own);
		break;
	case FAILED:
		break;
	}
	w_limit_group_remove(&tree.limits);
	if (err != NULL)
		*err = own;
	return own.status;
}
