/* SPDX-License-Identifier: Apache-2.0 */

/* The wait: for the engine, for whoever wants an end, and for the clock. */

#include "manifest/running.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define STAGE     "apply"
#define MS_PER_S  1000
#define NS_PER_MS 1000000

/* An engine whose loop has failed gets this often to end a run all the same. */
#define LAST_TRIES 100
#define LAST_WAIT  10 /* ms each */

struct w_running *
w_running_new(struct w_turn *turn)
{
	struct w_running *running = calloc(1, sizeof(*running));

	if (running != NULL)
		running->turn = turn;
	return running;
}

void
w_running_free(struct w_running *running)
{
	if (running == NULL || running->is_orphan)
		return;
	writ_result_free(running->result);
	free(running);
}

static uint64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * MS_PER_S +
	       (uint64_t)now.tv_nsec / NS_PER_MS;
}

/* ---- the caller ---- */

static void
ask(struct w_running *running, bool is_tick)
{
	struct w_turn *turn = running->turn;
	const struct w_apply_watch *watch = turn->watch;

	if (watch->on_wake == NULL || !watch->on_wake(watch->ctx))
		return;
	/* Who says so each time that he is asked means it once; a second time
	 * is one that he woke us for. */
	const bool is_again = turn->is_interrupted;
	turn->is_interrupted = true;
	if (running->job != NULL && (!is_again || !is_tick))
		writ_job_cancel(running->job, is_again ? SIGKILL : SIGTERM);
}

static void
set_tick(struct w_running *running)
{
	const int tick = running->turn->watch->tick_ms;

	if (tick >= 0)
		running->tick_at_ms = now_ms() + (uint64_t)tick;
}

static void
ask_when_due(struct w_running *running)
{
	if (running->turn->watch->tick_ms < 0)
		return;
	if (now_ms() < running->tick_at_ms)
		return;
	set_tick(running);
	ask(running, true);
}

void
w_running_look(struct w_running *running)
{
	struct pollfd fd = {
	    .fd = running->turn->watch->wake_fd, .events = POLLIN};

	if (fd.fd >= 0 && poll(&fd, 1, 0) > 0)
		ask(running, false);
}

/* ---- waiting ---- */

/* The nearer of a deadline and the next tick; -1: neither. */
static int
wait_ms(const struct w_running *running, uint64_t until_ms)
{
	uint64_t until = until_ms;

	if (running->turn->watch->tick_ms >= 0 && running->tick_at_ms < until)
		until = running->tick_at_ms;
	if (until == UINT64_MAX)
		return -1;
	const uint64_t now = now_ms();
	if (until <= now)
		return 0;
	return until - now > INT_MAX ? INT_MAX : (int)(until - now);
}

/* One wait and what it brings; until_ms UINT64_MAX: no deadline. */
static writ_status
attend(struct w_running *running, uint64_t until_ms, writ_error *err)
{
	struct w_turn *turn = running->turn;
	struct pollfd fds[] = {
	    {.fd = writ_engine_fd(turn->engine), .events = POLLIN},
	    {.fd = turn->watch->wake_fd, .events = POLLIN},
	};

	/* A negative descriptor is passed over by poll. */
	int ready = poll(fds, 2, wait_ms(running, until_ms));
	if (ready < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno, "cannot wait");
	if (ready > 0 && fds[1].revents != 0)
		ask(running, false);
	ask_when_due(running);
	if (ready > 0 && fds[0].revents != 0)
		return writ_engine_dispatch(turn->engine, 0, err);
	return WRIT_OK;
}

writ_status
w_running_pause(struct w_running *running, uint64_t ms, writ_error *err)
{
	const uint64_t until = now_ms() + ms;
	writ_status status = WRIT_OK;

	set_tick(running);
	while (status == WRIT_OK && !running->turn->is_interrupted &&
	       now_ms() < until)
		status = attend(running, until, err);
	return status;
}

/* ---- runs ---- */

static void
take_result(void *ctx, writ_job *job, writ_result *result)
{
	struct w_running *running = ctx;

	(void)job;
	running->job = NULL;
	if (!running->is_orphan) {
		running->result = result;
		return;
	}
	writ_result_free(result);
	free(running);
}

static int
take_output(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct w_running *running = ctx;

	return running->on_output == NULL
		   ? 0
		   : running->on_output(
			 running->output_ctx, job, stream, bytes, len);
}

/* A loop that has failed may not bring the end; then this must outlive the
 * apply, for the engine knows it. */
static void
abandon(struct w_running *running)
{
	writ_job_cancel(running->job, SIGKILL);
	writ_job_cancel(running->job, SIGKILL);
	for (int i = 0; running->job != NULL && i < LAST_TRIES; i++)
		(void)writ_engine_dispatch(
		    running->turn->engine, LAST_WAIT, NULL);
	running->is_orphan = running->job != NULL;
}

static writ_status
start(struct w_running *running, const writ_request *request, writ_error *err)
{
	writ_request own = *request;

	running->on_output = request->on_output;
	running->output_ctx = request->output_ctx;
	if (request->on_output != NULL) {
		own.on_output = take_output;
		own.output_ctx = running;
	}
	set_tick(running);
	writ_status status = writ_start(running->turn->engine, &own,
	    take_result, running, &running->job, err);
	if (status != WRIT_OK)
		running->job = NULL;
	return status;
}

writ_status
w_running_run(struct w_running *running, const writ_request *request,
    writ_result **out_result, writ_error *err)
{
	writ_status status = start(running, request, err);

	while (status == WRIT_OK && running->job != NULL)
		status = attend(running, UINT64_MAX, err);
	if (running->job != NULL)
		abandon(running);
	running->on_output = NULL;
	if (status == WRIT_OK)
		*out_result = running->result;
	else
		writ_result_free(running->result);
	running->result = NULL;
	return status;
}
