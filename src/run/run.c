/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A run after its start: see the diagram in run.h.
 *
 * Everything here is a callback of the loop and cannot fail; when the kernel
 * fails a call on the way (a descriptor, a read of a group), a timer tries
 * again until the run has ended.
 */

#include "run/run.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "os/cgroup.h"
#include "run/job/run_left.h"
#include "run/run_parts.h"

/* A background process that escaped may hold the streams open. What it has
 * written by then is read; it is not waited for any longer. */
enum {
	DRAIN_MS = 100
};

/* Killing is repeated, and finally given up: a process that the kernel itself
 * cannot end (frozen, or in a dead file system) must not block the caller
 * forever. The result then guarantees nothing. */
enum {
	FORCE_AGAIN_MS = 400,
	FORCE_CHILD = 2,
	FORCE_MAX = 10
};

/* Until the second SIGHUP; doubled each time. */
enum {
	HANGUP_MS = 200
};

/* Reads in a row before other runs get their turn. For a stream that is about
 * to be closed, more than the largest pipe can hold. */
enum {
	READS_TURN = 16,
	READS_LAST = 64
};

void
w_run_arm_after(struct writ_job *job, struct w_timer *timer, uint64_t ms)
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
	    job->storage == NULL)
		return;

	w_run_take_state(job);
	writ_result *result = w_run_make_result(job);
	if (job->has_begun) {
		const struct w_run_listener *listener = &job->runner->listener;

		job->has_begun = false;
		listener->on_end(listener->ctx, (struct w_run_result *)result);
	}
	unlink_job(job);
	if (job->on_done != NULL)
		job->on_done(job->done_ctx, job, result);
	else
		w_run_result_free((struct w_run_result *)result);
}

/* ---- ending ---- */

/* The processes of the tree, without the command and without zombies. */
unsigned
w_run_count_others(const struct writ_job *job)
{
	struct w_pids pids = {0};
	bool is_exact = w_tree_has_group(&job->tree);
	unsigned count = 0;

	(void)w_tree_pids(&job->tree, &pids);
	for (size_t i = 0; i < pids.count; i++) {
		struct w_usage usage;

		/* The kernel lists no zombies in a group, and checking each of
		 * hundreds takes longer than killing them. */
		if (pids.items[i] != job->tree.child.pid &&
		    (is_exact || (w_proc_usage(pids.items[i], &usage) &&
				     !usage.is_zombie)))
			count++;
	}
	w_pids_done(&pids);
	return count;
}

void
w_run_force(struct writ_job *job)
{
	if (job->is_tree_gone)
		return;
	/* Otherwise the helper counts. */
	if (job->forced == 0 && job->tree.by == W_TREE_BY_GROUP)
		job->killed += w_run_count_others(job);
	job->forced++;
	w_tree_kill(&job->tree);
	w_run_arm_after(job, &job->force, FORCE_AGAIN_MS);
}

/*
 * A shell at its prompt ignores SIGTERM but obeys SIGHUP. It may miss that just
 * before it waits for a key, so it is sent again.
 */
static void
spend_grace(struct writ_job *job)
{
	uint64_t pause_ms = job->grace_left_ms;

	if (job->hangs_up) {
		const uint64_t spent_ms =
		    job->request.grace_ms - job->grace_left_ms;

		w_tree_signal(&job->tree, SIGHUP, false);
		if (pause_ms > spent_ms + HANGUP_MS)
			pause_ms = spent_ms + HANGUP_MS;
	}
	job->grace_left_ms -= pause_ms;
	w_run_arm_after(job, &job->force, pause_ms);
}

static void
begin_ending(
    struct writ_job *job, writ_outcome cause, writ_limit limit, int sig)
{
	if (job->is_ending || (job->is_command_ended && !job->waits))
		return;
	job->is_ending = true;
	job->cause = cause;
	job->limit = limit;
	w_input_close(&job->input);
	if (job->request.grace_ms == 0 || sig == SIGKILL) {
		w_run_force(job);
		return;
	}
	w_tree_signal(&job->tree, sig, true);
	job->grace_left_ms = job->request.grace_ms;
	job->hangs_up = job->request.pty && sig == SIGTERM;
	spend_grace(job);
}

/* When the processes are gone already, the caller does not want the rest of the
 * output either. The loop ends the run, not this call. */
