/* SPDX-License-Identifier: Apache-2.0 */

/* Records the runs of an engine: life cycle, and what happens if a record
 * cannot be written. */

#include "engine/recorder/recorder.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audit/record/request_hash.h"
#include "base/hex.h"
#include "engine/recorder/outputs_prune.h"
#include "run/resolve/request_check.h"

/* ---- failures ---- */

static void
recorder_suggest(
    const struct w_recorder *recorder, const writ_error *inner, writ_error *err)
{
	static const char way_out[] =
	    "audit_failure=run (--audit-failure run) runs without a record";

	if (inner->sys_errno == ENOSPC || inner->sys_errno == EDQUOT)
		w_suggest(err, "make room for the audit trail; %s", way_out);
	else if (inner->sys_errno == EMFILE || inner->sys_errno == ENFILE)
		w_suggest(err, "raise the limit of open files (ulimit -n); %s",
		    way_out);
	else if (inner->suggestion[0] != '\0')
		w_suggest(err, "%s; %s", inner->suggestion, way_out);
	else if (recorder->trail == NULL && inner->sys_errno != 0)
		w_suggest(err, "set WRIT_STATE_DIR to a directory of yours; %s",
		    way_out);
	else
		w_suggest(err, "%s", way_out);
}

/* Reports that the run cannot be recorded, in the same way for every cause. */
writ_status
w_recorder_fail(
    struct w_recorder *recorder, const writ_error *inner, writ_error *err)
{
	writ_status status =
	    inner->status == WRIT_E_NOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM;

	recorder->is_unwritable = true;
	(void)w_fail(err, status, "audit", 0, "cannot record the run: %s",
	    inner->message);
	err->sys_errno = inner->sys_errno;
	recorder_suggest(recorder, inner, err);
	return status;
}

/* ---- writing ---- */

/* All records share one buffer. */
struct w_buf *
w_recorder_buf(struct w_recorder *recorder)
{
	recorder->buf.len = 0;
	recorder->buf.failed = false;
	return &recorder->buf;
}

/* Appends the buffer. *out_seq is 0 if that failed, unless only the sync
 * failed: then the record is written. */
writ_status
w_recorder_append(struct w_recorder *recorder, enum w_log_urgency urgency,
    uint64_t *out_seq, writ_error *err)
{
	struct w_log_mark mark = {.seq = 0};

	*out_seq = 0;
	if (recorder->trail == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "audit", 0,
		    "the audit trail is not open");
	w_batch_poll(&recorder->batch);
	writ_status status = w_trail_append(
	    recorder->trail, &recorder->buf, urgency, &mark, err);
	*out_seq = mark.seq;
	if (status != WRIT_OK) {
		if (mark.seq == 0)
			w_trail_count_lost(recorder->trail, 1, err->message);
		return status;
	}
	if (w_config_number(recorder->config, W_SET_AUDIT_DURABILITY) ==
	    W_LOG_BATCH)
		w_batch_add(&recorder->batch, recorder->trail->log);
	return WRIT_OK;
}

struct w_record_who
w_recorder_who(const struct w_recorder *recorder, const writ_request *request)
{
	struct w_record_who who = recorder->trail->who;

	who.agent = request->agent;
	/* The policy may have a default agent. */
	if (who.agent == NULL && recorder->decider->has_decision)
		who.agent = recorder->decider->decision.agent;
	return who;
}

void
w_recorder_hash(const struct w_recorder *recorder, const writ_request *request,
    const struct w_audit_request_facts *facts, char out_hex[W_SHA256_HEX + 1])
{
	uint8_t hash[W_SHA256_SIZE];

	w_audit_request_hash(
	    &recorder->trail->request_key, request, facts, hash);
	w_hex_put(out_hex, hash, sizeof(hash));
	out_hex[W_SHA256_HEX] = '\0';
}

/* ---- life cycle ---- */

void
w_recorder_init(struct w_recorder *recorder, struct w_runner *runner,
    struct w_decider *decider)
{
	*recorder = (struct w_recorder){
	    .runner = runner,
	    .decider = decider,
	};
	runner->listener = (struct w_run_listener){.ctx = recorder,
	    .on_end = w_recorder_end_run,
	    .on_abandon = w_recorder_abandon_run};
	w_batch_init(&recorder->batch, &runner->loop);
	w_buf_init(&recorder->buf, W_TRAIL_RECORD_MAX);
}

static writ_status
open_trail(struct w_recorder *recorder, const char *door, writ_error *err)
{
	const writ_config *config = recorder->config;
	writ_status status = w_config_need(config, W_SET_STATE_DIR, err);

	if (status != WRIT_OK)
		return status;
	const uint64_t durability =
	    w_config_number(config, W_SET_AUDIT_DURABILITY);
	const struct w_trail_options options = {
	    .state_dir = w_config_path(config, W_SET_STATE_DIR),
	    .durability = (enum w_log_durability)durability,
	    .key_file = w_config_path(config, W_SET_AUDIT_KEY),
	    .segment_max = w_config_number(config, W_SET_AUDIT_SEGMENT),
	    .door = door,
	};
	return w_trail_open(&options, &recorder->trail, err);
}

/* Secrets in the environment of this process, even if not passed on: a shell
 * may have put them into our argv. They stay; those of a request are added
 * behind them. */
