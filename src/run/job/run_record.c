/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the record keeps of a run's output: a hash of every byte that was read,
 * and a recording of the first of them. Neither can fail a run.
 */

#include "base/auto.h"
#include "base/hex.h"
#include "os/file.h"
#include "run/run.h"
#include "run/run_parts.h"

void
w_run_record_init(struct writ_job *job)
{
	uint64_t limit = job->request.keep;

	if (limit == WRIT_ZERO)
		limit = 0;
	else if (limit == 0)
		limit = job->runner->keep_default;
	w_sha256_init(&job->sums[0]);
	w_sha256_init(&job->sums[1]);
	job->recording = (struct w_recording){
	    .dir = job->runner->output_dir,
	    .run_id = job->storage->run_id,
	    .limit = limit,
	    .fd = -1,
	    .spare = &job->runner->spare_fd,
	};
}

/* An engine that runs one command may never need it. */
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

void
w_run_record_add(
    struct writ_job *job, writ_stream which, const struct w_chunk *chunk)
{
	struct w_recording *recording = &job->recording;
	bool is_new = recording->fd < 0;

	if (!job->has_begun)
		return;
	w_sha256_add(&job->sums[which], chunk->bytes, chunk->len);
	if (recording->error != 0 || recording->dir == NULL)
		return;
	w_recording_add(recording, which == WRIT_STDERR, chunk->bytes,
	    chunk->len, w_now_ns());
	job->runner->has_recorded |= recording->fd >= 0;
	if (is_new && recording->fd >= 0 && w_run_is_crowded(job))
		w_fd_lift(&recording->fd);
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
