/* SPDX-License-Identifier: Apache-2.0 */

/* What the runs of an engine share: set-up, dispatch and teardown. */

#include <stdlib.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "run/launch/run_sandbox.h"
#include "run/resolve/scratch.h"
#include "run/resolve/settings_copy.h"
#include "run/run.h"
#include "run/run_parts.h"
#include "run/run_session.h"
#include "trigger/trigger_cache.h"

writ_status
w_runner_init(struct w_runner *runner, writ_error *err)
{
	*runner = (struct w_runner){.spare_fd = -1, .owner = W_UNDO_OWNER_INIT};

	/* Page-aligned: the kernel copies out of a pipe faster then. */
	runner->read_buf = aligned_alloc(4096, W_STREAM_READ_MAX);
	if (runner->read_buf == NULL)
		return w_fail_nomem(err, "engine");
	writ_status status = w_loop_init(&runner->loop, err);
	if (status != WRIT_OK) {
		free(runner->read_buf);
		return status;
	}
	status = w_launcher_init(&runner->launcher, err);
	if (status != WRIT_OK) {
		w_loop_done(&runner->loop);
		free(runner->read_buf);
	}
	return status;
}

void
w_run_free(struct writ_job *job)
{
	if (job == NULL)
		return;

	struct w_loop *loop = &job->runner->loop;
	const struct w_run_listener *listener = &job->runner->listener;
	struct w_timer *const timers[] = {&job->deadline, &job->idle,
	    &job->force, &job->drain, &job->sample, &job->recheck};

	for (size_t i = 0; i < sizeof(timers) / sizeof(*timers); i++)
		w_loop_disarm(loop, timers[i]);
	w_loop_remove(loop, &job->child);
	w_loop_remove(loop, &job->socket);
	w_loop_remove(loop, &job->events);
	w_close(&job->events_fd);
	w_close(&job->write_ends[0]);
	w_close(&job->write_ends[1]);
	w_close(&job->scratch_fd);
	w_close(&job->tmp_fd);
	w_tree_end_now(&job->tree);
	w_input_close(&job->input);
	w_pty_close(&job->pty);
	for (int i = 0; i < 2; i++) {
		w_stream_close(&job->streams[i]);
		w_spill_discard(&job->streams[i].spill);
		w_capture_done(&job->streams[i].capture);
		w_capture_done(&job->streams[i].last);
	}
	w_run_record_free(job);
	w_notices_free(job->notices);
	w_denials_free(job->denials);
	w_execve_watch_free(job->execve_watch);
	if (job->has_begun && job->storage != NULL)
		listener->on_abandon(listener->ctx, job->storage->run_id);
	w_run_result_free(job->storage);
	w_staying_run_end(&job->staying);
	w_run_sandbox_release(job->sandbox);
	w_run_hosts_free(&job->own_hosts);
	if (job->own_walls != NULL)
		w_run_sandbox_forget(
		    &job->runner->launcher.sandbox_cache, job->own_walls);
	w_session_walls_release(job->own_walls);
	w_words_done(&job->state_env);
	w_scratch_remove(job->scratch);
	w_settings_copy_free(job->settings);
	if (job->note != NULL)
		job->free_note(job->note);
	free(job);
}

static void
free_dead(struct w_runner *runner)
{
	while (runner->dead != NULL) {
		struct writ_job *job = runner->dead;

		runner->dead = job->next;
		w_run_free(job);
	}
}

/* Frees the helpers whose background has ended and that were reaped. */
static void
forget_detached(struct w_runner *runner, bool all)
{
	struct w_detached_helper **link = &runner->detached;

	while (*link != NULL) {
		struct w_detached_helper *detached = *link;

		if (!all && detached->child.pidfd >= 0) {
			link = &detached->next;
			continue;
		}
		*link = detached->next;
		w_loop_remove(&runner->loop, &detached->source);
		/* One that has just exited would stay a zombie. */
		if (detached->child.pidfd >= 0)
			(void)waitid(P_PIDFD, (id_t)detached->child.pidfd, NULL,
			    WEXITED | (detached->is_leaving ? 0 : WNOHANG));
		w_close(&detached->child.pidfd);
		free(detached);
	}
}

writ_status
w_runner_dispatch(struct w_runner *runner, int timeout_ms, writ_error *err)
{
	if (timeout_ms < 0 && runner->live_count == 0)
		timeout_ms = 0;
	writ_status status = w_loop_dispatch(&runner->loop, timeout_ms, err);
	free_dead(runner);
	w_run_session_free_closed(runner);
	forget_detached(runner, false);
	return status;
}

void
w_runner_done(struct w_runner *runner)
{
	/* Their walls stay until they are closed. */
	while (runner->sessions != NULL) {
		struct writ_session *session = runner->sessions;

		runner->sessions = session->next;
		session->next = NULL;
		session->prev = NULL;
		session->runner = NULL;
	}
	/* Kill all first, so that the waits overlap. */
	for (struct writ_job *job = runner->live; job != NULL; job = job->next)
		w_tree_kill(&job->tree);
	while (runner->live != NULL) {
		struct writ_job *job = runner->live;

		runner->live = job->next;
		w_run_free(job);
	}
	free_dead(runner);
	w_run_session_free_closed(runner);
	forget_detached(runner, true);
	w_undo_owner_close(&runner->owner);
	w_launcher_done(&runner->launcher);
	w_loop_done(&runner->loop);
	w_close(&runner->spare_fd);
	w_trigger_cache_free(runner->trigger_cache);
	free(runner->read_buf);
}
