/* SPDX-License-Identifier: Apache-2.0 */

/* Audit records of answers. */

#include "engine/approval/approval_record.h"

#include <unistd.h>

#include "audit/record/record.h"
#include "audit/record/trail.h"
#include "engine/recorder/note_record.h"

static struct w_record_answer
answer_of(const struct w_approval *item)
{
	const struct w_reply *reply = &item->reply;

	return (struct w_record_answer){
	    .approval = item->id,
	    .request_hash = item->request_hash,
	    .is_approved = reply->is_approved,
	    .scope = w_approval_scope_word(reply->scope),
	    .until_ms = reply->validity.until_ms,
	    .rule = reply->rule,
	    .uid = reply->by.uid,
	    .pid = reply->by.pid,
	    .via = reply->by.via,
	    .note = reply->note,
	};
}

writ_status
w_approval_record_answer(
    const writ_config *config, const struct w_approval *item, writ_error *err)
{
	const struct w_record_answer answer = answer_of(item);
	W_AUTO_BUF struct w_buf record;

	w_buf_init(&record, W_TRAIL_RECORD_MAX);
	w_record_add_answer(&record, &answer);
	return w_note_record(config, "approvals", &record, "the answer", err);
}

writ_status
w_approval_record_closed(
    const writ_config *config, const struct w_approval *item, writ_error *err)
{
	const struct w_record_answer answer = answer_of(item);
	W_AUTO_BUF struct w_buf record;

	w_buf_init(&record, W_TRAIL_RECORD_MAX);
	w_record_add_closed(&record, &answer);
	return w_note_record(
	    config, "approvals", &record, "that a form was closed", err);
}

writ_status
w_approval_record_revoked(
    const writ_config *config, const char *id, writ_error *err)
{
	W_AUTO_BUF struct w_buf record;

	w_buf_init(&record, W_TRAIL_RECORD_MAX);
	w_record_add_revoked(&record, id, getuid(), getpid());
	return w_note_record(
	    config, "approvals", &record, "what was taken back", err);
}
