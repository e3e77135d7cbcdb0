/* SPDX-License-Identifier: Apache-2.0 */

/* Checks a run against its limits: what control groups have counted, what its
 * private directory holds, and what its processes use. */

#include "run/home/home_store.h"
#include "run/job/sandbox_use.h"
#include "run/launch/disk_tmp.h"
#include "run/limits/disk.h"
#include "run/limits/sample.h"
#include "run/run.h"
#include "run/run_session.h"

/* Its own, or that of the session. */
static struct w_home_store *
layer_of(const struct writ_job *job)
{
	if (job->own_walls != NULL && job->own_walls->home != NULL)
		return job->own_walls->home;
	return job->session == NULL ? NULL : job->session->walls->home;
}

static bool
is_disk_over(const struct writ_job *job)
{
	uint64_t limit = job->request.tmp_size;

	if (limit == 0)
		return false;
	struct w_disk_tmp *disk = w_run_disk_tmp(job);
	if (disk != NULL)
		return w_disk_tmp_is_over(disk, limit, job->tmp_before);
	if (job->tmp_fd >= 0)
		return w_disk_is_full(job->tmp_fd);
	return job->scratch_fd >= 0 &&
	       w_disk_used(job->scratch_fd, limit) > limit;
}

/* A last check: a command may meet a limit and end between two samples. One
 * that succeeds and just fills its own file system has not met it. */
writ_limit
w_run_limit_met(struct writ_job *job)
{
	bool is_good = job->ended.is_known && job->ended.status == 0;
	writ_limit met = w_limit_group_met(&job->tree.limits);

	if (met == WRIT_LIMIT_NONE && job->tmp_fd >= 0 && !is_good &&
	    w_disk_is_full(job->tmp_fd))
		met = WRIT_LIMIT_DISK;
	if (met == WRIT_LIMIT_NONE && job->tmp_fd < 0 && is_disk_over(job))
		met = WRIT_LIMIT_DISK;
	return met;
}

/* What the kernel counts is cheap to read; only the rest is summed up. */
writ_limit
w_run_limit_now(struct writ_job *job)
{
	const struct w_sample limits =
	    w_sample_limits(&job->request, job->counts);
	struct w_sample sample;

	writ_limit limit = w_limit_group_met(&job->tree.limits);
	if (limit != WRIT_LIMIT_NONE)
		return limit;
	struct w_home_store *layer = layer_of(job);
	if (is_disk_over(job) ||
	    (layer != NULL && w_dotdirs_store_is_over(layer, job->home_before)))
		return WRIT_LIMIT_DISK;
	if (limits.processes == 0 && limits.cpu_ms == 0 &&
	    limits.memory_bytes == 0)
		return WRIT_LIMIT_NONE;
	return w_sample_take(&job->tree, &sample)
		   ? w_sample_check(&sample, &limits)
		   : WRIT_LIMIT_NONE;
}

uint64_t
w_run_sample_ms(const struct writ_job *job)
{
	enum {
		LAYER_MS = 500
	};
	const uint64_t ms = w_sample_interval_ms(&job->request);

	return ms == 0 && layer_of(job) != NULL ? LAYER_MS : ms;
}
