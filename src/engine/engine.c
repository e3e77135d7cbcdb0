/* SPDX-License-Identifier: Apache-2.0 */

/* The public API of engines and of their running jobs. start.c starts them. */

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <writ/config.h>
#include <writ/run.h>

#include "base/auto.h"
#include "command/analysis/variable.h"
#include "engine/engine_state.h"
#include "os/resolve.h"
#include "run/run.h"

/* What a sandbox needs to know: its profiles, and what to hide. */
static writ_status
find_profile_dirs(writ_engine *engine, writ_error *err)
{
	struct w_config_profile_dirs *dirs = &engine->profile_dirs;
	const writ_config *config = engine->config;

	writ_status status = w_config_need(config, W_SET_CONFIG_DIR, err);
	if (status == WRIT_OK)
		status = w_config_need(config, W_SET_STATE_DIR, err);
	if (status != WRIT_OK)
		return status;
	w_config_profile_dirs_done(dirs);
	status = w_config_profile_dirs_init(dirs, config, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < W_PROFILE_DIRS; i++)
		engine->runner.profile_dirs[i] = dirs->paths[i];
	engine->runner.state_dir = w_config_path(config, W_SET_STATE_DIR);
	engine->decider.name_index->state_dir = engine->runner.state_dir;
	return WRIT_OK;
}

/* Where kept outputs go. They belong to the audit trail. */
static writ_status
find_output_dir(writ_engine *engine, writ_error *err)
{
	const char *state = w_config_path(engine->config, W_SET_STATE_DIR);

	if (engine->is_unaudited || state == NULL)
		return WRIT_OK;
	engine->output_dir = w_config_join(state, "outputs");
	if (engine->output_dir == NULL)
		return w_fail_nomem(err, "config");
	engine->runner.output_dir = engine->output_dir;
	engine->runner.keep_default =
	    w_config_number(engine->config, W_SET_OUTPUT_KEEP);
	return WRIT_OK;
}

static writ_status
engine_look_up(writ_engine *engine, writ_error *err)
{
	if (engine->has_looked)
		return WRIT_OK;
	if (engine->config == NULL) {
		writ_status status = w_config_new_lenient(&engine->config, err);

		if (status != WRIT_OK)
			return status;
	}
	writ_status status = find_output_dir(engine, err);
	if (status != WRIT_OK)
		return status;
	if (engine->spill_dir == NULL)
		engine->runner.spill_dir =
		    w_config_path(engine->config, W_SET_SPILL_DIR);
	engine->runner.undo_bytes_max =
	    w_config_number(engine->config, W_SET_UNDO_SIZE);
	engine->runner.undo_age_ms =
	    w_config_number(engine->config, W_SET_UNDO_AGE);
	engine->has_looked = true;
	return WRIT_OK;
}

/* Looks up paths at the first run. A user without a home lacks some of them,
 * which matters only to runs in a sandbox. */
writ_status
w_engine_find_paths(writ_engine *engine, writ_error *err)
{
	struct w_decider *decider = &engine->decider;
	writ_status status = engine_look_up(engine, err);

	if (status != WRIT_OK)
		return status;
	decider->no_walls.status = WRIT_OK;
	if (engine->runner.state_dir == NULL &&
	    find_profile_dirs(engine, &decider->no_walls) == WRIT_E_NOMEM)
		return w_fail_nomem(err, "engine");
	decider->config = engine->config;
	decider->door = engine->door;
	decider->profile_dirs = engine->runner.profile_dirs;
	decider->spill_dir = engine->runner.spill_dir;
	return WRIT_OK;
}

static writ_status
find_base(writ_engine *engine, const char *named, writ_error *err)
{
	engine->base = w_resolve_real(named == NULL ? "." : named);
	if (engine->base == NULL && errno == ENOMEM)
		return w_fail_nomem(err, "engine");
	return engine->base != NULL || named == NULL
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_INVALID, "base", errno,
			 "cannot use the directory '%.256s'", named);
}

