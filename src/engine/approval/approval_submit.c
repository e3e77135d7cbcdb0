/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Queues and withdraws questions.
 *
 * A question is on disk before its id is known to anybody. A withdrawal is
 * written as an answer, so that a question is either withdrawn or answered,
 * whichever comes first.
 */

#include "engine/approval/approval_submit.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/encode.h"
#include "engine/approval/approval.h"
#include "engine/approval/approval_queue.h"

#define TIMEOUT_MS  UINT64_C(300000)
#define DEPTH_MAX   48

#define TROUBLE_MAX 4096

static void
add_asker(struct w_buf *body, const struct w_question *question)
{
	struct w_pidref self;

	w_pidref_of_self(&self);
	w_buf_add_fmt(body,
	    ",\"asker\":{\"uid\":%lu,\"pid\":%d,\"pidns\":%" PRIu64
	    ",\"ticks\":%" PRIu64,
	    (unsigned long)getuid(), self.pid, self.pidns, self.ticks);
	w_json_add_text_member(body, "door", question->door);
	w_json_add_text_member(body, "agent", question->agent);
	w_json_add_text_member(body, "session", question->session);
	if (question->stays)
		w_json_add_bool_member(body, "stays", true);
	w_buf_add_char(body, '}');
}

static void
add_question(struct w_buf *body, const char *id,
    const struct w_question *question, const struct w_validity *validity)
{
	w_approval_file_begin(body, "question", id);
	w_approval_add_validity(body, validity);
	add_asker(body, question);
	w_json_add_text_member(body, "request_hash", question->request_hash);
	w_json_add_text_member(body, "rule", question->rule);
	w_json_add_text_member(body, "project", question->project);
	w_buf_add_str(body, ",\"request\":");
	w_buf_add_str(body, question->request_json);
	w_buf_add_str(body, ",\"decision\":");
	w_buf_add_str(body, question->decision_json);
}

static writ_status
fail_write(const struct w_approval_store *store, int error, writ_error *err)
{
	if (error == ENOMEM)
		return w_fail_nomem(err, "approval");
	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "the request is too long to ask about");
	(void)w_fail(err, WRIT_E_SYSTEM, "approval", error,
	    "cannot write to '%s/%s'", store->state_dir, W_APPROVALS_DIR);
	if (error == ENOSPC || error == EDQUOT)
		w_suggest(err, "make room there");
	return WRIT_E_SYSTEM;
}

/* A question that cannot be read would never be answered. */
static writ_status
approval_submit_check(const struct w_question *question, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_APPROVAL_FILE_MAX, .depth_max = DEPTH_MAX};
	const char *const objects[] = {
	    question->request_json, question->decision_json};
	const char *const texts[] = {question->door, question->agent,
	    question->session, question->rule, question->project};

	for (size_t i = 0; i < 2; i++) {
		struct w_json *json;
		writ_status status = w_json_read(
		    objects[i], strlen(objects[i]), &limits, &json, err);

		if (status != WRIT_OK)
			return status;
		w_json_free(json);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i] != NULL &&
		    !w_utf8_valid(texts[i], strlen(texts[i])))
			return w_fail(err, WRIT_E_INVALID, "approval", 0,
			    "the name of the agent, the session, the door or "
			    "the project is not UTF-8");
	}
	return WRIT_OK;
}

uint64_t
w_approval_timeout_ms(const struct w_question *question)
{
	if (question->timeout_ms == 0)
		return TIMEOUT_MS;
	return question->timeout_ms < W_DURATION_MAX_MS ? question->timeout_ms
							: W_DURATION_MAX_MS;
}

static writ_status
approval_submit_put(const struct w_approval_store *store,
    const struct w_question *question, char out_id[WRIT_APPROVAL_ID_LEN + 1],
    writ_error *err)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	char name[W_APPROVAL_NAME_SIZE];
	struct w_timestamp now;
	struct w_validity validity;
	W_AUTO_BUF struct w_buf body;

	w_buf_init(&body, W_APPROVAL_FILE_MAX);
	int error = w_approval_new_id(id);
	if (error != 0)
		return fail_write(store, error, err);
	w_timestamp_now(&now);
	w_validity_init(&validity, &now, w_approval_timeout_ms(question));
	add_question(&body, id, question, &validity);
	w_approval_file_name(id, ".json", name);
	error = w_approval_file_write(store, store->queue_fd, name, &body);
	if (error != 0)
		return fail_write(store, error, err);
	memcpy(out_id, id, sizeof(id));
	return WRIT_OK;
}

