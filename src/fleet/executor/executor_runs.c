/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs: from `received` in the ledger to `done`. An order is judged once more
 * before its command starts: the key may have been revoked, or the time may be
 * over, since it was received.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/draft.h>

#include "base/auto.h"
#include "data/json.h"
#include "fleet/executor/executor.h"

#define STAGE "request"

/* What an order may say about its run. The rest belongs to the host: who asks,
 * approvals, sessions, whose user. */
static const char *const run_keys[] = {"argv", "shell", "cwd", "env", "stdin",
    "timeout_ms", "idle_timeout_ms", "grace_ms", "max_output", "output_limit",
    "cpu_ms", "memory", "processes", "open_files", "file_size", "umask", "nice",
    "description", "sandbox", "read", "write", "network", "hosts",
    "explain_denials", NULL};

static writ_status
check_keys(yyjson_val *map, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		size_t i = 0;

		while (
		    run_keys[i] != NULL && !yyjson_equals_str(key, run_keys[i]))
			i++;
		if (run_keys[i] == NULL)
			return w_fail(err, WRIT_E_DENIED, STAGE, 0,
			    "an order cannot say '%s': that belongs to the "
			    "host",
			    yyjson_get_str(key));
	}
	return WRIT_OK;
}

/* ---- the end ---- */

static void
run_done(void *ctx, writ_job *job, writ_result *result)
{
	struct executor_run *run = ctx;
	struct w_executor *executor = run->executor;
	struct w_executor_answer answer = {.state = "done", .member = "result"};
	W_AUTO_FREE char *json = NULL;
	char id[W_ID_LEN + 1];
	char key[W_FLEET_NAME_MAX + 1];
	size_t len = 0;
	writ_error err;

	(void)job;
	/* Its place is free from here on. */
	memcpy(id, run->id, sizeof(id));
	memcpy(key, run->key, sizeof(key));
	run->id[0] = '\0';
	run->job = NULL;
	executor->run_count--;
	answer.id = id;
	answer.key = key;
	if (writ_result_json(result, &json, &len, &err) != WRIT_OK) {
		answer.member = NULL;
		answer.error = &err;
	}
	answer.json = json;
	w_executor_finish(executor, &answer);
	writ_result_keep_spill(result);
	writ_result_free(result);
}

static void
finish_unstarted(struct w_executor *executor, const char *id, const char *state,
    const char *key, const writ_error *error)
{
	const struct w_executor_answer answer = {
	    .id = id, .state = state, .key = key, .error = error};

	w_executor_finish(executor, &answer);
}

/* ---- the start ---- */

static writ_status
fill_request(writ_draft *draft, const struct w_fleet_judged *judged,
    const char *agent, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_REQUEST_MAX);
	writ_status status = check_keys(judged->request.run, err);
	if (status != WRIT_OK)
		return status;
	w_json_add_value(&text, judged->request.run);
	if (text.failed)
		return w_fail_nomem(err, STAGE);
	status = writ_draft_read_json(draft, text.data, text.len, err);
	if (status != WRIT_OK)
		return status;
	writ_request *request = writ_draft_request(draft);
	request->agent = agent;
	request->trace_id = judged->request.id;
	/* The host's policy and walls are the floor: an order asks as an agent
	 * does, and can have no person's word. */
	request->caller = WRIT_CALLER_UNTRUSTED;
	if (request->output_limit == 0 ||
	    request->output_limit > W_EXECUTOR_OUTPUT_MAX)
		request->output_limit = W_EXECUTOR_OUTPUT_MAX;
	return WRIT_OK;
}

static struct executor_run *
free_run(struct w_executor *executor)
{
	struct executor_run *run = executor->runs;

	while (run->id[0] != '\0')
		run++;
	return run;
}

static void
start_judged(struct w_executor *executor, const char *id,
    const struct w_fleet_judged *judged)
{
	char agent[W_FLEET_NAME_MAX + 16];
	writ_draft *draft = NULL;
	writ_error err;

	(void)snprintf(agent, sizeof(agent), "fleet:%s", judged->key->name);
	writ_status status = writ_draft_new(&draft, &err);
	if (status == WRIT_OK)
		status = fill_request(draft, judged, agent, &err);
	if (status != WRIT_OK) {
		writ_request request = WRIT_REQUEST_INIT;

		request.agent = agent;
		request.trace_id = id;
		writ_refuse(executor->engine, &request, &err);
		finish_unstarted(
		    executor, id, "denied", judged->key->name, &err);
		writ_draft_free(draft);
		return;
	}
	/* On disk before the command exists. If that fails, it waits. */
	if (w_fleet_ledger_start(executor->ledger, id, &err) != WRIT_OK) {
		w_executor_event(
		    executor, id, "not_started", judged->key->name, &err);
		writ_draft_free(draft);
		return;
	}
	struct executor_run *run = free_run(executor);
	run->executor = executor;
	memcpy(run->id, id, sizeof(run->id));
	memcpy(run->key, judged->key->name, sizeof(run->key));
	executor->run_count++;
	status = writ_start(executor->engine, writ_draft_request(draft),
	    run_done, run, &run->job, &err);
	if (status == WRIT_OK) {
		w_executor_event(
		    executor, id, "started", judged->key->name, NULL);
	} else {
		run->id[0] = '\0';
		executor->run_count--;
		finish_unstarted(
		    executor, id, "denied", judged->key->name, &err);
	}
	writ_draft_free(draft);
}