static writ_status
engine_init(
    writ_engine *engine, const writ_engine_options *opts, writ_error *err)
{
	engine->is_unaudited = opts->no_audit;
	engine->door = strdup(opts->door == NULL ? "library" : opts->door);
	if (opts->spill_dir != NULL)
		engine->spill_dir = strdup(opts->spill_dir);
	if (opts->sandbox != NULL)
		engine->sandbox = strdup(opts->sandbox);
	if (opts->policy != NULL) {
		engine->policy = malloc(opts->policy_len + 1);
		if (engine->policy == NULL)
			return w_fail_nomem(err, "engine");
		memcpy(engine->policy, opts->policy, opts->policy_len);
	}
	if (engine->door == NULL ||
	    (opts->spill_dir != NULL && engine->spill_dir == NULL) ||
	    (opts->sandbox != NULL && engine->sandbox == NULL))
		return w_fail_nomem(err, "engine");
	writ_status status = find_base(engine, opts->base, err);
	if (status == WRIT_OK && opts->config != NULL)
		status = w_config_copy(opts->config, &engine->config, err);
	if (status == WRIT_OK)
		status = w_runner_init(&engine->runner, err);
	return status;
}

static void
free_parts(writ_engine *engine)
{
	w_config_profile_dirs_done(&engine->profile_dirs);
	writ_config_free(engine->config);
	free(engine->spill_dir);
	free(engine->output_dir);
	free(engine->door);
	free(engine->base);
	free(engine->policy);
	free(engine->sandbox);
	free(engine);
}

static bool
is_risky_variable(const char *name)
{
	return w_variable_effects(name, strlen(name), NULL) != 0;
}

writ_status
writ_engine_new(
    const writ_engine_options *opts, writ_engine **out_engine, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = calloc(1, sizeof(*engine));

	if (engine == NULL)
		return w_fail_nomem(err, "engine");
	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	writ_status status = engine_init(engine, &options, err);
	if (status != WRIT_OK) {
		free_parts(engine);
		return status;
	}
	engine->runner.spill_dir = engine->spill_dir;
	engine->runner.is_risky_variable = is_risky_variable;
	/* The command line's engine is there for one run. */
	engine->runner.is_session = strcmp(engine->door, "cli") != 0;
	w_decider_init(&engine->decider);
	engine->decider.base = engine->base;
	engine->decider.policies.text = engine->policy;
	engine->decider.policies.text_len = options.policy_len;
	engine->decider.sandbox = engine->sandbox;
	engine->decider.name_index =
	    &engine->runner.launcher.sandbox_cache.name_index;
	engine->decider.has_terminal = options.has_terminal;
	engine->decider.reader = &engine->recorder.reader;
	w_recorder_init(&engine->recorder, &engine->runner, &engine->decider);
	*out_engine = engine;
	return WRIT_OK;
}

void
writ_engine_free(writ_engine *engine)
{
	if (engine == NULL)
		return;
	w_recorder_close(&engine->recorder);
	w_runner_done(&engine->runner);
	w_decider_done(&engine->decider);
	w_recorder_done(&engine->recorder);
	free_parts(engine);
}

int
writ_engine_fd(const writ_engine *engine)
{
	/* Where it waits is no property of the engine that anybody sees. */
	return w_loop_fd((struct w_loop *)(uintptr_t)&engine->runner.loop);
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
	*out_len = 0;
	/* Bytes queued before go first. */
	if (w_input_is_waiting(&job->input))
		return WRIT_OK;
	int error = w_input_write(&job->input, bytes, len, out_len);

	return error == 0 || error == EAGAIN ? WRIT_OK : WRIT_E_INVALID;
}

void
writ_job_close_stdin(writ_job *job)
{
	w_input_end(&job->input);
}

void
writ_job_resize(writ_job *job, unsigned rows, unsigned columns)
{
	w_pty_resize(&job->pty, rows, columns);
}

void
writ_job_on_stop(writ_job *job, writ_stop_fn fn, void *ctx)
{
	job->on_stop = fn;
	job->stop_ctx = ctx;
}

void
writ_job_on_background(writ_job *job, writ_background_fn fn, void *ctx)
{
	job->on_background = fn;
	job->background_ctx = ctx;
}

const char *
writ_job_id(const writ_job *job)
{
	return job->storage == NULL ? "" : job->storage->run_id;
}
