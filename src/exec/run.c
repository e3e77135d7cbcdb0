/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The life of a run after its start: see the diagram in run.h.
 *
 * Everything here is a reaction of the loop and cannot fail; what the kernel
 * refuses on the way (a descriptor, a look at a group) is tried again by a
 * timer until the run has ended.
 */

#include "exec/run.h"
#include "exec/run_ward.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "exec/disk.h"
#include "exec/sample.h"
#include "os/cgroup.h"

/* A background process that escaped may hold the streams open; what it had
 * written by then is read, and no more waited for. */
enum {
	DRAIN_MS = 100,
	RECHECK_MS = 10,
	LOOKS_MAX = 100
};

/* Killing is repeated, and in the end given up: a process that the kernel
 * itself cannot end (frozen, or in a dead file system) must not hold the
 * caller for ever. The result then promises nothing. */
enum {
	FORCE_AGAIN_MS = 400,
	FORCE_CHILD = 2,
	FORCE_MAX = 10
};

/* Reads in a row before other runs get their turn; and for a stream that is
 * about to be closed, more than the largest pipe can hold. */
enum {
	READS_TURN = 16,
	READS_LAST = 64
};

#define JOB_OF(ptr, member) W_OWNER_OF(ptr, struct writ_job, member)

static void
arm_after(struct writ_job *job, struct w_timer *timer, uint64_t ms)
{
	w_loop_arm(&job->runner->loop, timer, w_now_ns() + ms * W_NS_PER_MS);
}

/* ---- the end ---- */

static void
unlink_job(struct writ_job *job)
{
	struct w_runner *runner = job->runner;

	if (job->prev != NULL)
		job->prev->next = job->next;
	else
		runner->live = job->next;
	if (job->next != NULL)
		job->next->prev = job->prev;
	job->prev = NULL;
	job->next = runner->dead;
	runner->dead = job;
	runner->live_count--;
}

void
w_run_abandon(struct writ_job *job)
{
	unlink_job(job);
	job->runner->dead = job->next;
	w_run_free(job);
}

static void
finish_if_done(struct writ_job *job)
{
	if (!job->is_command_ended || !job->is_tree_gone ||
	    job->streams[0].source.fd >= 0 || job->streams[1].source.fd >= 0 ||
	    job->box == NULL)
		return;

	writ_result *result = w_run_result(job);
	unlink_job(job);
	if (job->on_done != NULL)
		job->on_done(job->done_ctx, job, result);
	else
		w_result_box_free((struct w_result_box *)result);
}

/* ---- ending ---- */

/* The processes of the tree, without the command and without those who have
 * ended and are still listed. */
static unsigned
count_others(const struct writ_job *job)
{
	struct w_pids pids = {0};
	bool is_exact = w_tree_has_group(&job->tree);
	unsigned count = 0;

	(void)w_tree_pids(&job->tree, &pids);
	for (size_t i = 0; i < pids.count; i++) {
		struct w_usage usage;

		/* The kernel lists no zombies in a group, and to look at each
		 * of hundreds takes longer than to kill them. */
		if (pids.items[i] != job->tree.child.pid &&
		    (is_exact || (w_proc_usage(pids.items[i], &usage) &&
				     !usage.is_zombie)))
			count++;
	}
	w_pids_done(&pids);
	return count;
}

static void
force(struct writ_job *job)
{
	if (job->is_tree_gone)
		return;
	/* The other holds have a helper that counts. */
	if (job->forced == 0 && job->tree.by == W_TREE_BY_GROUP)
		job->killed += count_others(job);
	job->forced++;
	w_tree_kill(&job->tree);
	arm_after(job, &job->force, FORCE_AGAIN_MS);
}

static void
begin_ending(
    struct writ_job *job, writ_outcome cause, writ_limit limit, int sig)
{
	if (job->is_ending || job->is_command_ended)
		return;
	job->is_ending = true;
	job->cause = cause;
	job->limit = limit;
	w_input_close(&job->input);
	if (job->request.grace_ms == 0 || sig == SIGKILL) {
		force(job);
		return;
	}
	w_tree_signal(&job->tree, sig, true);
	arm_after(job, &job->force, job->request.grace_ms);
}