static writ_status
learn_own_secrets(struct w_recorder *recorder, writ_error *err)
{
	struct w_redactor *redactor = &recorder->redactor;

	if (w_env_snapshot_same(&recorder->snapshot))
		return WRIT_OK;
	redactor->count = 0;
	writ_status status =
	    w_redactor_add_env(redactor, (const char *const *)environ, err);
	recorder->own_secrets = redactor->count;
	if (status != WRIT_OK)
		w_env_snapshot_forget(&recorder->snapshot);
	return status;
}

static writ_status
learn_secrets(
    struct w_recorder *recorder, const writ_request *request, writ_error *err)
{
	struct w_redactor *redactor = &recorder->redactor;
	writ_request asked;

	w_request_copy(request, &asked);
	writ_status status = learn_own_secrets(recorder, err);
	if (status == WRIT_OK)
		status = w_redactor_add(redactor, asked.secrets, err);
	if (status == WRIT_OK)
		status = w_redactor_add_env(redactor, asked.env, err);
	if (status == WRIT_OK)
		status = w_request_read(&recorder->reader, recorder->config,
		    &asked, redactor, &recorder->understood, err);
	return status;
}

/* What closing an engine does, for one that lives long. */
static void
prune_between_runs(struct w_recorder *recorder)
{
	const time_t now = time(NULL);
	const bool is_time =
	    now - recorder->tidied >= W_OUTPUTS_PRUNE_INTERVAL_S;

	if (recorder->runner->live_count > 0 || !is_time)
		return;
	if (recorder->tidied != 0)
		w_outputs_prune_if_due(recorder->trail, recorder->config);
	recorder->tidied = now;
}

writ_status
w_recorder_open(struct w_recorder *recorder, const writ_config *config,
    const char *door, const writ_request *request, writ_error *err)
{
	writ_error inner = {0};
	writ_status status = WRIT_OK;

	recorder->config = config;
	recorder->may_run = w_config_number(config, W_SET_AUDIT_FAILURE) != 0;
	recorder->has_failed = false;
	recorder->has_begun = false;
	recorder->is_unwritable = false;
	status = learn_secrets(recorder, request, err);
	if (status != WRIT_OK)
		return status;
	if (recorder->trail != NULL) {
		prune_between_runs(recorder);
		return WRIT_OK;
	}
	status = open_trail(recorder, door, &inner);
	if (status == WRIT_OK)
		return WRIT_OK;
	recorder->failed = inner;
	return recorder->may_run ? WRIT_OK
				 : w_recorder_fail(recorder, &inner, err);
}

static void
write_refused(struct w_recorder *recorder, const writ_request *request,
    const writ_error *error)
{
	const struct w_decider *decider = recorder->decider;
	struct w_record_policy policy = {.rule = decider->rule,
	    .grant = decider->grant,
	    .approval = decider->checked.approval};
	char run_id[W_ID_LEN + 1];
	char hash[W_SHA256_HEX + 1];
	writ_request asked;
	writ_error inner;
	uint64_t seq;

	if (w_run_check_request(request, &asked, NULL) != WRIT_OK)
		w_request_copy(request, &asked);
	const struct w_record_who who = w_recorder_who(recorder, &asked);
	if (decider->hash[0] == '\0')
		w_recorder_hash(recorder, &asked, NULL, hash);
	else
		memcpy(hash, decider->hash, sizeof(hash));
	w_run_id_make(run_id);
	if (decider->has_decision)
		policy.decision = w_verdict_word(decider->decision.verdict);
	const struct w_record_refused refused = {
	    .run_id = run_id,
	    .who = &who,
	    .request = &asked,
	    .understood = recorder->understood,
	    .error = error,
	    .policy = policy.decision == NULL ? NULL : &policy,
	    .request_hash = hash,
	};
	recorder->redactor.has_redacted = false;
	w_record_add_refused(
	    w_recorder_buf(recorder), &recorder->redactor, &refused);
	(void)w_recorder_append(recorder, W_LOG_BEGINS, &seq, &inner);
}

void
w_recorder_finish(struct w_recorder *recorder, const writ_request *request,
    const writ_error *err)
{
	/* The end record of a failed attempt has reported it, unless the
	 * next attempt failed for another reason. */
	const bool is_reported =
	    recorder->has_failed && err != NULL &&
	    recorder->failed.status == err->status &&
	    strcmp(recorder->failed.message, err->message) == 0;

	if (err != NULL && !is_reported && !recorder->is_unwritable &&
	    recorder->trail != NULL)
		write_refused(recorder, request, err);
	recorder->redactor.count = recorder->own_secrets;
	recorder->redactor.span_count = 0;
	recorder->understood = NULL;
}

void
w_recorder_close(struct w_recorder *recorder)
{
	w_batch_done(&recorder->batch);
	if (recorder->trail != NULL)
		w_outputs_prune_if_due(recorder->trail, recorder->config);
}

void
w_recorder_done(struct w_recorder *recorder)
{
	w_trail_close(recorder->trail);
	recorder->trail = NULL;
	w_redactor_done(&recorder->redactor);
	w_env_snapshot_done(&recorder->snapshot);
	w_request_reader_done(&recorder->reader);
	w_buf_done(&recorder->buf);
}