static void
start_entry(struct w_executor *executor, const struct w_fleet_entry *entry)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	const struct w_fleet_judge judge = {.host = executor->host.name,
	    .collective = executor->host.collective,
	    .trust = &trust,
	    .now_ms = w_fleet_now_ms()};
	struct w_fleet_judged judged = {.verdict = W_FLEET_FORGED};
	char id[W_ID_LEN + 1];
	writ_error err;

	memcpy(id, entry->id, sizeof(id));
	if (w_fleet_trust_load(executor->paths.trust, &trust, &err) == WRIT_OK)
		w_fleet_judge(
		    &judge, entry->order, entry->order_len, &judged, &err);
	if (judged.verdict == W_FLEET_TAKEN) {
		start_judged(executor, id, &judged);
	} else {
		const char *name = judged.key == NULL ? NULL : judged.key->name;
		writ_request request = WRIT_REQUEST_INIT;

		request.agent = "fleet";
		request.trace_id = id;
		writ_refuse(executor->engine, &request, &err);
		finish_unstarted(executor, id, "refused", name, &err);
	}
	w_json_free(judged.json);
}

void
w_executor_start_runs(struct w_executor *executor)
{
	size_t at = executor->next_received;

	if (executor->is_ending)
		return;
	while (executor->run_count < executor->host.parallel &&
	       at < w_fleet_ledger_count(executor->ledger)) {
		const struct w_fleet_entry *entry =
		    w_fleet_ledger_at(executor->ledger, at);

		if (entry->state == W_FLEET_RECEIVED ||
		    (entry->state == W_FLEET_STARTED && entry->was_lost))
			start_entry(executor, entry);
		if (entry->state == W_FLEET_RECEIVED)
			break; /* the disk is full: later */
		at++;
	}
	executor->next_received = at;
}

/* ---- lost, cancelled ---- */

static bool
may_repeat(const struct w_fleet_entry *entry)
{
	struct w_fleet_order order;
	struct w_fleet_request request;
	struct w_json *json = NULL;
	writ_error err;

	if (w_fleet_order_read(entry->order, entry->order_len, &order, &err) !=
		WRIT_OK ||
	    w_fleet_request_read(
		order.text, order.len, &json, &request, &err) != WRIT_OK)
		return false;
	const bool is_idempotent = request.options.is_idempotent;
	w_json_free(json);
	return is_idempotent;
}

void
w_executor_find_lost(struct w_executor *executor)
{
	static const writ_error lost = {.status = WRIT_E_SYSTEM,
	    .stage = "ledger",
	    .message = "it was started, and nobody saw its end: the host or "
		       "its executor was ended meanwhile"};

	for (size_t i = 0; i < w_fleet_ledger_count(executor->ledger); i++) {
		const struct w_fleet_entry *entry =
		    w_fleet_ledger_at(executor->ledger, i);

		if (entry->was_lost && !may_repeat(entry))
			finish_unstarted(
			    executor, entry->id, "lost", NULL, &lost);
	}
}

/* An id that has not come yet must not run when it comes. */
static void
bury(struct w_executor *executor, const char *id)
{
	const struct w_fleet_receipt receipt = {.id = id,
	    .expires = w_fleet_now_ms() + W_FLEET_EXPIRES_MAX_MS,
	    .order = "",
	    .len = 0};
	writ_error err;

	(void)w_fleet_ledger_receive(executor->ledger, &receipt, &err);
}

const char *
w_executor_cancel(struct w_executor *executor, const char *id, const char *by)
{
	struct w_fleet_entry *entry = w_fleet_ledger_find(executor->ledger, id);
	const char *was = "unknown";
	writ_error error = {.status = WRIT_E_REFUSED, .stage = "cancel"};

	for (size_t i = 0; i < W_EXECUTOR_RUNS_MAX; i++) {
		if (strcmp(executor->runs[i].id, id) == 0) {
			writ_job_cancel(executor->runs[i].job, SIGTERM);
			return "running";
		}
	}
	if (entry != NULL && entry->state > W_FLEET_RECEIVED)
		return "ended";
	if (entry == NULL)
		bury(executor, id);
	else
		was = "queued";
	(void)snprintf(error.message, sizeof(error.message),
	    "it was cancelled by the key '%s' before it started", by);
	finish_unstarted(executor, id, "cancelled", by, &error);
	return was;
}
