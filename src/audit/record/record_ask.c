/* SPDX-License-Identifier: Apache-2.0 */

/* The records of questions to people and their answers. */

#include "audit/record/record.h"
#include "data/json.h"
#include "log/log_format.h"

#define US_PER_MS 1000

static void
add_opening(struct w_buf *buf, const char *kind, const char *approval)
{
	w_buf_add_str(buf, "\"kind\":");
	w_json_add_text(buf, kind);
	w_json_add_text_member(buf, "approval", approval);
}

static void
record_ask_add_time(struct w_buf *buf, const char *key, uint64_t time_ms)
{
	char text[W_LOG_TIME_LEN + 1];

	w_log_time_format(time_ms * US_PER_MS, text);
	w_json_add_text_member(buf, key, text);
}

static void
add_by(struct w_buf *buf, uint64_t uid, int pid, const char *via)
{
	w_buf_add_str(buf, ",\"by\":{\"uid\":");
	w_record_add_decimal(buf, uid);
	w_record_add_number(buf, "pid", (uint64_t)pid);
	if (via != NULL)
		w_json_add_path_member(buf, "via", via);
	w_buf_add_char(buf, '}');
}

void
w_record_add_ask(struct w_buf *buf, const struct w_record_ask *ask)
{
	add_opening(buf, "ask", ask->approval);
	w_json_add_text_member(buf, "request", ask->request_hash);
	w_json_add_path_member(buf, "agent", ask->agent);
	w_json_add_path_member(buf, "session", ask->session);
	record_ask_add_time(buf, "expires", ask->expires_ms);
}

void
w_record_add_answer(struct w_buf *buf, const struct w_record_answer *answer)
{
	add_opening(buf, "answer", answer->approval);
	w_json_add_text_member(buf, "request", answer->request_hash);
	w_json_add_bool_member(buf, "approved", answer->is_approved);
	w_json_add_text_member(buf, "scope", answer->scope);
	record_ask_add_time(buf, "until", answer->until_ms);
	w_json_add_path_member(buf, "rule", answer->rule);
	add_by(buf, answer->uid, answer->pid, answer->via);
	w_json_add_path_member(buf, "note", answer->note);
}

void
w_record_add_closed(struct w_buf *buf, const struct w_record_answer *answer)
{
	add_opening(buf, "closed", answer->approval);
	w_json_add_text_member(buf, "request", answer->request_hash);
	add_by(buf, answer->uid, answer->pid, answer->via);
	w_json_add_path_member(buf, "note", answer->note);
}

void
w_record_add_revoked(
    struct w_buf *buf, const char *approval, uint64_t uid, int pid)
{
	add_opening(buf, "revoke", approval);
	add_by(buf, uid, pid, NULL);
}

void
w_record_add_changes(struct w_buf *buf, const struct w_record_changes *changes)
{
	w_buf_add_str(buf, "\"kind\":\"changes\"");
	w_json_add_text_member(buf, "action", changes->action);
	w_json_add_text_member(buf, "of", changes->run_id);
	w_record_add_number(buf, "moved", changes->moved);
	w_record_add_number(buf, "left", changes->left);
	w_json_add_text_member(buf, "sha256", changes->sha256);
	add_by(buf, changes->uid, changes->pid, NULL);
}
