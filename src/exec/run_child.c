/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How a run learns that its processes have ended: from the pidfd of our child,
 * from the helper above the command, or from the events of a control group.
 */

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "exec/run_parts.h"
#include "exec/run_ward.h"
#include "os/cgroup.h"

enum {
	RECHECK_MS = 10,
	LOOKS_MAX = 100,
	WORDS_TURN = 16
};

/* ---- a control group ---- */

static void check_group(struct writ_job *job);

void
w_run_on_events(struct w_source *source, uint32_t events)
{
	(void)events;
	check_group(JOB_OF(source, events));
}

void
w_run_on_recheck(struct w_timer *timer)
{
	check_group(JOB_OF(timer, recheck));
}

/* Has the kernel tell us when the group changes; false: it cannot now. */
static bool
watch_group(struct writ_job *job)
{
	if (job->events.fd >= 0)
		return true;
	job->events_fd = w_cgroup_open_events(job->tree.group.fd);
	if (job->events_fd < 0)
		return false;
	job->events.fd = job->events_fd;
	if (w_loop_add(&job->runner->loop, &job->events, EPOLLPRI) != 0) {
		job->events.fd = -1;
		w_close(&job->events_fd);
		return false;
	}
	return true;
}

static void
check_group(struct writ_job *job)
{
	int populated = w_tree_populated(&job->tree);
	bool was_watched = job->events.fd >= 0;

	/* A keeper that ended in order has removed the group already. */
	if (populated == 0 || populated == -ENOENT || populated == -ENODEV) {
		w_run_tree_gone(job);
		return;
	}
	/* In its grace the rest of the tree may still end by itself. */
	if (populated > 0 && !job->is_ending && job->forced == 0)
		w_run_force(job);
	if (populated < 0 || !watch_group(job)) {
		w_run_arm_after(job, &job->recheck, RECHECK_MS);
		return;
	}
	/* It may have emptied just before the watch began. And word of the
	 * end of killed processes comes through a worker of the kernel that
	 * may have to wait its turn: looking is quicker. */
	if (!was_watched || (job->forced > 0 && job->looks++ < LOOKS_MAX))
		w_run_arm_after(job, &job->recheck, 1);
}

/* ---- the helper ---- */

static void
on_kept(struct w_source *source, uint32_t events)
{
	struct w_kept *kept = (struct w_kept *)source;
	struct w_ended ended;

	(void)events;
	w_loop_remove(&kept->runner->loop, &kept->source);
	w_reap(&kept->child, &ended);
}

bool
w_run_leave_child(struct writ_job *job, bool is_leaving)
{
	struct w_runner *runner = job->runner;
	struct w_kept *kept = calloc(1, sizeof(*kept));

	if (kept == NULL)
		return false;
	w_loop_remove(&runner->loop, &job->child);
	*kept = (struct w_kept){
	    .source = {.fd = job->tree.child.pidfd, .fn = on_kept},
	    .child = job->tree.child,
	    .runner = runner,
	    .next = runner->kept,
	    .is_leaving = is_leaving,
	};
	job->tree.child.pidfd = -1;
	if (w_loop_add(&runner->loop, &kept->source, EPOLLIN) != 0)
		kept->source.fd = -1;
	runner->kept = kept;
	return true;
}

/* The helper stays behind as the parent of the background. */
static bool
keep_helper(struct writ_job *job)
{
	const char keep[2] = {W_ASK_KEEP, 0};

	job->background = w_run_count_others(job);
	if (!w_run_leave_child(job, false))
		return false;
	/* The group is the helper's to remove, when it is empty. */
	w_close(&job->tree.group.fd);
	/* A helper that is gone has taken the background with it. */
	if (send(job->tree.socket, keep, sizeof(keep), MSG_NOSIGNAL) < 0)
		job->background = 0;
	return true;
}

static void
command_ended(struct writ_job *job, const struct w_tell *told)
{
	job->is_command_ended = true;
	job->killed += told->killed;
	job->ended = (struct w_ended){
	    .is_known = 1,
	    .status = told->status,
	    .user_us = told->user_us,
	    .system_us = told->system_us,
	    .max_rss_kib = told->max_rss_kib,
	};
	if (told->remaining == 0) {
		/* The helper has only itself to end, which nobody has to wait
		 * for. */
		if (told->gone && job->tree.by == W_TREE_BY_INIT &&
		    w_run_leave_child(job, true))
			w_run_tree_gone(job);
		return;
	}
	if (job->is_ending || !WIFEXITED(told->status) || !keep_helper(job)) {
		w_run_force(job);
		return;
	}
	w_run_tree_gone(job);
}

/* Whoever does not ask to be told has nobody who could wake it. Who stops for
 * want of the terminal would only stop again. */
static void
command_stopped(struct writ_job *job, int sig)
{
	if (job->on_stop != NULL)
		job->on_stop(job->stop_ctx, job, sig);
	else if (sig == SIGTSTP)
		w_tree_signal(&job->tree, SIGCONT, false);
}

static void
hear(struct writ_job *job, unsigned words)
{
	struct w_tell told;

	while (words-- > 0) {
		int more = w_run_receive(job, &told);

		if (more < 0)
			w_loop_remove(&job->runner->loop, &job->socket);
		if (more <= 0)
			return;
		if (told.kind == W_TELL_STOPPED)
			command_stopped(job, told.status);
		if (told.kind != W_TELL_ENDED)
			continue;
		command_ended(job, &told);
		return;
	}
}

/* Somebody may stop and continue the command all the time: other runs want
 * their turn. */
void
w_run_on_socket(struct w_source *source, uint32_t events)
{
	(void)events;
	hear(JOB_OF(source, socket), WORDS_TURN);
}

/* Our child is the helper, and it has ended. */
static void
helper_ended(struct writ_job *job)
{
	struct w_ended ended;

	if (!job->is_command_ended)
		hear(job, UINT_MAX);
	w_loop_remove(&job->runner->loop, &job->child);
	w_reap(&job->tree.child, &ended);
	if (!job->is_command_ended) {
		/* Killed before it could tell; by us, when we were ending. */
		job->is_command_ended = true;
		job->ended = (struct w_ended){
		    .is_known = job->forced > 0,
		    .status = W_EXITCODE(0, SIGKILL),
		};
	}
	/* A keeper that was killed has left its group to us. */
	if (w_tree_has_group(&job->tree))
		check_group(job);
	else
		w_run_tree_gone(job);
}

void
w_run_on_child(struct w_source *source, uint32_t events)
{
	struct writ_job *job = JOB_OF(source, child);

	(void)events;
	if (job->tree.by == W_TREE_BY_INIT ||
	    job->tree.by == W_TREE_BY_KEEPER) {
		helper_ended(job);
		return;
	}
	w_loop_remove(&job->runner->loop, &job->child);
	w_reap(&job->tree.child, &job->ended);
	job->is_command_ended = true;
	if (job->tree.by == W_TREE_BY_GROUP)
		check_group(job);
	else
		w_run_tree_gone(job);
}
