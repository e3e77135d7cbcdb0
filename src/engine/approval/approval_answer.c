/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Answering a question.
 *
 *  1. The queue is locked, so that concurrent answers are handled in turn.
 *  2. The question must still be open, and the answer valid.
 *  3. The audit record is written, before anybody can act on the answer.
 *  4. The answer file is created exclusively: a process that ignored the lock
 *     fails here.
 *  5. A grant for longer than once is written.
 */

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/encode.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approval_record.h"
#include "engine/approval/approval_state.h"
#include "engine/approval/approval_submit.h"
#include "engine/approval/grant.h"

#define DAY_MS   UINT64_C(86400000)
#define SHAPE_MS (UINT64_C(8) * 3600000)
#define NOTE_MAX 1000

enum {
	LOCK_STEPS = 1000 /* of 5 ms */
};

/* ---- checks ---- */

static writ_status
check_open(const struct w_approval *item, writ_error *err)
{
	const struct w_reply *reply = &item->reply;

	if (item->state == WRIT_APPROVAL_PENDING)
		return WRIT_OK;
	if (item->answer != NULL && !reply->is_withdrawn)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "%s was %s already, by user %lu in process %d", item->id,
		    reply->is_approved ? "approved" : "denied",
		    (unsigned long)reply->by.uid, reply->by.pid);
	if (item->state == WRIT_APPROVAL_EXPIRED)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "%s is no longer waiting: its time is over", item->id);
	return w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "%s is no longer waiting: the caller is gone", item->id);
}

static writ_status
check_line(const char *what, const char *text, writ_error *err)
{
	if (text == NULL)
		return WRIT_OK;
	if (strlen(text) > NOTE_MAX || !w_utf8_valid(text, strlen(text)) ||
	    strpbrk(text, "\n\r") != NULL)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "%s is one line of up to %d bytes", what, NOTE_MAX);
	return WRIT_OK;
}

static writ_status
check_rule(
    const writ_config *config, const struct w_approval *item, writ_error *err)
{
	const char *text = item->reply.rule;
	const struct w_rule *rule;
	struct w_policy *policy;

	if (yyjson_arr_size(yyjson_ptr_get(
		w_json_root(item->question), "/decision/more")) != 0) {
		(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "%s asks for more than the sandbox allows, and that is "
		    "never "
		    "granted by a rule",
		    item->id);
		w_suggest(err, "approve it for once or for the session");
		return WRIT_E_INVALID;
	}
	if (item->reply.scope == WRIT_SCOPE_PROJECT && item->project == NULL)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "%s was not asked in a project", item->id);
	if (text == NULL) {
		(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "no rule is proposed for %s", item->id);
		w_suggest(err, "give one, or answer for once");
		return WRIT_E_INVALID;
	}
	writ_status status = w_grant_rule_read(text, &policy, &rule, err);
	if (status != WRIT_OK)
		return status;
	if (!w_grant_rule_fits(config, item, rule)) {
		status = w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "the rule '%.128s' would not match the command being asked "
		    "about (%s)",
		    text, item->id);
		if (item->rule != NULL)
			w_suggest(err, "proposed is: %s", item->rule);
	}
	w_policy_free(policy);
	return status;
}

/* ---- answering ---- */

static writ_status
make_reply(const writ_config *config, const writ_answer *answer,
    struct w_approval *item, const struct w_timestamp *now, writ_error *err)
{
	const bool has_rule =
	    answer->is_approved && w_approval_scope_has_rule(answer->scope);
	uint64_t length_ms = answer->for_ms;

	if ((unsigned)answer->scope > WRIT_SCOPE_ALWAYS)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "%d is not a scope", (int)answer->scope);
	item->reply = (struct w_reply){
	    .is_approved = answer->is_approved,
	    .scope = answer->is_approved ? answer->scope : WRIT_SCOPE_ONCE,
	    .note = answer->note,
	    .by = w_approval_own_actor(),
	};
	item->reply.by.via = answer->via;
	if (has_rule)
		item->reply.rule =
		    answer->rule != NULL ? answer->rule : item->rule;
	if (length_ms == 0)
		length_ms = answer->scope == WRIT_SCOPE_SHAPE ? SHAPE_MS
			    : has_rule ? W_DURATION_MAX_MS
				       : DAY_MS;
	if (length_ms > W_DURATION_MAX_MS)
		length_ms = W_DURATION_MAX_MS;
	w_validity_init(&item->reply.validity, now, length_ms);
	writ_status status = check_line("a note", answer->note, err);
	if (status == WRIT_OK)
		status = check_line("what brings an answer", answer->via, err);
	if (status == WRIT_OK && has_rule)
		status = check_rule(config, item, err);
	return status;
}

