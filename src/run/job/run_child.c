/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How a run detects that its processes have ended: by the pidfd of our child,
 * by the helper, or by the events of a control group.
 */

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "os/cgroup.h"
#include "run/job/sandbox_use.h"
#include "run/run_parts.h"

enum {
	RECHECK_MS = 10,
	LOOKS_MAX = 100,
	EVENTS_TURN = 16
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

/* Watches cgroup.events. false: not possible now. */
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

	/* A subreaper that exited normally has removed the group. */
	if (populated == 0 || populated == -ENOENT || populated == -ENODEV) {
		w_run_on_tree_gone(job);
		return;
	}
	/* During the grace period the rest may still end by itself. */
	if (populated > 0 && !job->is_ending && job->forced == 0)
		w_run_force(job);
	if (populated < 0 || !watch_group(job)) {
		w_run_arm_after(job, &job->recheck, RECHECK_MS);
		return;
	}
	/* It may have become empty just before the watch began. And after a
	 * kill the event comes from a kernel worker that may be delayed:
	 * polling is quicker. */
	if (!was_watched || (job->forced > 0 && job->looks++ < LOOKS_MAX))
		w_run_arm_after(job, &job->recheck, 1);
}

/* ---- the helper ---- */

static void
on_detached(struct w_source *source, uint32_t events)
{
	struct w_detached_helper *detached = (struct w_detached_helper *)source;
	struct w_child_exit ended;

	(void)events;
	w_loop_remove(&detached->runner->loop, &detached->source);
	w_child_reap(&detached->child, &ended);
}

bool
w_run_detach_child(struct writ_job *job, bool is_leaving)
{
	struct w_runner *runner = job->runner;
	struct w_detached_helper *detached = calloc(1, sizeof(*detached));

	if (detached == NULL)
		return false;
	w_loop_remove(&runner->loop, &job->child);
	*detached = (struct w_detached_helper){
	    .source = {.fd = job->tree.child.pidfd, .fn = on_detached},
	    .child = job->tree.child,
	    .runner = runner,
	    .next = runner->detached,
	    .is_leaving = is_leaving,
	};
	job->tree.child.pidfd = -1;
	if (w_loop_add(&runner->loop, &detached->source, EPOLLIN) != 0)
		detached->source.fd = -1;
	runner->detached = detached;
	return true;
}

/* The helper stays as the parent of the background processes. */
static bool
keep_helper(struct writ_job *job)
{
	const char keep[2] = {W_HELPER_REQUEST_KEEP, 0};

	job->background = w_run_count_others(job);
	if (!w_run_detach_child(job, false))
		return false;
	/* The helper removes the group when it is empty. */
	w_close(&job->tree.group.fd);
	/* If the helper is gone, so is the background. */
	if (send(job->tree.socket, keep, sizeof(keep), MSG_NOSIGNAL) < 0)
		job->background = 0;
	return true;
}

static void
command_ended(struct writ_job *job, const struct w_helper_event *event)
{
	job->is_command_ended = true;
	job->killed += event->killed;
	job->ended = (struct w_child_exit){
	    .is_known = 1,
	    .status = event->status,
	    .user_us = event->user_us,
	    .system_us = event->system_us,
	    .max_rss_kib = event->max_rss_kib,
	};
	if (event->remaining == 0) {
		/* Only the helper itself is left, and nobody has to wait for
		 * that. */
		if (event->gone && job->tree.by == W_TREE_BY_INIT &&
		    w_run_detach_child(job, true))
			w_run_on_tree_gone(job);
		return;
	}
	if (job->waits && !job->is_ending) {
		if (job->on_background != NULL)
			job->on_background(job->background_ctx, job);
		return;
	}
	if (job->is_ending || !WIFEXITED(event->status) || !keep_helper(job)) {
		w_run_force(job);
		return;
	}
	w_run_on_tree_gone(job);
}

static void
read_events(struct writ_job *job, unsigned count)
{
	struct w_helper_event event;

	while (count-- > 0) {
		int more = w_run_receive_event(job, &event);

		if (more < 0)
			w_loop_remove(&job->runner->loop, &job->socket);
		if (more <= 0)
			return;
		if (event.kind == W_HELPER_EVENT_STOPPED) {
			const int sig = event.status;

			/* Without a callback nobody could continue it. One that
			 * was stopped by SIGTTIN or SIGTTOU would only stop
			 * again. */
			if (job->on_stop != NULL)
				job->on_stop(job->stop_ctx, job, sig);
			else if (sig == SIGTSTP)
				w_tree_signal(&job->tree, SIGCONT, false);
		}
		if (event.kind != W_HELPER_EVENT_ENDED)
			continue;
		command_ended(job, &event);
		return;
	}
}

/* Bounded, because the command may be stopped and continued all the time, and
 * other runs need their turn. */
void
w_run_on_socket(struct w_source *source, uint32_t events)
{
	(void)events;
	read_events(JOB_OF(source, socket), EVENTS_TURN);
}

/* Our child is the helper, and it has exited. */
static void
helper_ended(struct writ_job *job)
{
	struct w_child_exit ended;

	if (!job->is_command_ended)
		read_events(job, UINT_MAX);
	w_loop_remove(&job->runner->loop, &job->child);
	w_child_reap(&job->tree.child, &ended);
	if (!job->is_command_ended) {
		/* Killed before it could report; by us, if we were ending
		 * it. */
		job->is_command_ended = true;
		job->ended = (struct w_child_exit){
		    .is_known = job->forced > 0,
		    .status = W_EXITCODE(0, SIGKILL),
		};
	}
	/* A killed subreaper leaves its group to us. */
	if (w_tree_has_group(&job->tree))
		check_group(job);
	else
		w_run_on_tree_gone(job);
}

void
w_run_on_child(struct w_source *source, uint32_t events)
{
	struct writ_job *job = JOB_OF(source, child);

	(void)events;
	if (job->tree.by == W_TREE_BY_INIT ||
	    job->tree.by == W_TREE_BY_SUBREAPER) {
		helper_ended(job);
		return;
	}
	w_loop_remove(&job->runner->loop, &job->child);
	w_child_reap(&job->tree.child, &job->ended);
	job->is_command_ended = true;
	if (job->tree.by == W_TREE_BY_GROUP)
		check_group(job);
	else
		w_run_on_tree_gone(job);
}