/* Whoever cancels a run whose processes are gone already does not want the
 * rest of its output either. The loop brings the end, not this call. */
void
w_run_cancel(struct writ_job *job, int sig)
{
	if (job->is_tree_gone) {
		job->is_cut = true;
		arm_after(job, &job->drain, 0);
	} else if (job->is_ending || job->is_command_ended) {
		force(job);
	} else {
		begin_ending(job, WRIT_CANCELLED, WRIT_LIMIT_NONE, sig);
	}
}

/* ---- output ---- */

static void
deliver(
    struct writ_job *job, struct w_stream *stream, const struct w_chunk *chunk)
{
	const writ_request *request = &job->request;
	writ_stream which = (writ_stream)(stream - job->streams);

	job->output_bytes += chunk->len;
	if (request->on_output != NULL &&
	    request->on_output(
		request->output_ctx, job, which, chunk->bytes, chunk->len) != 0)
		w_stream_pause(stream, true);
	if (request->max_output != 0 && job->output_bytes > request->max_output)
		begin_ending(job, WRIT_LIMITED, WRIT_LIMIT_OUTPUT, SIGTERM);
}

/* Reads what is there. While the tree lives, a short read is taken for all
 * there is; the loop will tell of more. */
static void
read_stream(struct writ_job *job, struct w_stream *stream)
{
	int reads = job->is_drain_over ? READS_LAST : READS_TURN;

	for (int i = 0; i < reads && !stream->is_paused; i++) {
		struct w_chunk chunk =
		    w_stream_read(stream, job->runner->read_buf);

		if (chunk.len == 0) {
			if (chunk.error != EAGAIN)
				w_stream_close(stream);
			return;
		}
		deliver(job, stream, &chunk);
		if (!chunk.is_full && !job->is_tree_gone)
			return;
	}
}

/* A stream whose wait is over closes when it has been read. */
static void
pump(struct writ_job *job, struct w_stream *stream)
{
	read_stream(job, stream);
	if (job->is_drain_over && !stream->is_paused && stream->source.fd >= 0)
		w_stream_close(stream);
	if (job->request.idle_timeout_ms != 0)
		job->output_ns = w_now_ns();
}

static void
on_stream(struct writ_job *job, struct w_stream *stream)
{
	pump(job, stream);
	finish_if_done(job);
}

static void
on_stdout(struct w_source *source, uint32_t events)
{
	struct writ_job *job = JOB_OF(source, streams[0].source);

	(void)events;
	on_stream(job, &job->streams[0]);
}

static void
on_stderr(struct w_source *source, uint32_t events)
{
	struct writ_job *job = JOB_OF(source, streams[1].source);

	(void)events;
	on_stream(job, &job->streams[1]);
}

void
w_run_resume(struct writ_job *job, writ_stream stream)
{
	w_stream_pause(&job->streams[stream], false);
}

/* ---- the tree is gone ---- */

static bool
is_disk_over(const struct writ_job *job)
{
	uint64_t limit = job->request.tmp_size;

	if (limit == 0)
		return false;
	if (job->tmp_fd >= 0)
		return w_disk_is_full(job->tmp_fd);
	return job->scratch_fd >= 0 &&
	       w_disk_used(job->scratch_fd, limit) > limit;
}

/* A last look: a command may meet a limit and end between two of the others.
 * One that only just fills its own file system has not met it. */
static writ_limit
limit_met(const struct writ_job *job)
{
	bool is_good = job->ended.is_known && job->ended.status == 0;
	writ_limit met = w_limit_group_look(&job->tree.limits);

	if (met == WRIT_LIMIT_NONE && job->tmp_fd >= 0 && !is_good &&
	    w_disk_is_full(job->tmp_fd))
		met = WRIT_LIMIT_DISK;
	if (met == WRIT_LIMIT_NONE && job->tmp_fd < 0 && is_disk_over(job))
		met = WRIT_LIMIT_DISK;
	return met;
}

