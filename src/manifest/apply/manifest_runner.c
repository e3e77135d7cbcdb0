/* SPDX-License-Identifier: Apache-2.0 */

/* Runs commands and waits: for the engine, the caller's wake_fd, and the
 * clock. */

#include "manifest/apply/manifest_runner.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define STAGE     "apply"
#define MS_PER_S  1000
#define NS_PER_MS 1000000

/* If the engine's loop has failed, it is polled this often to end a run. */
#define LAST_TRIES 100
#define LAST_WAIT  10 /* ms each */

struct w_manifest_runner *
w_manifest_runner_new(struct w_resource_step *step)
{
	struct w_manifest_runner *runner = calloc(1, sizeof(*runner));

	if (runner != NULL)
		runner->step = step;
	return runner;
}

void
w_manifest_runner_free(struct w_manifest_runner *runner)
{
	if (runner == NULL || runner->is_orphan)
		return;
	writ_result_free(runner->result);
	free(runner);
}

static uint64_t
manifest_runner_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * MS_PER_S +
	       (uint64_t)now.tv_nsec / NS_PER_MS;
}

/* ---- caller ---- */

static void
manifest_runner_wake(struct w_manifest_runner *runner, bool is_tick)
{
	struct w_resource_step *step = runner->step;
	const struct w_apply_watch *watch = step->watch;

	if (watch->on_wake == NULL || !watch->on_wake(watch->ctx))
		return;
	/* A callback that returns true on every tick means one stop; a second
	 * stop needs a wake-up through wake_fd. */
	const bool is_again = step->is_interrupted;
	step->is_interrupted = true;
	if (runner->job != NULL && (!is_again || !is_tick))
		writ_job_cancel(runner->job, is_again ? SIGKILL : SIGTERM);
}

static void
set_tick(struct w_manifest_runner *runner)
{
	const int tick = runner->step->watch->tick_ms;

	if (tick >= 0)
		runner->tick_at_ms = manifest_runner_now_ms() + (uint64_t)tick;
}

void
w_manifest_runner_poll(struct w_manifest_runner *runner)
{
	struct pollfd fd = {
	    .fd = runner->step->watch->wake_fd, .events = POLLIN};

	if (fd.fd >= 0 && poll(&fd, 1, 0) > 0)
		manifest_runner_wake(runner, false);
}

/* ---- waiting ---- */

/* The nearer of a deadline and the next tick; -1: neither. */
static int
wait_ms(const struct w_manifest_runner *runner, uint64_t until_ms)
{
	uint64_t until = until_ms;

	if (runner->step->watch->tick_ms >= 0 && runner->tick_at_ms < until)
		until = runner->tick_at_ms;
	if (until == UINT64_MAX)
		return -1;
	const uint64_t now = manifest_runner_now_ms();
	if (until <= now)
		return 0;
	return until - now > INT_MAX ? INT_MAX : (int)(until - now);
}

/* One poll and its handling; until_ms UINT64_MAX: no deadline. */
static writ_status
poll_once(struct w_manifest_runner *runner, uint64_t until_ms, writ_error *err)
{
	struct w_resource_step *step = runner->step;
	struct pollfd fds[] = {
	    {.fd = writ_engine_fd(step->engine), .events = POLLIN},
	    {.fd = step->watch->wake_fd, .events = POLLIN},
	};

	/* poll() ignores negative descriptors. */
	int ready = poll(fds, 2, wait_ms(runner, until_ms));
	if (ready < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno, "cannot wait");
	if (ready > 0 && fds[1].revents != 0)
		manifest_runner_wake(runner, false);
	if (step->watch->tick_ms >= 0 &&
	    manifest_runner_now_ms() >= runner->tick_at_ms) {
		set_tick(runner);
		manifest_runner_wake(runner, true);
	}
	if (ready > 0 && fds[0].revents != 0)
		return writ_engine_dispatch(step->engine, 0, err);
	return WRIT_OK;
}

writ_status
w_manifest_runner_pause(
    struct w_manifest_runner *runner, uint64_t ms, writ_error *err)
{
	const uint64_t until = manifest_runner_now_ms() + ms;
	writ_status status = w_quiet_events_begin(runner->step, err);

	set_tick(runner);
	while (status == WRIT_OK && !runner->step->is_interrupted &&
	       manifest_runner_now_ms() < until)
		status = poll_once(runner, until, err);
	return status;
}

/* ---- runs ---- */

static void
manifest_runner_on_result(void *ctx, writ_job *job, writ_result *result)
{
	struct w_manifest_runner *runner = ctx;

	(void)job;
	runner->job = NULL;
	if (!runner->is_orphan) {
		runner->result = result;
		return;
	}
	writ_result_free(result);
	free(runner);
}

static int
manifest_runner_on_output(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct w_manifest_runner *runner = ctx;

	return runner->on_output == NULL ? 0
					 : runner->on_output(runner->output_ctx,
					       job, stream, bytes, len);
}

/* A failed loop may never report the end; then this must outlive the apply,
 * because the engine still points to it. */
static void
abandon(struct w_manifest_runner *runner)
{
	writ_job_cancel(runner->job, SIGKILL);
	writ_job_cancel(runner->job, SIGKILL);
	for (int i = 0; runner->job != NULL && i < LAST_TRIES; i++)
		(void)writ_engine_dispatch(
		    runner->step->engine, LAST_WAIT, NULL);
	runner->is_orphan = runner->job != NULL;
}

static writ_status
manifest_runner_start(struct w_manifest_runner *runner,
    const writ_request *request, writ_error *err)
{
	writ_request own = *request;

	runner->on_output = request->on_output;
	runner->output_ctx = request->output_ctx;
	if (request->on_output != NULL) {
		own.on_output = manifest_runner_on_output;
		own.output_ctx = runner;
	}
	writ_status status = w_quiet_events_begin(runner->step, err);
	if (status != WRIT_OK)
		return status;
	set_tick(runner);
	status = writ_start(runner->step->engine, &own,
	    manifest_runner_on_result, runner, &runner->job, err);
	if (status != WRIT_OK)
		runner->job = NULL;
	return status;
}

writ_status
w_manifest_runner_run(struct w_manifest_runner *runner,
    const writ_request *request, writ_result **out_result, writ_error *err)
{
	writ_status status = manifest_runner_start(runner, request, err);

	while (status == WRIT_OK && runner->job != NULL)
		status = poll_once(runner, UINT64_MAX, err);
	if (runner->job != NULL)
		abandon(runner);
	runner->on_output = NULL;
	if (status == WRIT_OK)
		*out_result = runner->result;
	else
		writ_result_free(runner->result);
	runner->result = NULL;
	return status;
}
