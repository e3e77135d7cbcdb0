/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts a run: everything that can fail happens before the command exists.
 *
 * After the launch only the event loop can fail (memory, or the limit on
 * watched descriptors); then the new tree is killed at once, so that a failed
 * start leaves nothing running.
 */

#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/job/sandbox_use.h"
#include "run/resolve/request_check.h"
#include "run/run.h"
#include "run/run_parts.h"
#include "run/run_session.h"

/* Seven of a run, and one of the recorder. */
enum {
	TIMERS = 8
};

static const char *const suffixes[2] = {"stdout", "stderr"};

static void
init_job(struct writ_job *job, struct w_runner *runner)
{
	job->runner = runner;
	job->tree.child.pidfd = -1;
	job->tree.socket = -1;
	job->tree.group.fd = -1;
	job->child.fd = -1;
	job->socket.fd = -1;
	job->events.fd = -1;
	job->events_fd = -1;
	job->scratch_fd = -1;
	job->staying = (struct w_staying_run)W_STAYING_RUN_INIT;
	job->tmp_fd = -1;
	job->input.child_fd = -1;
	job->input.from_fd = -1;
	job->input.source.fd = -1;
	job->pty.master = -1;
	job->pty.slave = -1;
	for (int i = 0; i < 2; i++) {
		struct w_stream *stream = &job->streams[i];

		job->write_ends[i] = -1;
		stream->loop = &runner->loop;
		stream->source.fd = -1;
		stream->spill.fd = -1;
	}
}

static void
init_stream(struct writ_job *job, int which)
{
	struct w_stream *stream = &job->streams[which];

	w_capture_init(&stream->capture, job->request.output_limit);
	stream->spill = (struct w_spill){
	    .dir = job->runner->spill_dir,
	    .run_id = job->storage->run_id,
	    .suffix = suffixes[which],
	    .limit = job->request.spill_limit,
	    .fd = -1,
	};
}

static writ_status
open_pipes(struct writ_job *job, writ_error *err)
{
	for (int i = 0; i < 2; i++) {
		int error = w_fd_pipe(
		    &job->streams[i].source.fd, &job->write_ends[i], 0);

		if (error == 0 &&
		    fcntl(job->streams[i].source.fd, F_SETFL, O_NONBLOCK) < 0)
			error = errno;
		if (error != 0) {
			writ_status status = w_fail(err, WRIT_E_SYSTEM,
			    "output", error, "cannot make a pipe for output");

			w_suggest(err, "raise the limit of open files "
				       "(ulimit -n)");
			return status;
		}
	}
	return WRIT_OK;
}

/* Before the command can rename the directory. */
static writ_status
open_scratch(struct writ_job *job, const char *path, writ_error *err)
{
	if (job->request.tmp_size == 0 || path == NULL)
		return WRIT_OK;
	job->scratch_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (job->scratch_fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "scratch", errno,
		    "cannot open the private directory '%s'", path);
	w_fd_lift(&job->scratch_fd);
	return WRIT_OK;
}

/* A session's /tmp can hold no more than it may anyway. */
static bool
needs_tmp_watch(const struct writ_job *job, const struct w_prepared *prepared)
{
	const uint64_t size = job->request.tmp_size;

	return size != 0 && prepared->scratch == NULL &&
	       w_run_disk_tmp(job) == NULL &&
	       (job->session == NULL || size < job->session->walls->tmp_size);
}

static char *const no_words[] = {NULL};

static void
describe_launch(struct writ_job *job, const struct w_prepared *prepared,
    struct w_launch *out_launch)
{
	const writ_request *request = &job->request;

	*out_launch = (struct w_launch){
	    .program = &prepared->program,
	    .argv = prepared->argv.items,
	    .envp = prepared->env.count == 0 ? no_words : prepared->env.items,
	    .cwd_fd = prepared->cwd_fd,
	    .stdio = {job->input.child_fd, job->write_ends[0],
		job->write_ends[1]},
	    .pty = request->pty ? &job->pty : NULL,
	    .limit_count = prepared->limit_count,
	    .group_limits = {.memory = request->memory != 0
					   ? request->memory
					   : job->default_memory,
		.processes = request->processes,
		.has_own_memory = request->memory != 0},
	    .nice = request->nice,
	    .umask = request->umask == 0 ? -1 : (int)(request->umask & 0777),
	    .identity = &prepared->identity,
	    .hold = request->hold,
	    .keeps_background = request->background == WRIT_BACKGROUND_KEEP,
	    .cwd = prepared->cwd,
	    .program_path = prepared->program_path,
	    .sandbox = job->sandbox,
	    .is_alone = job->own_walls != NULL,
	    .wants_tmp = needs_tmp_watch(job, prepared),
	    .has_null_input = job->input.is_null,
	};

