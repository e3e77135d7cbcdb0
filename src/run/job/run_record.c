/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is kept of a run's output for its record: a sum of every byte that was
 * read, and a recording of the first of them. Neither can fail a run.
 */

#include "base/auto.h"
#include "base/hex.h"
#include "os/file.h"
#include "run/run.h"
#include "run/run_parts.h"

static uint64_t
limit_of(const struct writ_job *job)
{
	if (job->request.keep == WRIT_ZERO)
		return 0;
	return job->request.keep == 0 ? job->runner->keep_default
				      : job->request.keep;
}

void
w_run_record_init(struct writ_job *job)
{
	w_sha256_init(&job->sums[0]);
	w_sha256_init(&job->sums[1]);
	job->recording = (struct w_recording){
	    .dir = job->runner->output_dir,
	    .run_id = job->storage->run_id,
	    .limit = limit_of(job),
	    .fd = -1,
	    .spare = &job->runner->spare_fd,
	};
}

/* An engine with a single run may never need it. */
void
w_run_record_prepare(const struct writ_job *job)
{
	struct w_runner *runner = job->runner;

	if (!runner->has_recorded || runner->spare_fd >= 0 || !job->has_begun ||
	    job->recording.dir == NULL || job->recording.limit == 0)
		return;
	runner->spare_fd = w_recording_make_spare(job->recording.dir);
	if (runner->spare_fd >= 0 && w_fd_raise(&runner->spare_fd) != 0)
		w_close(&runner->spare_fd);
}

static void
run_record(struct writ_job *job, bool is_stderr, const struct w_chunk *chunk)
{
	struct w_recording *recording = &job->recording;
	bool is_new = recording->fd < 0;

	if (recording->error != 0 || recording->dir == NULL)
		return;
	w_recording_add(
	    recording, is_stderr, chunk->bytes, chunk->len, w_now_ns());
	job->runner->has_recorded |= recording->fd >= 0;
	if (is_new && recording->fd >= 0 && w_run_is_crowded(job))
		w_fd_lift(&recording->fd);
}

void
w_run_record_add(
    struct writ_job *job, writ_stream which, const struct w_chunk *chunk)
{
	if (!job->has_begun)
		return;
	w_sha256_add(&job->sums[which], chunk->bytes, chunk->len);
	run_record(job, which == WRIT_STDERR, chunk);
}

void
w_run_record_take(struct writ_job *job)
{
	struct w_run_result *storage = job->storage;

	if (!job->has_begun)
		return;
	for (int i = 0; i < 2; i++) {
		uint8_t sum[W_SHA256_SIZE];

		w_sha256_end(&job->sums[i], sum);
		w_hex_put(storage->sha256[i], sum, sizeof(sum));
		storage->result.sha256[i] = storage->sha256[i];
	}
	w_recording_end(&job->recording);
	storage->recording = w_take_ptr(&job->recording.path);
	storage->result.recording = storage->recording;
	storage->result.recording_bytes = job->recording.bytes;
}

void
w_run_record_free(struct writ_job *job)
{
	w_recording_end(&job->recording);
	w_recording_free(&job->recording, false);
}
