/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the output and the state of a running job. */

#include <writ/run.h>

#include "base/error.h"
#include "engine/result/result_json.h"
#include "run/run.h"

uint64_t
writ_job_bytes(const writ_job *job, writ_stream stream)
{
	return job->streams[stream].capture.bytes;
}

writ_status
writ_job_read(const writ_job *job, writ_stream stream, uint64_t offset,
    void *buf, size_t len, size_t *out_len)
{
	const struct w_capture *capture = &job->streams[stream].capture;
	const struct w_spill *spill = &job->streams[stream].spill;

	*out_len = w_capture_read(capture, offset, buf, len);
	if (*out_len > 0 || offset >= capture->bytes || len == 0)
		return WRIT_OK;
	if (spill->path == NULL || offset >= spill->bytes)
		return WRIT_E_NOTFOUND;
	return w_spill_read(spill->path, offset, buf, len, out_len);
}

writ_status
writ_job_json(
    const writ_job *job, char **out_json, size_t *out_len, writ_error *err)
{
	writ_result look;

	if (job->storage == NULL)
		return w_fail(
		    err, WRIT_E_INVALID, "result", 0, "the run has ended");
	if (!w_run_snapshot(job, &look))
		return w_fail_nomem(err, "result");
	writ_status status = w_result_json(&look, true, out_json, out_len, err);
	w_run_snapshot_done(&look);
	return status;
}
