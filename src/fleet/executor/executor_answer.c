/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a host says about an order: its result, which stays in the ledger until
 * the stream has it, and events on the way, which may be lost.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "fleet/executor/executor.h"

#define ANSWER_MAX ((size_t)1 << 20)

void
w_executor_answer_add(struct w_buf *buf, const struct w_executor *executor,
    const struct w_executor_answer *answer)
{
	w_buf_add_str(buf, "{\"v\":1");
	w_json_add_text_member(buf, "id", answer->id);
	w_json_add_text_member(buf, "host", executor->host.name);
	w_json_add_text_member(buf, "state", answer->state);
	w_json_add_number_member(buf, "time", w_fleet_now_ms());
	w_json_add_text_member(buf, "key", answer->key);
	w_json_add_name(buf, "error");
	if (answer->error == NULL) {
		w_buf_add_str(buf, "null");
	} else {
		const writ_error *error = answer->error;

		w_buf_add_char(buf, '{');
		w_json_add_text_member(
		    buf, "code", writ_status_word(error->status));
		w_json_add_path_member(buf, "message", error->message);
		w_json_add_path_member(buf, "suggestion", error->suggestion);
		w_buf_add_char(buf, '}');
	}
	if (answer->member != NULL) {
		w_json_add_name(buf, answer->member);
		w_buf_add_str(buf, answer->json);
	}
	w_buf_add_char(buf, '}');
}

void
w_executor_finish(
    struct w_executor *executor, const struct w_executor_answer *answer)
{
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&text, ANSWER_MAX);
	w_executor_answer_add(&text, executor, answer);
	if (text.failed) {
		const struct w_executor_answer shorter = {.id = answer->id,
		    .state = answer->state,
		    .key = answer->key,
		    .member = "too_large",
		    .json = "true"};

		w_buf_done(&text);
		w_buf_init(&text, ANSWER_MAX);
		w_executor_answer_add(&text, executor, &shorter);
	}
	/* What cannot be written stays as it is: the next start of the executor
	 * finds it started, and says that it was lost. */
	if (w_fleet_ledger_finish(executor->ledger, answer->id, text.data,
		text.len, &err) != WRIT_OK)
		w_executor_event(
		    executor, answer->id, "unrecorded", answer->key, &err);
	w_executor_publish(executor);
}

void
w_executor_publish(struct w_executor *executor)
{
	const size_t count = w_fleet_ledger_count(executor->ledger);

	if (executor->link.pid == 0)
		return;
	for (size_t i = 0;
	     i < count && executor->sent_count < W_EXECUTOR_SENT_MAX; i++) {
		struct w_fleet_entry *entry =
		    w_fleet_ledger_at(executor->ledger, i);

		if (entry->state != W_FLEET_DONE || entry->is_sent)
			continue;
		w_executor_send(executor, W_FLEET_FRAME_RESULT, entry->id,
		    entry->result, entry->result_len);
		entry->is_sent = true;
		executor->sent_count++;
	}
}

void
w_executor_event(struct w_executor *executor, const char *id, const char *event,
    const char *key, const writ_error *error)
{
	const struct w_executor_answer answer = {
	    .id = id, .state = event, .key = key, .error = error};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, ANSWER_MAX);
	w_executor_answer_add(&text, executor, &answer);
	if (!text.failed)
		w_executor_send(
		    executor, W_FLEET_FRAME_EVENT, id, text.data, text.len);
}
