/* SPDX-License-Identifier: Apache-2.0 */

/* The begin and end records of a run. */

#include <unistd.h>

#include "engine/recorder/recorder.h"
#include "engine/result/untold_triggers.h"

static void
add_begin(struct w_recorder *recorder, const writ_request *asked,
    const struct w_prepared *prepared, const struct w_run_result *storage)
{
	const writ_result *result = &storage->result;
	const struct w_identity *identity = &prepared->identity;
	const struct w_record_who who = w_recorder_who(recorder, asked);
	const struct w_run_decision *decision = &prepared->decision;
	const struct w_record_policy policy = {.decision = decision->verdict,
	    .rule = decision->rule,
	    .grant = decision->grant,
	    .approval = decision->approval};
	const struct w_record_begin begin = {
	    .run_id = storage->run_id,
	    .who = &who,
	    .request = asked,
	    .understood = recorder->understood,
	    .program = prepared->program.path,
	    .cwd = prepared->cwd,
	    .env = (const char *const *)prepared->env.items,
	    .uid = identity->uid,
	    .gid = identity->gid,
	    .profile = result->sandbox,
	    .network = result->network,
	    .session = result->session,
	    .layers = result->layers,
	    .policy = decision->verdict == NULL ? NULL : &policy,
	    .request_hash = recorder->decider->hash,
	};
	w_record_add_begin(
	    w_recorder_buf(recorder), &recorder->redactor, &begin);
}

void
w_recorder_fail_run(
    struct w_recorder *recorder, const char *run_id, const writ_error *error)
{
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

writ_status
w_recorder_begin_run(struct w_recorder *recorder, const writ_request *asked,
    const struct w_prepared *prepared, struct w_run_result *storage,
    writ_error *err)
{
	writ_error inner = {0};

	recorder->redactor.has_redacted = false;
	w_batch_count_run(&recorder->batch);
	if (recorder->trail != NULL)
		add_begin(recorder, asked, prepared, storage);
	storage->has_secrets =
	    recorder->redactor.has_redacted || asked->secrets != NULL;
	writ_status status = w_recorder_append(
	    recorder, W_LOG_BEGINS, &storage->result.begin_seq, &inner);
	recorder->has_begun = storage->result.begin_seq != 0;
	if (status == WRIT_OK)
		return WRIT_OK;
	if (!recorder->may_run) {
		status = w_recorder_fail(recorder, &inner, err);
		w_recorder_fail_run(recorder, storage->run_id, err);
		return status;
	}
	w_run_result_set_unrecorded(storage,
	    recorder->trail == NULL ? recorder->failed.message : inner.message);
	return WRIT_OK;
}

void
w_recorder_end_run(void *ctx, struct w_run_result *storage)
{
	struct w_recorder *recorder = ctx;
	writ_result *result = &storage->result;
	writ_error inner;

	if (result->begin_seq == 0) {
		if (recorder->trail != NULL)
			w_trail_count_lost(
			    recorder->trail, 1, result->unrecorded);
		return;
	}
	const uint64_t bytes =
	    result->out[WRIT_STDOUT].bytes + result->out[WRIT_STDERR].bytes;
	w_record_add_end(w_recorder_buf(recorder), result,
	    result->recording_bytes == bytes, !storage->has_secrets);
	if (w_recorder_append(recorder, W_LOG_ENDS, &result->end_seq, &inner) !=
	    WRIT_OK)
		w_run_result_set_unrecorded(storage, inner.message);
	if (result->trigger_count + result->held_count > 0 &&
	    !storage->is_trusted)
		w_untold_triggers_add(
		    w_config_path(recorder->config, W_SET_STATE_DIR), result);
}

void
w_recorder_abandon_run(void *ctx, const char *run_id)
{
	struct w_recorder *recorder = ctx;
	writ_error inner;
	uint64_t seq;

	w_record_add_abandoned(w_recorder_buf(recorder), run_id);
	(void)w_recorder_append(recorder, W_LOG_ENDS, &seq, &inner);
}
