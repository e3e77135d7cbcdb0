/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A request, from the call to the running command. try_start() is the whole way
 * on one screen: every run of every front end comes through it, in this order.
 *
 *	w_run_locate		who, and in which directory	prepare.c
 *	w_decider_constrain		walls, network, limits decider.c
 *	w_run_resolve		environment, words, program	prepare.c
 *	w_decider_decide	allow, ask or deny		decider.c
 *	w_run_apply_profile		the sandbox prepare.c w_run_new,
 *w_run_open	the run, its streams		run_start.c w_recorder_begin_run
 *the record says it begins	recorder_run.c
 *	w_run_launch		the process			run_start.c
 *
 * A refusal outranks what is missing: a caller who may not run a program does
 * not learn whether it exists. How a run ends is in run/run.c, and what is
 * written of that in recorder_run.c.
 */

#include <writ/run.h>

#include "base/auto.h"
#include "engine/decide/decider_isolated.h"
#include "engine/engine_state.h"
#include "engine/job_context.h"
#include "run/resolve/request_check.h"

/* Everything before the request itself is looked at. */
writ_status
w_engine_accept(
    writ_engine *engine, const writ_request *request, writ_error *err)
{
	struct w_decider *decider = &engine->decider;
	struct w_recorder *recorder = &engine->recorder;
	writ_request asked;
	writ_status status = w_engine_find_paths(engine, err);

	if (status != WRIT_OK)
		return status;
	w_recorder_copy(request, &asked);
	if (engine->is_unaudited) {
		status = w_request_understand(
		    &recorder->reader, engine->config, &asked, err);
	} else {
		status = w_recorder_open(
		    recorder, engine->config, engine->door, request, err);
		decider->redactor = &recorder->redactor;
		decider->request_key = recorder->trail == NULL
					   ? NULL
					   : &recorder->trail->request_key;
	}
	w_decider_accept(decider, &asked);
	return status == WRIT_OK ? w_decider_accept_runner(decider, err)
				 : status;
}

static writ_status
fail_missing(const writ_error *missing, writ_error *err)
{
	if (missing->status != WRIT_OK)
		*err = *missing;
	return missing->status;
}

static writ_status
record_begin(writ_engine *engine, const writ_request *checked,
    const struct w_prepared *prepared, struct writ_job *job, writ_error *err)
{
	if (engine->is_unaudited)
		return WRIT_OK;
	writ_status status = w_recorder_begin_run(
	    &engine->recorder, checked, prepared, job->storage, err);
	job->has_begun = status == WRIT_OK;
	return status;
}

/* The record says that it failed when nothing of it is left. */
static void
fail_start(writ_engine *engine, struct writ_job *job, const writ_error *err)
{
	struct w_run_result *storage = NULL;

	if (job == NULL)
		return;
	if (job->has_begun)
		storage = w_take_ptr(&job->storage);
	w_run_free(job);
	if (storage == NULL)
		return;
	w_recorder_fail_run(&engine->recorder, storage->run_id, err);
	w_run_result_free(storage);
}

static writ_status
try_start(writ_engine *engine, const writ_request *checked,
    struct writ_job **out_job, writ_error *err)
{
	struct w_decider *decider = &engine->decider;
	struct w_runner *runner = &engine->runner;
	const struct w_prepare_context context = w_runner_context(runner);
	struct w_prepared prepared = W_PREPARED_INIT;
	struct writ_job *job = NULL;
	writ_request request = *checked; /* becomes what is granted */
	writ_error missing = {.status = WRIT_OK};

	writ_status status = w_runner_reserve(runner, err);
	if (status == WRIT_OK)
		status = w_run_locate(&prepared, &request, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_constrain(decider, &prepared, &request, err);
	if (status == WRIT_OK)
		status =
		    w_run_resolve(&prepared, &request, &context, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_decide(
		    decider, &prepared, &missing, &request, err);
	if (status == WRIT_OK)
		status = fail_missing(&missing, err);
	if (status == WRIT_OK)
		status =
		    w_run_apply_profile(&prepared, &request, &context, err);
	if (status == WRIT_OK)
		status = w_run_new(runner, &request, &prepared, &job, err);
	if (status == WRIT_OK)
		status = w_run_open(job, &prepared, err);
	if (status == WRIT_OK)
		status = record_begin(engine, checked, &prepared, job, err);
	if (status == WRIT_OK)
		status = w_run_launch(job, &prepared, err);
	w_prepared_done(&prepared);
	if (status == WRIT_OK)
		*out_job = job;
	else
		fail_start(engine, job, err);
	return status;
}

static writ_status
start_with_retry(writ_engine *engine, const writ_request *request,
    struct writ_job **out_job, writ_error *err)
{
	bool has_looked_again = false;
	writ_request checked;
	writ_status status = w_run_check_request(request, &checked, err);

	if (status != WRIT_OK)
		return status;
	do
		status = try_start(engine, &checked, out_job, err);
	while (status != WRIT_OK && w_runner_can_retry(&engine->runner,
					&checked, status, &has_looked_again));
	return status;
}

writ_status
writ_start(writ_engine *engine, const writ_request *request,
    writ_done_fn on_done, void *ctx, writ_job **out_job, writ_error *err)
{
	struct w_job_context *note = NULL;
	writ_error unseen = {0};
	writ_job *job = NULL;

	/* The record wants to know it even if the caller does not. */
	if (err == NULL)
		err = &unseen;
	writ_status status = w_engine_accept(engine, request, err);
	if (status == WRIT_OK)
		status = w_job_context_new(engine, request, &note, err);
	if (status == WRIT_OK)
		status = start_with_retry(engine, request, &job, err);
	if (status == WRIT_OK) {
		w_job_context_attach(note, job);
		job->on_done = on_done;
		job->done_ctx = ctx;
		if (out_job != NULL)
			*out_job = job;
	} else {
		w_job_context_free(note);
	}
	w_recorder_started(
	    &engine->recorder, request, status == WRIT_OK ? NULL : err);
	w_decider_finish(&engine->decider);
	return status;
}

void
writ_refuse(
    writ_engine *engine, const writ_request *request, const writ_error *error)
{
	writ_error unseen;

	if (engine->is_unaudited ||
	    w_engine_accept(engine, request, &unseen) != WRIT_OK)
		return;
	w_recorder_started(&engine->recorder, request, error);
	w_decider_finish(&engine->decider);
}

static void
start_take_result(void *ctx, writ_job *job, writ_result *result)
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
	    writ_start(engine, request, start_take_result, &result, &job, err);
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
