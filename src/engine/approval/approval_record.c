/* SPDX-License-Identifier: Apache-2.0 */

/* Audit records of answers. */

#include "engine/approval/approval_record.h"

#include <unistd.h>

#include "audit/record/record.h"
#include "audit/record/trail.h"

static writ_status
put_record(const writ_config *config, const struct w_buf *record,
    const char *what, writ_error *err)
{
	const struct w_trail_options options = {
	    .state_dir = w_config_path(config, W_SET_STATE_DIR),
	    .durability = W_LOG_SYNC,
	    .key_file = w_config_path(config, W_SET_AUDIT_KEY),
	    .segment_max = w_config_number(config, W_SET_AUDIT_SEGMENT),
	    .door = "approvals",
	};
	writ_error inner = {0};
	struct w_trail *trail;

	writ_status status = w_trail_open(&options, &trail, &inner);
	if (status == WRIT_OK) {
		status =
		    w_trail_append(trail, record, W_LOG_BEGINS, NULL, &inner);
		w_trail_close(trail);
	}
	if (status == WRIT_OK ||
	    w_config_number(config, W_SET_AUDIT_FAILURE) != 0)
		return WRIT_OK;
	(void)w_fail(err, status, "audit", 0, "cannot record %s: %s", what,
	    inner.message);
	if (err != NULL)
		err->sys_errno = inner.sys_errno;
	return status;
}

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
	return put_record(config, &record, "the answer", err);
}

writ_status
w_approval_record_closed(
    const writ_config *config, const struct w_approval *item, writ_error *err)
{
	const struct w_record_answer answer = answer_of(item);
	W_AUTO_BUF struct w_buf record;

	w_buf_init(&record, W_TRAIL_RECORD_MAX);
	w_record_add_closed(&record, &answer);
	return put_record(config, &record, "that a form was closed", err);
}

writ_status
w_approval_record_revoked(
    const writ_config *config, const char *id, writ_error *err)
{
	W_AUTO_BUF struct w_buf record;

	w_buf_init(&record, W_TRAIL_RECORD_MAX);
	w_record_add_revoked(&record, id, getuid(), getpid());
	return put_record(config, &record, "what was taken back", err);
}