/* A process that did not take the lock was faster. */
static writ_status
fail_write(const struct w_approval_store *store, const struct w_approval *item,
    int error, writ_error *err)
{
	W_AUTO_APPROVAL struct w_approval other = {.question = NULL};
	struct w_timestamp now;

	w_timestamp_now(&now);
	if (error != EEXIST)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot write the answer to %s", item->id);
	if (w_approval_read(store, item->id, &now, &other, err) == WRIT_OK &&
	    check_open(&other, err) != WRIT_OK)
		return WRIT_E_INVALID;
	return w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "%s was answered already", item->id);
}

static writ_status
record_and_write(
    writ_approvals *approvals, struct w_approval *item, writ_error *err)
{
	const struct w_reply *reply = &item->reply;
	const struct w_approval_store *store = &approvals->store;

	writ_status status =
	    w_approval_record_answer(approvals->config, item, err);
	if (status != WRIT_OK)
		return status;
	int error = w_approval_write_answer(store, item->id, reply);
	if (error != 0)
		return fail_write(store, item, error, err);
	if (reply->is_approved && reply->scope != WRIT_SCOPE_ONCE)
		status = w_grant_write(store, item, err);
	return status;
}

static writ_status
answer_locked(writ_approvals *approvals, const char *id,
    const writ_answer *answer, writ_error *err)
{
	W_AUTO_APPROVAL struct w_approval item = {.question = NULL};
	struct w_timestamp now;

	w_timestamp_now(&now);
	writ_status status =
	    w_approval_read(&approvals->store, id, &now, &item, err);
	if (status == WRIT_OK)
		status = check_open(&item, err);
	if (status == WRIT_OK)
		status =
		    make_reply(approvals->config, answer, &item, &now, err);
	if (status == WRIT_OK)
		status = record_and_write(approvals, &item, err);
	return status;
}

static writ_status
lock(const struct w_approval_store *store, writ_error *err)
{
	const struct timespec step = {.tv_nsec = 5000000};

	for (int i = 0; i < LOCK_STEPS; i++) {
		if (flock(store->queue_fd, LOCK_EX | LOCK_NB) == 0)
			return WRIT_OK;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
			    "cannot lock '%s/%s'", store->state_dir,
			    W_APPROVALS_DIR);
		(void)nanosleep(&step, NULL);
	}
	return w_fail(err, WRIT_E_TIMEOUT, "approval", 0,
	    "another process has been answering for too long");
}

/* Finds a question by a prefix of its id and locks the queue. whole gets the
 * complete id. */
static writ_status
lock_question(writ_approvals *approvals, const char *id,
    char whole[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	writ_status status = w_approvals_begin(approvals, err);

	if (status == WRIT_OK)
		status = w_approval_find_id(
		    approvals->store.queue_fd, id, "question", whole, err);
	if (status == WRIT_OK)
		status = w_approval_store_create(&approvals->store, err);
	if (status == WRIT_OK)
		status = lock(&approvals->store, err);
	return status;
}

writ_status
writ_approvals_answer(writ_approvals *approvals, const char *id,
    const writ_answer *answer, writ_error *err)
{
	char whole[WRIT_APPROVAL_ID_LEN + 1];
	writ_answer given = WRIT_ANSWER_INIT;

	/* The answer of an older caller may be shorter than ours. */
	if (answer->size >= sizeof(answer->size))
		memcpy(&given, answer,
		    answer->size < sizeof(given) ? answer->size
						 : sizeof(given));
	writ_status status = lock_question(approvals, id, whole, err);
	if (status != WRIT_OK)
		return status;
	status = answer_locked(approvals, whole, &given, err);
	(void)flock(approvals->store.queue_fd, LOCK_UN);
	return status;
}

writ_status
writ_approvals_closed(writ_approvals *approvals, const char *id,
    const char *via, const char *why, writ_error *err)
{
	const writ_answer said = {
	    .size = sizeof(said), .via = via, .note = why};
	char whole[WRIT_APPROVAL_ID_LEN + 1];
	W_AUTO_APPROVAL struct w_approval item = {.question = NULL};
	struct w_timestamp now;

	writ_status status = lock_question(approvals, id, whole, err);
	if (status != WRIT_OK)
		return status;
	w_timestamp_now(&now);
	status = w_approval_read(&approvals->store, whole, &now, &item, err);
	if (status == WRIT_OK)
		status = check_open(&item, err);
	if (status == WRIT_OK)
		status = make_reply(approvals->config, &said, &item, &now, err);
	if (status == WRIT_OK)
		status =
		    w_approval_record_closed(approvals->config, &item, err);
	(void)flock(approvals->store.queue_fd, LOCK_UN);
	return status;
}
