/* SPDX-License-Identifier: Apache-2.0 */

/* The public face: an engine and its runs. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <writ/config.h>
#include <writ/run.h>

#include "base/auto.h"
#include "engine/sandbox.h"
#include "exec/request_check.h"
#include "exec/run.h"

struct writ_engine {
	struct w_runner runner;
	char *spill_dir;     /* as the options say; NULL: by the settings */
	writ_config *config; /* NULL: not looked up yet, or in vain */
	bool has_looked;
	struct w_profile_dirs profile_dirs;
};

static writ_status
find_profile_dirs(writ_engine *engine, writ_error *err)
{
	struct w_profile_dirs *dirs = &engine->profile_dirs;

	w_profile_dirs_done(dirs);
	writ_status status = w_profile_dirs_init(dirs, engine->config, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < W_PROFILE_DIRS; i++)
		engine->runner.profile_dirs[i] = dirs->paths[i];
	engine->runner.state_dir = writ_config_get(engine->config, "state_dir");
	return WRIT_OK;
}

static writ_status
find_places(writ_engine *engine, writ_error *err)
{
	engine->has_looked = true;
	if (engine->config == NULL) {
		writ_status status = writ_config_new(&engine->config, err);

		if (status != WRIT_OK)
			return status;
	}
	if (engine->spill_dir == NULL)
		engine->runner.spill_dir =
		    writ_config_get(engine->config, "spill_dir");
	return find_profile_dirs(engine, err);
}

/*
 * Looks up where things are, as late as possible: for most runs nowhere is
 * needed. A place for output that cannot be named is no reason not to run:
 * then nothing is spilled, and the output says so. A sandbox must know what
 * to hide.
 */
static writ_status
prepare_places(
    writ_engine *engine, const writ_request *request, writ_error *err)
{
	if (w_request_has_sandbox(request) && engine->runner.state_dir == NULL)
		return find_places(engine, err);
	if (!engine->has_looked && engine->spill_dir == NULL &&
	    request->spill_limit != WRIT_ZERO)
		(void)find_places(engine, NULL);
	return WRIT_OK;
}

/* An older caller's options may be shorter than ours. */
static const char *
given_spill_dir(const writ_engine_options *opts)
{
	if (opts == NULL || opts->size < sizeof(*opts))
		return NULL;
	return opts->spill_dir;
}

writ_status
writ_engine_new(
    const writ_engine_options *opts, writ_engine **out_engine, writ_error *err)
{
	const char *spill_dir = given_spill_dir(opts);
	writ_engine *engine = calloc(1, sizeof(*engine));

	if (engine == NULL)
		return w_fail_nomem(err, "engine");
	if (spill_dir != NULL)
		engine->spill_dir = strdup(spill_dir);
	writ_status status = spill_dir != NULL && engine->spill_dir == NULL
				 ? w_fail_nomem(err, "engine")
				 : w_runner_init(&engine->runner, err);
	if (status != WRIT_OK) {
		free(engine->spill_dir);
		free(engine);
		return status;
	}
	engine->runner.spill_dir = engine->spill_dir;
	*out_engine = engine;
	return WRIT_OK;
}

void
writ_engine_free(writ_engine *engine)
{
	if (engine == NULL)
		return;
	w_runner_done(&engine->runner);
	w_profile_dirs_done(&engine->profile_dirs);
	writ_config_free(engine->config);
	free(engine->spill_dir);
	free(engine);
}

int
writ_engine_fd(const writ_engine *engine)
{
	return engine->runner.loop.epoll_fd;
}

writ_status
writ_engine_dispatch(writ_engine *engine, int timeout_ms, writ_error *err)
{
	return w_runner_dispatch(&engine->runner, timeout_ms, err);
}

size_t
writ_engine_live(const writ_engine *engine)
{
	return engine->runner.live_count;
}

writ_status
writ_start(writ_engine *engine, const writ_request *request,
    writ_done_fn on_done, void *ctx, writ_job **out_job, writ_error *err)
{
	writ_job *job;

	writ_status status = prepare_places(engine, request, err);
	if (status != WRIT_OK)
		return status;
	status = w_run_start(&engine->runner, request, on_done, ctx, &job, err);
	if (status == WRIT_OK && out_job != NULL)
		*out_job = job;
	return status;
}

static void
take_result(void *ctx, writ_job *job, writ_result *result)
{
	(void)job;
	*(writ_result **)ctx = result;
}

writ_status
writ_run(writ_engine *engine, const writ_request *request,
    writ_result **out_result, writ_error *err)
{
	writ_result *result = NULL;
	writ_job *job = NULL;

	writ_status status =
	    writ_start(engine, request, take_result, &result, &job, err);
	while (status == WRIT_OK && result == NULL) {
		status = writ_engine_dispatch(engine, -1, err);
		/* A loop that has failed will not bring the end. */
		if (status != WRIT_OK && result == NULL)
			w_run_abandon(job);
	}
	if (status == WRIT_OK)
		*out_result = result;
	return status;
}

void
writ_job_cancel(writ_job *job, int signal)
{
	w_run_cancel(job, signal);
}

void
writ_job_signal(writ_job *job, int signal)
{
	if (!job->is_tree_gone)
		w_tree_signal(&job->tree, signal, false);
}

void
writ_job_resume(writ_job *job, writ_stream stream)
{
	w_run_resume(job, stream);
}

writ_status
writ_job_write(writ_job *job, const void *bytes, size_t len, size_t *out_len)
{
	int error = w_input_write(&job->input, bytes, len, out_len);

	return error == 0 || error == EAGAIN ? WRIT_OK : WRIT_E_INVALID;
}

void
writ_job_close_stdin(writ_job *job)
{
	w_input_close(&job->input);
}

const char *
writ_job_id(const writ_job *job)
{
	return job->box == NULL ? "" : job->box->run_id;
}