void
w_run_cancel(struct writ_job *job, int sig)
{
	if (job->is_tree_gone) {
		job->is_cut = true;
		w_run_arm_after(job, &job->drain, 0);
	} else if (job->is_ending || (job->is_command_ended && !job->waits)) {
		w_run_force(job);
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
	w_run_record_add(job, which, chunk);
	if (request->on_output != NULL &&
	    request->on_output(
		request->output_ctx, job, which, chunk->bytes, chunk->len) != 0)
		w_stream_pause(stream, true);
	if (request->max_output != 0 && job->output_bytes > request->max_output)
		begin_ending(job, WRIT_LIMITED, WRIT_LIMIT_OUTPUT, SIGTERM);
}

/* Reads what is there. While the tree lives, a short read means that the pipe
 * is empty; the loop reports more. */
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

/* When the drain time is over, a stream closes after this read. */
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

static void
release_tree(struct writ_job *job)
{
	struct w_loop *loop = &job->runner->loop;

	w_loop_remove(loop, &job->socket);
	w_close(&job->tree.socket);
	w_notices_stop(job->notices);
	w_loop_remove(loop, &job->events);
	w_close(&job->events_fd);
	w_loop_disarm(loop, &job->recheck);
	w_loop_disarm(loop, &job->force);
	w_loop_disarm(loop, &job->deadline);
	w_loop_disarm(loop, &job->idle);
	w_loop_disarm(loop, &job->sample);
	job->met = w_run_limit_met(job);
	w_limit_group_remove(&job->tree.limits);
	w_tree_release_group(&job->tree);
}

/* Without writers, each stream ends after what its pipe still holds. */
void
w_run_on_tree_gone(struct writ_job *job)
{
	if (job->is_tree_gone)
		return;
	job->is_tree_gone = true;
	release_tree(job);
	w_input_close(&job->input);
	w_close(&job->pty.slave);
	for (int i = 0; i < 2; i++) {
		if (job->streams[i].source.fd >= 0 &&
		    !job->streams[i].is_paused)
			pump(job, &job->streams[i]);
	}
	if (job->streams[0].source.fd >= 0 || job->streams[1].source.fd >= 0)
		w_run_arm_after(job, &job->drain, DRAIN_MS);
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

/* ---- timers ---- */

static void
on_deadline(struct w_timer *timer)
{
	begin_ending(
	    JOB_OF(timer, deadline), WRIT_TIMED_OUT, WRIT_LIMIT_NONE, SIGTERM);
}

/* Output only updates output_ns; the timer checks it when it fires. */
static void
on_idle(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, idle);

	/* A command whose output we do not read is not idle. */
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

static void
on_force(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, force);

	if (job->grace_left_ms > 0 && job->forced == 0) {
		spend_grace(job);
		return;
	}
	if (job->forced >= FORCE_MAX) {
		/* The processes may end later; our child is reaped then. */
		job->is_given_up = true;
		if (job->tree.child.pidfd >= 0)
			(void)w_run_detach_child(job, false);
		job->is_command_ended = true;
		w_run_on_tree_gone(job);
		return;
	}
	/* A helper that ignored two requests hangs: its death, or the kernel,
	 * ends what it contained. */
	if (job->forced >= FORCE_CHILD)
		w_tree_kill_child(&job->tree);
	w_run_force(job);
}

/* A sample that took long, of a large directory, is not repeated soon. */
enum {
	LOOK_SHARE = 10
};

static void
on_sample(struct w_timer *timer)
{
	struct writ_job *job = JOB_OF(timer, sample);
	uint64_t began_ns = w_now_ns();
	uint64_t pause_ms = w_run_sample_ms(job);
	writ_limit limit = w_run_limit_now(job);

	if (limit != WRIT_LIMIT_NONE) {
		begin_ending(job, WRIT_LIMITED, limit,
		    limit == WRIT_LIMIT_CPU ? SIGXCPU : SIGKILL);
		return;
	}
	uint64_t took_ms = (w_now_ns() - began_ns) / W_NS_PER_MS;
	w_run_arm_after(job, timer,
	    took_ms * LOOK_SHARE > pause_ms ? took_ms * LOOK_SHARE : pause_ms);
}

void
w_run_set_callbacks(struct writ_job *job)
{
	job->child.fn = w_run_on_child;
	job->socket.fn = w_run_on_socket;
	job->events.fn = w_run_on_events;
	job->streams[0].source.fn = on_stdout;
	job->streams[1].source.fn = on_stderr;
	job->deadline.fn = on_deadline;
	job->idle.fn = on_idle;
	job->force.fn = on_force;
	job->drain.fn = on_drain;
	job->sample.fn = on_sample;
	job->recheck.fn = w_run_on_recheck;
}
