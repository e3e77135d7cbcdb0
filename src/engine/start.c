/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A request, from the call to the running process. Every run of every front end
 * goes through try_start(), which takes these steps in this order:
 *
 *	w_run_locate		user and working directory	prepare.c
 *	w_decider_constrain	sandbox, network and limits	decider.c
 *	w_run_resolve		environment, argv, program	prepare.c
 *	w_decider_decide	allow, ask or deny		decider.c
 *	prepare_hosts		the network by host		below
 *	w_run_apply_profile	the sandbox plan		prepare.c
 *	w_run_new, w_run_open	the job and its streams		run_start.c
 *	w_recorder_begin_run	the begin record		recorder_run.c
 *	w_run_launch		the process			run_start.c
 *
 * The begin record is written before the process exists. How a run ends is in
 * run/run.c; recorder_run.c records it.
 */

#include <writ/run.h>

#include "base/auto.h"
#include "engine/decide/decider_isolated.h"
#include "engine/engine_state.h"
#include "engine/hosts/engine_hosts.h"
#include "engine/job_context.h"
#include "run/resolve/request_check.h"

/* Accepts a request: finds paths, opens the audit trail, analyzes the
 * command. */
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
	w_request_copy(request, &asked);
	if (engine->is_unaudited) {
		status = w_request_understand(
		    &recorder->reader, engine->config, &asked, err);
	} else {
		/* Analyzes the command too, to find its secrets. */
		status = w_recorder_open(
		    recorder, engine->config, engine->door, request, err);
		decider->redactor = &recorder->redactor;
		decider->request_key = recorder->trail == NULL
					   ? NULL
					   : &recorder->trail->request_key;
	}
	w_decider_accept(decider, &asked);
	return status == WRIT_OK ? w_decider_accept_module_runner(decider, err)
				 : status;
}

/* Frees the job of a start that failed. A begin record gets its end record. */
static void
fail_start(writ_engine *engine, struct writ_job *job, const writ_error *err)
{
	struct w_run_result *storage = NULL;

	if (job == NULL)
		return;
	/* w_run_free() would record a begun run as abandoned; this one
	 * failed. */
	if (job->has_begun)
		storage = w_take_ptr(&job->storage);
	w_run_free(job);
	if (storage == NULL)
		return;
	w_recorder_fail_run(&engine->recorder, storage->run_id, err);
	w_run_result_free(storage);
}

/* A run in a session uses the session's network. */
static writ_status
prepare_hosts(writ_engine *engine, struct w_prepared *prepared,
    const writ_request *granted, writ_error *err)
{
	writ_status status =
	    w_engine_hosts_ports(granted->hosts, &prepared->host_ports, err);

	return status == WRIT_OK && !prepared->decision.is_outsider
		   ? w_engine_hosts_prepare(engine, granted->in_session,
			 &prepared->host_ports, err)
		   : status;
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
	writ_request granted = *checked; /* becomes what the policy grants */
	writ_error missing = {.status = WRIT_OK}; /* no such program, no cwd */

	writ_status status = w_runner_reserve(runner, err);
	if (status == WRIT_OK)
		status = w_run_locate(
		    &prepared, &granted, engine->base, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_constrain(decider, &prepared, &granted, err);
	if (status == WRIT_OK)
		status =
		    w_run_resolve(&prepared, &granted, &context, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_decide(
		    decider, &prepared, &missing, &granted, err);

	/* Only now: a caller who may not run a program must not learn whether
	 * it exists. */
	if (status == WRIT_OK && missing.status != WRIT_OK) {
		status = missing.status;
		*err = missing;
	}

	const bool has_hosts = granted.network == WRIT_NETWORK_HOSTS;
	if (status == WRIT_OK && has_hosts)
		status = prepare_hosts(engine, &prepared, &granted, err);
	if (status == WRIT_OK)
		status =
		    w_run_apply_profile(&prepared, &granted, &context, err);
	if (status == WRIT_OK)
		status = w_run_new(runner, &granted, &prepared, &job, err);
	if (status == WRIT_OK && has_hosts)
		status = w_engine_hosts_open_run(
		    engine, job, &prepared, granted.hosts, err);
	if (status == WRIT_OK)
		status = w_run_open(job, &prepared, err);
	if (status == WRIT_OK && !engine->is_unaudited) {
		status = w_recorder_begin_run(
		    &engine->recorder, checked, &prepared, job->storage, err);
		job->has_begun = status == WRIT_OK;
	}
	if (status == WRIT_OK)
		status = w_run_launch(job, &prepared, err);

	w_prepared_done(&prepared);
	if (status == WRIT_OK)
		*out_job = job;
	else
		fail_start(engine, job, err);
	return status;
}

writ_status
writ_start(writ_engine *engine, const writ_request *request,
    writ_done_fn on_done, void *ctx, writ_job **out_job, writ_error *err)
{
	struct w_job_context *context = NULL;
	bool has_looked_again = false;
	writ_error unseen = {0};
	writ_request checked;
	writ_job *job = NULL;

	/* The record names the error even if the caller ignores it. */
	if (err == NULL)
		err = &unseen;
	writ_status status = w_engine_accept(engine, request, err);
	if (status == WRIT_OK)
		status = w_job_context_new(engine, request, &context, err);
	if (status == WRIT_OK)
		status = w_run_check_request(request, &checked, err);
	if (status == WRIT_OK) {
		/* Again if a cached sandbox was stale, or, with best effort,
		 * without a layer that this machine lacks. */
		do
			status = try_start(engine, &checked, &job, err);
		while (status != WRIT_OK &&
		       w_runner_prepare_retry(&engine->runner, &checked, status,
			   &has_looked_again));
	}

	if (status == WRIT_OK) {
		w_job_context_attach(context, job);
		job->on_done = on_done;
		job->done_ctx = ctx;
		if (out_job != NULL)
			*out_job = job;
	} else {
		w_job_context_free(context);
	}
	w_recorder_finish(
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
	w_recorder_finish(&engine->recorder, request, error);
	w_decider_finish(&engine->decider);
}

static void
store_result(void *ctx, writ_job *job, writ_result *result)
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
	    writ_start(engine, request, store_result, &result, &job, err);
	while (status == WRIT_OK && result == NULL) {
		status = writ_engine_dispatch(engine, -1, err);
		/* A failed loop never reports the end. */
		if (status != WRIT_OK)
			w_run_abandon(job);
	}
	if (status == WRIT_OK)
		*out_result = result;
	return status;
}