	for (int i = 0; i < 3 && request->pty; i++)
		out_launch->stdio[i] = job->pty.slave;
	memcpy(
	    out_launch->limits, prepared->limits, sizeof(out_launch->limits));
}

/* With few runs all descriptor numbers are low. */
enum {
	CROWD = 16
};

bool
w_run_is_crowded(const struct writ_job *job)
{
	return job->runner->live_count >= CROWD;
}

static void
lift_descriptors(struct writ_job *job)
{
	if (!w_run_is_crowded(job))
		return;
	w_fd_lift(&job->tree.child.pidfd);
	w_fd_lift(&job->tree.socket);
	w_fd_lift(&job->tree.group.fd);
	w_fd_lift(&job->streams[0].source.fd);
	w_fd_lift(&job->streams[1].source.fd);
}

static int
watch(struct writ_job *job)
{
	struct w_loop *loop = &job->runner->loop;
	int error = w_loop_check(loop);

	job->child.fd = job->tree.child.pidfd;
	job->socket.fd = job->tree.socket;
	if (error == 0)
		error = w_loop_add(loop, &job->child, EPOLLIN);
	if (error == 0 && job->socket.fd >= 0)
		error = w_loop_add(loop, &job->socket, EPOLLIN);
	for (int i = 0; i < 2 && error == 0; i++) {
		if (job->streams[i].source.fd >= 0)
			error =
			    w_loop_add(loop, &job->streams[i].source, EPOLLIN);
	}
	return error;
}

static uint64_t
after_ms(const struct writ_job *job, uint64_t ms)
{
	return job->start_ns + ms * W_NS_PER_MS;
}

static void
arm_timers(struct writ_job *job)
{
	struct w_loop *loop = &job->runner->loop;
	uint64_t sample_ms = w_run_sample_ms(job);

	if (job->request.timeout_ms != 0)
		w_loop_arm(loop, &job->deadline,
		    after_ms(job, job->request.timeout_ms));
	if (job->request.idle_timeout_ms != 0)
		w_loop_arm(loop, &job->idle,
		    after_ms(job, job->request.idle_timeout_ms));
	if (sample_ms != 0)
		w_loop_arm(loop, &job->sample, after_ms(job, sample_ms));
}

/* The command runs; from here on the event loop drives the run. */
static writ_status
take_up(struct writ_job *job, writ_error *err)
{
	job->start_ns = w_now_ns();
	job->output_ns = job->start_ns;
	job->recording.start_ns = job->start_ns;
	job->counts = job->tree.limits.counts;
	w_run_set_callbacks(job);
	lift_descriptors(job);
	int error = watch(job);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "loop", error,
		    "cannot watch the command");
	struct w_loop *loop = &job->runner->loop;
	writ_status status =
	    job->request.pty
		? w_input_started_typed(&job->input, loop, &job->pty, err)
		: w_input_started(&job->input, loop, err);
	if (status == WRIT_OK)
		arm_timers(job);
	if (status == WRIT_OK)
		w_run_record_prepare(job);
	return status;
}

writ_status
w_run_open(
    struct writ_job *job, const struct w_prepared *prepared, writ_error *err)
{
	const struct w_input_scope scope = {
	    .cwd_fd = prepared->cwd_fd,
	    .null_fd = job->runner->launcher.null_fd,
	    .is_confined =
		job->sandbox != NULL && job->sandbox->sandbox_plan != NULL,
	};
	/* A link there could name what the run may not read. */
	if (prepared->is_cwd_shared &&
	    job->request.stdin_kind == WRIT_STDIN_FILE &&
	    *job->request.stdin_path != '/')
		return w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "the file for standard input must be absolute when the "
		    "working directory is the session's");
	writ_status status =
	    w_input_open(&job->input, &job->request, &scope, err);

	if (status == WRIT_OK)
		status = open_scratch(job, prepared->scratch, err);
	if (status != WRIT_OK)
		return status;
	return job->request.pty
		   ? w_run_open_pty(job, prepared, scope.is_confined, err)
		   : open_pipes(job, err);
}

