/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_STARTING_H
#define W_TEST_STARTING_H

/* The steps of a start without a policy or a record in between, but for what a
 * test puts there. engine/start.c is the real one. */

#include "run/resolve/request_check.h"
#include "run/run.h"

/* What a test does between the steps; NULL: nothing. */
struct start_steps {
	void (*decide)(struct w_prepared *prepared);
	writ_status (*begin)(const writ_request *asked,
	    const struct w_prepared *prepared, struct writ_job *job,
	    writ_error *err);
	void (*on_fail)(const char *run_id, const writ_error *err);
};

static struct start_steps start_steps;

static inline writ_status
prepare_run(writ_request *request, const struct w_prepare_context *context,
    struct w_prepared *out_prepared, writ_error *err)
{
	struct w_prepared prepared = W_PREPARED_INIT;
	writ_error missing = {.status = WRIT_OK};
	writ_error unseen = {0};

	if (err == NULL)
		err = &unseen;
	writ_status status =
	    w_run_locate(&prepared, request, NULL, &missing, err);
	if (status == WRIT_OK)
		status =
		    w_run_resolve(&prepared, request, context, &missing, err);
	if (status == WRIT_OK && missing.status != WRIT_OK) {
		*err = missing;
		status = missing.status;
	}
	if (status == WRIT_OK && start_steps.decide != NULL)
		start_steps.decide(&prepared);
	if (status == WRIT_OK)
		status = w_run_apply_profile(&prepared, request, context, err);
	if (status == WRIT_OK)
		*out_prepared = prepared;
	else
		w_prepared_done(&prepared);
	return status;
}

static inline writ_status
begin_run(struct writ_job *job, const writ_request *asked,
    const struct w_prepared *prepared, writ_error *err)
{
	if (start_steps.begin == NULL)
		return WRIT_OK;
	writ_status status = start_steps.begin(asked, prepared, job, err);
	job->has_begun = status == WRIT_OK;
	return status;
}

static inline void
fail_run(struct writ_job *job, const writ_error *err)
{
	char run_id[W_ID_LEN + 1];

	if (job == NULL)
		return;
	const bool has_begun = job->has_begun;
	(void)snprintf(run_id, sizeof(run_id), "%s", job->storage->run_id);
	job->has_begun = false;
	w_run_free(job);
	if (has_begun)
		start_steps.on_fail(run_id, err);
}

static inline writ_status
try_start_run(struct w_runner *on, const writ_request *checked,
    struct writ_job **out_job, writ_error *err)
{
	const struct w_prepare_context context = w_runner_context(on);
	struct w_prepared prepared = W_PREPARED_INIT;
	writ_request request = *checked;
	struct writ_job *job = NULL;

	writ_status status = w_runner_reserve(on, err);
	if (status == WRIT_OK)
		status = prepare_run(&request, &context, &prepared, err);
	if (status == WRIT_OK)
		status = w_run_new(on, &request, &prepared, &job, err);
	if (status == WRIT_OK)
		status = w_run_open(job, &prepared, err);
	if (status == WRIT_OK)
		status = begin_run(job, checked, &prepared, err);
	if (status == WRIT_OK)
		status = w_run_launch(job, &prepared, err);
	w_prepared_done(&prepared);
	if (status == WRIT_OK)
		*out_job = job;
	else
		fail_run(job, err);
	return status;
}

static inline writ_status
start_run(struct w_runner *on, const writ_request *request,
    writ_done_fn on_done, void *ctx, struct writ_job **out_job, writ_error *err)
{
	bool has_looked_again = false;
	writ_request checked;
	writ_error unseen = {0};

	if (err == NULL)
		err = &unseen;
	writ_status status = w_run_check_request(request, &checked, err);
	if (status != WRIT_OK)
		return status;
	do
		status = try_start_run(on, &checked, out_job, err);
	while (status != WRIT_OK &&
	       w_runner_prepare_retry(on, &checked, status, &has_looked_again));
	if (status != WRIT_OK)
		return status;
	(*out_job)->on_done = on_done;
	(*out_job)->done_ctx = ctx;
	return WRIT_OK;
}

#endif /* W_TEST_STARTING_H */
