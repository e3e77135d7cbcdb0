/* SPDX-License-Identifier: Apache-2.0 */

/* Asks for approval of the request that an engine just refused. */

#include <string.h>

#include "audit/record/record.h"
#include "engine/approval/approval_submit.h"
#include "engine/approval/approval_validity.h"
#include "engine/approval/approvals.h"
#include "engine/engine_state.h"
#include "engine/recorder/recorder.h"

/* Records the question. One that cannot be recorded is not asked. */
static writ_status
put_record(struct w_recorder *recorder, const struct w_question *question,
    const char *id, writ_error *err)
{
	struct w_timestamp now;
	writ_error inner = {0};
	uint64_t seq;

	w_timestamp_now(&now);
	const struct w_record_ask ask = {
	    .approval = id,
	    .request_hash = question->request_hash,
	    .agent = question->agent,
	    .session = question->session,
	    .expires_ms = now.wall_ms + w_approval_timeout_ms(question),
	};
	w_record_add_ask(w_recorder_buf(recorder), &ask);
	writ_status status =
	    w_recorder_append(recorder, W_LOG_BEGINS, &seq, &inner);
	if (status == WRIT_OK || recorder->may_run)
		return WRIT_OK;
	(void)w_fail(err, status, "audit", 0, "cannot record the question: %s",
	    inner.message);
	if (err != NULL)
		err->sys_errno = inner.sys_errno;
	return status;
}

writ_status
w_engine_put_question(writ_engine *engine, const struct w_question *question,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	const char *state_dir = w_engine_state_dir(engine);
	struct w_recorder *recorder = w_engine_recorder(engine);
	writ_status status = w_approval_submit(state_dir, question, id, err);

	if (status != WRIT_OK)
		return status;
	if (recorder != NULL)
		status = put_record(recorder, question, id, err);
	if (status == WRIT_OK)
		memcpy(out_id, id, sizeof(id));
	else
		w_approval_withdraw(state_dir, id);
	return status;
}

writ_status
writ_approval_ask(writ_engine *engine, const writ_request *request,
    const writ_ask_options *opts, char *out_id, writ_error *err)
{
	char session[64];
	struct w_question question;
	writ_ask_options given = WRIT_ASK_OPTIONS_INIT;

	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&given, opts,
		    opts->size < sizeof(given) ? opts->size : sizeof(given));
	writ_status status = w_engine_question(engine, request, &question, err);
	if (status != WRIT_OK)
		return status;
	if (given.timeout_ms != 0)
		question.timeout_ms = given.timeout_ms;
	question.stays = given.stays;
	if (given.session != NULL)
		question.session = given.session;
	if (question.session == NULL) {
		w_tty_session_id(session);
		question.session = session;
	}
	if (question.stays &&
	    w_approval_find_staying(
		w_engine_state_dir(engine), &question, out_id))
		return WRIT_OK;
	return w_engine_put_question(engine, &question, out_id, err);
}

void
writ_engine_on_connection(
    writ_engine *engine, writ_connection_fn on_connection, void *ctx)
{
	engine->on_connection = on_connection;
	engine->connection_ctx = ctx;
}

void
writ_approval_withdraw(writ_engine *engine, const char *id)
{
	const char *state_dir = w_engine_state_dir(engine);

	if (state_dir != NULL)
		w_approval_withdraw(state_dir, id);
}