static void
release_tree(struct writ_job *job)
{
	struct w_loop *loop = &job->runner->loop;

	w_loop_remove(loop, &job->socket);
	w_close(&job->tree.socket);
	w_denials_stop(job->denials);
	w_loop_remove(loop, &job->events);
	w_close(&job->events_fd);
	w_loop_disarm(loop, &job->recheck);
	w_loop_disarm(loop, &job->force);
	w_loop_disarm(loop, &job->deadline);
	w_loop_disarm(loop, &job->idle);
	w_loop_disarm(loop, &job->sample);
	job->met = limit_met(job);
	w_limit_group_remove(&job->tree.limits);
	w_tree_release_group(&job->tree);
}

/* Without writers each stream ends in what is in its pipe. */
static void
tree_gone(struct writ_job *job)
{
	if (job->is_tree_gone)
		return;
	job->is_tree_gone = true;
	release_tree(job);
	w_input_close(&job->input);
	for (int i = 0; i < 2; i++) {
		if (job->streams[i].source.fd >= 0 &&
		    !job->streams[i].is_paused)
			pump(job, &job->streams[i]);
	}
	if (job->streams[0].source.fd >= 0 || job->streams[1].source.fd >= 0)
		arm_after(job, &job->drain, DRAIN_MS);
	finish_if_done(job);
}

static void
on_drain(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, drain);

	job->is_drain_over = true;
	for (int i = 0; i < 2; i++) {
		struct w_stream *stream = &job->streams[i];

		if (stream->source.fd >= 0 && !stream->is_paused)
			pump(job, stream);
		if (stream->source.fd >= 0 && job->is_cut)
			w_stream_close(stream);
	}
	finish_if_done(job);
}

/* ---- a control group ---- */

static void check_group(struct writ_job *job);

static void
on_events(struct w_source *source, uint32_t events)
{
	(void)events;
	check_group(JOB_OF(source, events));
}

static void
on_recheck(struct w_timer *timer)
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
	int populated = w_cgroup_populated(job->tree.group.fd);
	bool was_watched = job->events.fd >= 0;

	/* A keeper that ended in order has removed the group already. */
	if (populated == 0 || populated == -ENOENT || populated == -ENODEV) {
		tree_gone(job);
		return;
	}
	/* In its grace the rest of the tree may still end by itself. */
	if (populated > 0 && !job->is_ending && job->forced == 0)
		force(job);
	if (populated < 0 || !watch_group(job)) {
		arm_after(job, &job->recheck, RECHECK_MS);
		return;
	}
	/* It may have emptied just before the watch began. And word of the
	 * end of killed processes comes through a worker of the kernel that
	 * may have to wait its turn: looking is quicker. */
	if (!was_watched || (job->forced > 0 && job->looks++ < LOOKS_MAX))
		arm_after(job, &job->recheck, 1);
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

/* Hands our child over to the runner, which reaps it whenever it ends. */
static bool
leave_child(struct writ_job *job, bool is_leaving)
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

	job->background = count_others(job);
	if (!leave_child(job, false))
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
		    leave_child(job, true))
			tree_gone(job);
		return;
	}
	if (job->is_ending || !WIFEXITED(told->status) || !keep_helper(job)) {
		force(job);
		return;
	}
	tree_gone(job);
}

static void
on_socket(struct w_source *source, uint32_t events)
{
	struct writ_job *job = JOB_OF(source, socket);
	struct w_tell told;

	(void)events;
	for (;;) {
		int more = w_run_receive(job, &told);

		if (more < 0)
			w_loop_remove(&job->runner->loop, &job->socket);
		if (more <= 0)
			return;
		if (told.kind != W_TELL_ENDED)
			continue;
		command_ended(job, &told);
		return;
	}
}

