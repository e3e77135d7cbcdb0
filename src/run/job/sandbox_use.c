/* SPDX-License-Identifier: Apache-2.0 */

/* What a run does with its sandbox besides starting in it. */

#include "run/job/sandbox_use.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "run/denials/wall_denials.h"
#include "run/home/home_store.h"
#include "run/job/run_left.h"
#include "run/resolve/settings_copy.h"
#include "run/run_session.h"
#include "sandbox/plan/wall_layers.h"

static const char *const network_words[] = {
#define X(name, word) [W_NETWORK_##name] = (word),
    W_NETWORK_MAP(X)
#undef X
};

/* A caller that reads the output live has nothing captured. */
static void
keep_last_output(struct writ_job *job)
{
	if (!w_walls_hold(job->sandbox->resolved.walls) ||
	    job->sandbox->explains ||
	    job->request.output_limit >= W_STREAM_LAST_MAX)
		return;
	for (int i = 0; i < 2; i++)
		w_capture_init(&job->streams[i].last, W_STREAM_LAST_MAX);
}

/* Both share the one listener that a filter can have. */
static writ_status
watch_calls(struct writ_job *job, struct w_prepared *prepared, writ_error *err)
{
	const struct w_run_sandbox *sandbox = job->sandbox;
	writ_status status = WRIT_OK;

	if (sandbox->explains)
		status = w_denials_new(sandbox, job->runner->state_dir,
		    job->storage, &job->denials, err);
	/* With best effort there may be no filter. */
	if (status == WRIT_OK && prepared->execve_judge.ctx != NULL &&
	    sandbox->exec_pass != 0 &&
	    (sandbox->layers & W_LAYER_BIT(W_LAYER_SECCOMP)) != 0) {
		status = w_execve_watch_new(
		    &prepared->execve_judge, &job->execve_watch, err);
		if (status == WRIT_OK)
			prepared->execve_judge.ctx = NULL;
	}
	if (status != WRIT_OK ||
	    (job->denials == NULL && job->execve_watch == NULL))
		return status;
	return w_notices_new(&job->runner->loop, job->denials,
	    job->execve_watch, &job->notices, err);
}

struct w_disk_tmp *
w_run_disk_tmp(const struct writ_job *job)
{
	const struct w_session_walls *walls =
	    job->session != NULL ? job->session->walls : job->own_walls;

	return walls == NULL ? NULL : walls->disk;
}

/* On disk the size is always limited. */
static void
note_tmp(struct writ_job *job, const struct w_run_sandbox *sandbox)
{
	const struct w_disk_tmp *disk = w_run_disk_tmp(job);
	writ_result *result = &job->storage->result;

	if ((sandbox->layers & W_LAYER_BIT(W_LAYER_MOUNTNS)) == 0)
		return;
	result->tmp = disk != NULL ? "disk" : "memory";
	result->tmp_by = disk != NULL ? "sampling" : "kernel";
	if (disk == NULL)
		return;
	if (job->request.tmp_size == 0 ||
	    job->request.tmp_size > disk->bytes_max)
		job->request.tmp_size = disk->bytes_max;
	job->tmp_before = w_disk_walk_bytes(&disk->walk);
}

static void
note_home(struct writ_job *job, const struct w_run_sandbox *sandbox)
{
	static const char *const words[] = {
	    [W_HOME_NONE] = "none",
	    [W_HOME_OVERLAY] = "overlay",
	    [W_HOME_CACHES] = "caches",
	};

	const struct w_home_store *layer = sandbox->walls->home;

	if (layer != NULL)
		job->home_before = w_disk_walk_bytes(&layer->walk);
	job->storage->result.home =
	    words[sandbox->resolved.has_home ? sandbox->walls->home_kind
					     : W_HOME_NONE];
}

writ_status
w_run_take_sandbox(
    struct writ_job *job, struct w_prepared *prepared, writ_error *err)
{
	struct w_run_sandbox *sandbox = prepared->sandbox;

	/* If nobody can be told of it, others have layers all the same. */
	if (prepared->decision.stays_in != NULL)
		(void)w_staying_run_begin(&job->staying, job->runner->state_dir,
		    job->storage->run_id, prepared->decision.stays_in);
	if (sandbox == NULL)
		return WRIT_OK;
	const struct w_resolved_profile *resolved = &sandbox->resolved;
	const uint32_t cuts_off =
	    W_LAYER_BIT(W_LAYER_NETNS) | W_LAYER_BIT(W_LAYER_SECCOMP);
	const char *network = (sandbox->layers & cuts_off) == 0
				  ? network_words[W_NETWORK_HOST]
				  : network_words[resolved->network];
	if (!w_run_result_set_sandbox(job->storage, resolved->profile, network,
		sandbox->layers, sandbox->missing) ||
	    !w_run_result_reserve_created(job->storage, &resolved->absent) ||
	    ((sandbox->explains || prepared->settings != NULL) &&
		!w_run_result_reserve_denials(job->storage)))
		return w_fail_nomem(err, "sandbox");
	if (resolved->walls == W_WALLS_CONTAINER)
		job->storage->result.lacks = w_walls_lacks(resolved->walls);
	job->layer_lack = prepared->layer_lack;
	job->own_walls = prepared->own_walls;
	prepared->own_walls = NULL;
	if (sandbox->sandbox_plan != NULL &&
	    sandbox->sandbox_plan->joins != 0 &&
	    job->request.in_session != NULL) {
		job->session = job->request.in_session;
		job->waits = w_run_waits(prepared, &job->request);
		w_run_result_set_session(job->storage, job->session->name);
		note_home(job, sandbox);
		if (!w_run_keep_state(job, prepared))
			return w_fail_nomem(err, "session");
	}
	note_tmp(job, sandbox);
	/* Its changes are found by the id of the run. */
	if (sandbox->layer != NULL)
		(void)strcpy(job->storage->run_id, sandbox->layer->id);
	job->sandbox = sandbox;
	prepared->sandbox = NULL;
	job->reach = prepared->decision.reach;
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &job->since);
	keep_last_output(job);
	return watch_calls(job, prepared, err);
}