static void
link_job(struct writ_job *job)
{
	struct w_runner *runner = job->runner;

	job->next = runner->live;
	if (job->next != NULL)
		job->next->prev = job;
	runner->live = job;
	runner->live_count++;
}

writ_status
w_run_launch(struct writ_job *job, struct w_prepared *prepared, writ_error *err)
{
	struct w_launch launch;

	job->default_memory = prepared->default_memory;
	describe_launch(job, prepared, &launch);
	writ_status status =
	    w_launch(&job->runner->launcher, &launch, &job->tree, err);
	w_close(&job->write_ends[0]);
	w_close(&job->write_ends[1]);
	if (status == WRIT_OK)
		status = w_run_attach_pty(job, err);
	if (status == WRIT_OK)
		status = take_up(job, err);
	if (status != WRIT_OK)
		return status;
	job->scratch = w_take_ptr(&prepared->scratch);
	job->settings = w_take_ptr(&prepared->settings);
	link_job(job);
	return WRIT_OK;
}

static struct w_run_result *
new_storage(const writ_request *request, const struct w_run_decision *decision)
{
	struct w_run_result *storage = w_run_result_new(request->trace_id);

	if (storage != NULL)
		storage->is_trusted = request->caller == WRIT_CALLER_TRUSTED;
	if (storage != NULL &&
	    (request->module == NULL ||
		w_run_result_set_module(storage, request->module)) &&
	    (decision->verdict == NULL ||
		w_run_result_set_policy(storage, decision->verdict,
		    decision->rule, decision->grant, decision->approval)))
		return storage;
	w_run_result_free(storage);
	return NULL;
}

writ_status
w_run_new(struct w_runner *runner, const writ_request *request,
    struct w_prepared *prepared, struct writ_job **out_job, writ_error *err)
{
	struct writ_job *job = calloc(1, sizeof(*job));

	if (job == NULL)
		return w_fail_nomem(err, "run");
	init_job(job, runner);
	job->request = *request;
	job->storage = new_storage(request, &prepared->decision);
	if (job->storage == NULL) {
		free(job);
		return w_fail_nomem(err, "run");
	}
	init_stream(job, WRIT_STDOUT);
	init_stream(job, WRIT_STDERR);
	w_run_record_init(job);
	writ_status status = w_run_take_sandbox(job, prepared, err);
	if (status == WRIT_OK)
		*out_job = job;
	else
		w_run_free(job);
	return status;
}

struct w_prepare_context
w_runner_context(struct w_runner *runner)
{
	return (struct w_prepare_context){
	    .launcher = &runner->launcher,
	    .sandbox_cache = &runner->launcher.sandbox_cache,
	    .profile_dirs = runner->profile_dirs,
	    .state_dir = runner->state_dir,
	    .spill_dir = runner->spill_dir,
	    .owner = runner->is_session ? &runner->owner : NULL,
	    .missing = runner->missing,
	    .is_risky_variable = runner->is_risky_variable,
	};
}

writ_status
w_runner_reserve(struct w_runner *runner, writ_error *err)
{
	runner->launcher.failed_layer = -1;
	runner->launcher.is_stale = false;
	return w_loop_reserve_timers(
		   &runner->loop, (runner->live_count + 1) * TIMERS)
		   ? WRIT_OK
		   : w_fail_nomem(err, "run");
}

bool
w_runner_prepare_retry(struct w_runner *runner, const writ_request *request,
    writ_status status, bool *has_looked_again)
{
	const uint32_t namespaces =
	    W_LAYER_BIT(W_LAYER_MOUNTNS) | W_LAYER_BIT(W_LAYER_PIDNS) |
	    W_LAYER_BIT(W_LAYER_NETNS) | W_LAYER_BIT(W_LAYER_IPCNS) |
	    W_LAYER_BIT(W_LAYER_UTSNS) | W_LAYER_BIT(W_LAYER_CGROUPNS);
	const int layer = runner->launcher.failed_layer;

	if (runner->launcher.is_stale && !*has_looked_again) {
		*has_looked_again = true;
		w_run_sandbox_cache_done(&runner->launcher.sandbox_cache);
		return true;
	}
	if (status != WRIT_E_SANDBOX || layer < 0 || !request->best_effort ||
	    (runner->missing & W_LAYER_BIT(layer)) != 0)
		return false;
	/* Without a user namespace an ordinary user has none of the others. */
	runner->missing |= W_LAYER_BIT(layer);
	if (layer == W_LAYER_USERNS)
		runner->missing |= namespaces;
	*has_looked_again = false;
	return true;
}