static bool
is_same_text(const char *one, const char *other)
{
	return one == other ||
	       (one != NULL && other != NULL && strcmp(one, other) == 0);
}

bool
w_approval_find_staying(const char *state_dir,
    const struct w_question *question, char out_id[WRIT_APPROVAL_ID_LEN + 1])
{
	W_AUTO_APPROVAL_STORE struct w_approval_store store =
	    W_APPROVAL_STORE_NONE;
	W_AUTO_APPROVAL_QUEUE struct w_approval_queue queue = {.count = 0};
	W_AUTO_BUF struct w_buf trouble;

	w_buf_init(&trouble, TROUBLE_MAX);
	if (w_approval_store_open(&store, state_dir, NULL) != WRIT_OK ||
	    w_approval_queue_read(&store, &queue, &trouble, NULL) != WRIT_OK)
		return false;
	for (size_t i = 0; i < queue.count; i++) {
		const struct w_approval *item = &queue.items[i];

		if (item->state != WRIT_APPROVAL_PENDING || !item->stays ||
		    !is_same_text(item->request_hash, question->request_hash) ||
		    !is_same_text(item->agent, question->agent) ||
		    !is_same_text(item->session, question->session))
			continue;
		memcpy(out_id, item->id, sizeof(item->id));
		return true;
	}
	return false;
}

writ_status
w_approval_submit(const char *state_dir, const struct w_question *question,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	W_AUTO_APPROVAL_STORE struct w_approval_store store =
	    W_APPROVAL_STORE_NONE;

	writ_status status = approval_submit_check(question, err);
	if (status == WRIT_OK)
		status = w_approval_store_open(&store, state_dir, err);
	if (status == WRIT_OK)
		status = w_approval_store_create(&store, err);
	if (status == WRIT_OK)
		status = w_approval_queue_make_room(&store, err);
	if (status == WRIT_OK)
		status = approval_submit_put(&store, question, out_id, err);
	return status;
}

int
w_approval_write_answer(const struct w_approval_store *store, const char *id,
    const struct w_reply *reply)
{
	char name[W_APPROVAL_NAME_SIZE];
	W_AUTO_BUF struct w_buf body;

	w_buf_init(&body, W_APPROVAL_FILE_MAX);
	w_approval_file_begin(&body, "answer", id);
	w_json_add_bool_member(&body, "approved", reply->is_approved);
	w_json_add_bool_member(&body, "withdrawn", reply->is_withdrawn);
	w_json_add_text_member(
	    &body, "scope", w_approval_scope_word(reply->scope));
	w_approval_add_validity(&body, &reply->validity);
	w_json_add_text_member(&body, "rule", reply->rule);
	w_json_add_text_member(&body, "note", reply->note);
	w_approval_add_actor(&body, &reply->by);
	w_approval_file_name(id, ".answer", name);
	return w_approval_file_write(store, store->queue_fd, name, &body);
}

void
w_approval_withdraw(const char *state_dir, const char *id)
{
	W_AUTO_APPROVAL_STORE struct w_approval_store store =
	    W_APPROVAL_STORE_NONE;
	W_AUTO_APPROVAL struct w_approval item = {.question = NULL};
	struct w_reply reply = {
	    .is_withdrawn = true, .by = w_approval_own_actor()};
	struct w_timestamp now;

	w_timestamp_now(&now);
	if (w_approval_store_open(&store, state_dir, NULL) != WRIT_OK ||
	    !w_approval_is_id(id, strlen(id)) ||
	    w_approval_read(&store, id, &now, &item, NULL) != WRIT_OK ||
	    item.answer != NULL)
		return;
	w_validity_init(&reply.validity, &now, 0);
	(void)w_approval_write_answer(&store, id, &reply);
}