/* What is kept of the output, for the result or only for this. */
static void
guess_wall_denials(struct writ_job *job, struct w_wall_denials *found)
{
	const writ_output *outputs[2];
	writ_result last = {.run_id = NULL};

	for (int i = 0; i < 2; i++) {
		outputs[i] = &job->storage->result.out[i];
		if (job->streams[i].last.head_len > 0 &&
		    w_capture_take(&job->streams[i].last, &last.out[i]))
			outputs[i] = &last.out[i];
	}
	w_run_layer_read(job, outputs[WRIT_STDERR]);
	w_wall_denials_guess(
	    found, job->sandbox, job->runner->state_dir, outputs);
	w_run_snapshot_done(&last);
}

/* Whether no other run can have a connection. A held session may have runs of
 * other engines. */
static bool
is_last_of(const struct writ_job *job)
{
	return job->session == NULL ||
	       (job->session->held == NULL &&
		   w_run_session_count(job->session) == 1);
}

void
w_run_find_wall_denials(struct writ_job *job)
{
	struct w_run_result *storage = job->storage;
	writ_result *result = &storage->result;
	const bool has_failed = result->exit_code > 0 || result->signal != 0;
	const struct w_run_hosts *hosts = w_run_hosts_of(job);

	if (hosts->ctx != NULL)
		hosts->hooks->settle(hosts->ctx, is_last_of(job));
	if (job->sandbox == NULL ||
	    !w_walls_hold(job->sandbox->resolved.walls) ||
	    (!has_failed && job->denials == NULL))
		return;
	struct w_wall_denials *found = calloc(1, sizeof(*found));
	if (found == NULL)
		return;
	if (hosts->ctx != NULL)
		hosts->hooks->tell(hosts->ctx,
		    (uint64_t)job->since.tv_sec * 1000000 +
			(uint64_t)job->since.tv_nsec / 1000,
		    found);
	if (job->denials != NULL)
		w_wall_denials_take(found, w_denials_context(job->denials),
		    result->denials, result->denial_count);
	else
		guess_wall_denials(job, found);
	storage->wall_denials = found;
	result->wall_denials = found->items;
	result->wall_denial_count = found->count;
}

void
w_run_find_created(struct writ_job *job)
{
	struct stat st;

	if (job->sandbox == NULL)
		return;
	const struct w_words *absent = &job->sandbox->resolved.absent;
	for (size_t i = 0; i < absent->count; i++) {
		if (lstat(absent->items[i], &st) == 0)
			w_run_result_add_created(
			    job->storage, absent->items[i]);
	}
}

void
w_run_settle_settings(struct writ_job *job)
{
	W_AUTO_WORDS struct w_words refused = {.items = NULL};
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_MAX + 512);
	if (job->settings == NULL)
		return;
	if (!w_settings_copy_settle(job->settings, &refused))
		(void)w_words_add(&refused, "all of it (no memory)", 21);
	for (size_t i = 0; i < refused.count; i++) {
		path.len = 0;
		w_buf_add_fmt(
		    &path, "%s: %s", job->settings->config, refused.items[i]);
		const writ_denial denial = {.layer = "settings",
		    .call = "rename",
		    .what = "write",
		    .path = path.data,
		    .count = 1};
		w_run_result_add_denial(job->storage, &denial);
	}
	w_settings_copy_free(job->settings);
	job->settings = NULL;
}

int
w_run_receive_event(struct writ_job *job, struct w_helper_event *out_event)
{
	W_AUTO_FD int fd = -1;
	struct w_fd_message message = {
	    .bytes = out_event,
	    .len = sizeof(*out_event),
	    .fds = &fd,
	    .count = 1,
	};

	ssize_t n =
	    w_fd_message_receive(job->tree.socket, MSG_DONTWAIT, &message);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n != (ssize_t)sizeof(*out_event))
		return -1;
	if (out_event->kind == W_HELPER_EVENT_TMP && job->tmp_fd < 0)
		job->tmp_fd = w_take_fd(&fd);
	/* Without the listener the command would wait forever. */
	if (out_event->kind == W_HELPER_EVENT_LISTENER &&
	    job->notices != NULL &&
	    (fd < 0 || !w_notices_listen(job->notices, &fd)))
		w_run_cancel(job, SIGKILL);
	return 1;
}