/* Our child is the helper, and it has ended. */
static void
helper_ended(struct writ_job *job)
{
	struct w_ended ended;

	if (!job->is_command_ended)
		on_socket(&job->socket, 0);
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
		tree_gone(job);
}

static void
on_child(struct w_source *source, uint32_t events)
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
		tree_gone(job);
}

/* ---- timers ---- */

static void
on_deadline(struct w_timer *timer)
{
	begin_ending(
	    JOB_OF(timer, deadline), WRIT_TIMED_OUT, WRIT_LIMIT_NONE, SIGTERM);
}

/* Output only moves output_ns; the timer finds out when it fires. */
static void
on_idle(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, idle);

	/* A command that we do not read from is not idle. */
	if (job->streams[0].is_paused || job->streams[1].is_paused)
		job->output_ns = w_now_ns();
	uint64_t due =
	    job->output_ns + job->request.idle_timeout_ms * W_NS_PER_MS;
	if (due > w_now_ns())
		w_loop_arm(&job->runner->loop, timer, due);
	else
		begin_ending(
		    job, WRIT_IDLE_TIMED_OUT, WRIT_LIMIT_NONE, SIGTERM);
}

/* Leaves a tree behind that does not end. Its processes may end later; our
 * child is reaped then. */
static void
give_up(struct writ_job *job)
{
	job->is_given_up = true;
	if (job->tree.child.pidfd >= 0)
		(void)leave_child(job, true);
	job->is_command_ended = true;
	tree_gone(job);
}

static void
on_force(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, force);

	if (job->forced >= FORCE_MAX) {
		give_up(job);
		return;
	}
	/* A helper that was asked twice and did not obey hangs: without it
	 * the kernel, or its own death, ends what it held. */
	if (job->forced >= FORCE_CHILD)
		w_tree_kill_child(&job->tree);
	force(job);
}

/* What the kernel counts costs a glance; only the rest has to be added up. */
static writ_limit
look_at_limits(const struct writ_job *job)
{
	const struct w_sample limits =
	    w_sample_limits(&job->request, job->counts);
	struct w_sample sample;

	writ_limit limit = w_limit_group_look(&job->tree.limits);
	if (limit != WRIT_LIMIT_NONE)
		return limit;
	if (is_disk_over(job))
		return WRIT_LIMIT_DISK;
	if (limits.processes == 0 && limits.cpu_ms == 0 &&
	    limits.memory_bytes == 0)
		return WRIT_LIMIT_NONE;
	return w_sample_take(&job->tree, &sample)
		   ? w_sample_judge(&sample, &limits)
		   : WRIT_LIMIT_NONE;
}

/* A look that took long, at a large directory, is not repeated soon. */
enum {
	LOOK_SHARE = 10
};

static void
on_sample(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, sample);
	uint64_t began_ns = w_now_ns();
	uint64_t pause_ms = w_sample_interval_ms(&job->request);
	writ_limit limit = look_at_limits(job);

	if (limit != WRIT_LIMIT_NONE) {
		begin_ending(job, WRIT_LIMITED, limit,
		    limit == WRIT_LIMIT_CPU ? SIGXCPU : SIGKILL);
		return;
	}
	uint64_t took_ms = (w_now_ns() - began_ns) / W_NS_PER_MS;
	arm_after(job, timer,
	    took_ms * LOOK_SHARE > pause_ms ? took_ms * LOOK_SHARE : pause_ms);
}

void
w_run_wire(struct writ_job *job)
{
	job->child.fn = on_child;
	job->socket.fn = on_socket;
	job->events.fn = on_events;
	job->streams[0].source.fn = on_stdout;
	job->streams[1].source.fn = on_stderr;
	job->deadline.fn = on_deadline;
	job->idle.fn = on_idle;
	job->force.fn = on_force;
	job->drain.fn = on_drain;
	job->sample.fn = on_sample;
	job->recheck.fn = on_recheck;
}
