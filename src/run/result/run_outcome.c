/* SPDX-License-Identifier: Apache-2.0 */

/* Builds the result of a run. */

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "run/job/sandbox_use.h"
#include "run/result/json_output.h"
#include "run/run.h"
#include "run/run_parts.h"

static void
fill_outcome(const struct writ_job *job, writ_result *result)
{
	enum {
		BY_SHELL = 128
	};
	int status = job->ended.status;
	bool is_signal = job->ended.is_known && WIFSIGNALED(status);

	result->status_known = job->ended.is_known;
	result->exit_code =
	    job->ended.is_known && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->signal = is_signal ? WTERMSIG(status) : 0;
	if (job->is_ending) {
		result->outcome = job->cause;
		result->limit = job->limit;
		return;
	}
	/* A shell reports the signal of its child as 128 plus the number. */
	int sig = result->exit_code > BY_SHELL ? result->exit_code - BY_SHELL
					       : result->signal;
	if (sig == SIGXCPU && job->request.cpu_ms != 0)
		result->limit = WRIT_LIMIT_CPU;
	else if (sig == SIGXFSZ && job->request.file_size != 0)
		result->limit = WRIT_LIMIT_FILE_SIZE;
	else
		result->limit = job->met;
	if (result->limit != WRIT_LIMIT_NONE)
		result->outcome = WRIT_LIMITED;
	else
		result->outcome = is_signal ? WRIT_SIGNALED : WRIT_EXITED;
}

static uint64_t
limit_value(const struct writ_job *job, writ_limit limit)
{
	const writ_request *request = &job->request;

	switch (limit) {
	case WRIT_LIMIT_CPU:
		return request->cpu_ms;
	case WRIT_LIMIT_MEMORY:
		return request->memory != 0 ? request->memory
					    : job->default_memory;
	case WRIT_LIMIT_PROCESSES:
		return request->processes;
	case WRIT_LIMIT_FILE_SIZE:
		return request->file_size;
	case WRIT_LIMIT_OUTPUT:
		return request->max_output;
	case WRIT_LIMIT_DISK:
		return request->tmp_size;
	case WRIT_LIMIT_NONE:
		break;
	}
	return 0;
}

/* The request already includes the limits of its profile. */
static uint64_t
exceeded_value(const struct writ_job *job, const writ_result *result)
{
	const writ_request *request = &job->request;

	if (result->outcome == WRIT_TIMED_OUT)
		return request->timeout_ms;
	if (result->outcome == WRIT_IDLE_TIMED_OUT)
		return request->idle_timeout_ms;
	return limit_value(job, result->limit);
}

/* Without memory nothing of the stream is shown, and it is marked as
 * truncated. */
static void
fill_output(struct writ_job *job, int which)
{
	struct w_stream *stream = &job->streams[which];
	writ_output *out = &job->storage->result.out[which];

	job->storage->owns[which] = w_capture_take(&stream->capture, out);
	if (!job->storage->owns[which]) {
		out->head = "";
		out->tail = "";
		out->bytes = stream->capture.bytes;
		out->truncated = out->bytes > 0;
	}
	w_spill_take(&stream->spill, out);
}

static const char *
counted_by(const struct writ_job *job, uint64_t limit, unsigned what)
{
	if (limit == 0)
		return NULL;
	return (job->counts & what) != 0 ? "cgroup" : "sampling";
}

/* A default limit is enforced by the kernel or not at all. */
static const char *
memory_by(const struct writ_job *job)
{
	if (job->request.memory != 0 || job->default_memory == 0)
		return counted_by(job, job->request.memory, W_COUNTS_MEMORY);
	return (job->counts & W_COUNTS_MEMORY) != 0 ? "cgroup" : "none";
}

/* The part that does not depend on the end of the run. */
static void
fill_circumstances(const struct writ_job *job, writ_result *result)
{
	const writ_request *request = &job->request;

	result->duration_ms = (w_now_ns() - job->start_ns) / W_NS_PER_MS;
	result->timeout_ms = request->timeout_ms;
	result->killed = job->killed;
	result->background = job->background;
	if (job->tree.by == W_TREE_BY_CALLER)
		result->tree = WRIT_TREE_CALLER;
	else
		result->tree =
		    w_tree_is_guaranteed(&job->tree) && !job->is_given_up
			? WRIT_TREE_GUARANTEED
			: WRIT_TREE_BEST_EFFORT;
	result->tree_by = w_tree_word(&job->tree);
	result->memory_by = memory_by(job);
	result->cpu_by = request->cpu_ms != 0 ? "sampling" : NULL;
	result->processes_by =
	    counted_by(job, request->processes, W_COUNTS_PROCESSES);
	result->open_files = request->open_files;
}

static bool
look_at_output(const struct w_stream *stream, writ_output *out)
{
	out->spill_path = stream->spill.path;
	out->spill_bytes = stream->spill.bytes;
	out->spill_errno = stream->spill.error;
	return w_capture_copy(&stream->capture, out);
}

bool
w_run_snapshot(const struct writ_job *job, writ_result *out)
{
	*out = job->storage->result;
	out->exit_code = -1;
	out->status_known = true;
	fill_circumstances(job, out);
	out->recording = job->recording.path;
	out->recording_bytes = job->recording.bytes;
	if (look_at_output(&job->streams[0], &out->out[0]) &&
	    look_at_output(&job->streams[1], &out->out[1]))
		return true;
	w_run_snapshot_done(out);
	return false;
}

void
w_run_snapshot_done(writ_result *look)
{
	for (int i = 0; i < 2; i++) {
		union {
			const char *borrowed;
			char *owned;
		} head = {look->out[i].head}, tail = {look->out[i].tail};

		free(head.owned);
		free(tail.owned);
	}
}

writ_result *
w_run_make_result(struct writ_job *job)
{
	struct w_run_result *storage = job->storage;
	writ_result *result = &storage->result;

	fill_outcome(job, result);
	fill_circumstances(job, result);
	result->limit_value = exceeded_value(job, result);
	fill_output(job, WRIT_STDOUT);
	fill_output(job, WRIT_STDERR);
	result->user_ms = job->ended.user_us / 1000;
	result->system_ms = job->ended.system_us / 1000;
	result->max_rss_kib = job->ended.max_rss_kib;
	if (job->request.parse_json)
		w_run_result_read_json(storage, job->request.output_limit);
	w_run_find_wall_denials(job);
	if (job->execve_watch != NULL) {
		storage->execs = w_execve_watch_report(job->execve_watch);
		result->execs = storage->execs;
	}
	w_run_layer_settle(job);
	w_run_find_created(job);
	w_run_find_triggers(job);
	w_run_settle_settings(job);
	w_run_record_take(job);
	job->storage = NULL;
	return result;
}
