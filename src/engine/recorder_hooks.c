/* SPDX-License-Identifier: Apache-2.0 */

/* What a run tells of itself, and what is written of it. */

#include <unistd.h>

#include "engine/recorder.h"
#include "engine/trigger_notes.h"

static writ_status
on_plan(void *ctx, struct w_prepared *prepared, writ_request *request,
    writ_error *err)
{
	const struct w_recorder *recorder = ctx;

	return w_decider_plan(recorder->decider, prepared, request, err);
}

static writ_status
on_decide(void *ctx, struct w_prepared *prepared, const writ_error *missing,
    writ_request *request, writ_error *err)
{
	const struct w_recorder *recorder = ctx;

	return w_decider_decide(
	    recorder->decider, prepared, missing, request, err);
}

static void
add_begin(struct w_recorder *recorder, const struct w_run_begin *told)
{
	const struct w_prepared *prepared = told->prepared;
	const writ_result *result = &told->box->result;
	const struct w_identity *identity = &prepared->identity;
	const struct w_record_who who = w_recorder_who(recorder, told->request);
	const struct w_said *said = &prepared->said;
	const struct w_record_policy policy = {.decision = said->decision,
	    .rule = said->rule,
	    .grant = said->grant,
	    .approval = said->approval};
	const struct w_record_begin begin = {
	    .run_id = told->run_id,
	    .who = &who,
	    .request = told->request,
	    .understood = recorder->understood,
	    .program = prepared->program.path,
	    .cwd = prepared->cwd,
	    .env = (const char *const *)prepared->env.items,
	    .uid = identity->is_set ? identity->uid : geteuid(),
	    .gid = identity->is_set ? identity->gid : getegid(),
	    .profile = result->sandbox,
	    .network = result->network,
	    .layers = result->layers,
	    .policy = said->decision == NULL ? NULL : &policy,
	    .request_hash = recorder->decider->hash,
	};
	w_record_add_begin(
	    w_recorder_buf(recorder), &recorder->redactor, &begin);
}

static void
on_fail(void *ctx, const char *run_id, const writ_error *error)
{
	struct w_recorder *recorder = ctx;
	writ_error inner;
	uint64_t seq;

	if (!recorder->has_begun)
		return;
	recorder->failed = *error;
	recorder->has_failed = true;
	recorder->redactor.has_redacted = false;
	w_record_add_failed(
	    w_recorder_buf(recorder), &recorder->redactor, run_id, error);
	(void)w_recorder_append(recorder, W_LOG_ENDS, &seq, &inner);
}

static writ_status
on_begin(void *ctx, const struct w_run_begin *told, writ_error *err)
{
	struct w_recorder *recorder = ctx;
	writ_error inner = {0};

	recorder->redactor.has_redacted = false;
	w_batch_count(&recorder->batch);
	if (recorder->trail != NULL)
		add_begin(recorder, told);
	writ_status status = w_recorder_append(
	    recorder, W_LOG_BEGINS, &told->box->result.begin_seq, &inner);
	recorder->has_begun = told->box->result.begin_seq != 0;
	if (status == WRIT_OK)
		return WRIT_OK;
	if (!recorder->may_run) {
		status = w_recorder_fail(recorder, &inner, err);
		on_fail(recorder, told->run_id, err);
		return status;
	}
	w_result_box_set_unrecorded(told->box,
	    recorder->trail == NULL ? recorder->failed.message : inner.message);
	return WRIT_OK;
}

static void
on_end(void *ctx, struct w_result_box *box)
{
	struct w_recorder *recorder = ctx;
	writ_result *result = &box->result;
	writ_error inner;

	if (result->begin_seq == 0) {
		if (recorder->trail != NULL)
			w_trail_lose(recorder->trail, 1, result->unrecorded);
		return;
	}
	const uint64_t bytes =
	    result->out[WRIT_STDOUT].bytes + result->out[WRIT_STDERR].bytes;
	w_record_add_end(
	    w_recorder_buf(recorder), result, result->recording_bytes == bytes);
	if (w_recorder_append(recorder, W_LOG_ENDS, &result->end_seq, &inner) !=
	    WRIT_OK)
		w_result_box_set_unrecorded(box, inner.message);
	if (result->trigger_count > 0 && !box->is_trusted)
		w_trigger_notes_add(
		    w_config_path(recorder->config, W_SET_STATE_DIR), result);
}

static void
on_abandon(void *ctx, const char *run_id)
{
	struct w_recorder *recorder = ctx;
	writ_error inner;
	uint64_t seq;

	w_record_add_abandoned(w_recorder_buf(recorder), run_id);
	(void)w_recorder_append(recorder, W_LOG_ENDS, &seq, &inner);
}

const struct w_run_hooks w_recorder_hooks = {
    NULL, on_plan, on_decide, on_begin, on_fail, on_end, on_abandon};
