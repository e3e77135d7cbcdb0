/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Orders as they come. What is queued is in the ledger before it is accepted;
 * what is refused is in the audit trail and told to the operator. Nothing runs
 * here: executor_runs.c takes it from the ledger.
 */

#include <string.h>

#include "fleet/executor/executor.h"

/* Refusals that are recorded and told in a minute. Whoever can send forged
 * orders must not be able to fill the disk with them. */
#define REFUSALS_MAX 120

struct taken {
	struct w_executor *executor;
	const struct w_fleet_frame *frame;
	struct w_fleet_judged judged;
	char agent[W_FLEET_NAME_MAX + 16];
};

static void
accept_frame(const struct taken *taken)
{
	if (taken->frame->kind == W_FLEET_FRAME_WORK)
		w_executor_send(taken->executor, W_FLEET_FRAME_ACCEPTED,
		    taken->frame->word, "", 0);
}

/* It could not be kept, and comes again. */
static void
decline_frame(const struct taken *taken)
{
	if (taken->frame->kind == W_FLEET_FRAME_WORK)
		w_executor_send(taken->executor, W_FLEET_FRAME_DECLINED,
		    taken->frame->word, "", 0);
}

static const char *
key_name(const struct taken *taken)
{
	return taken->judged.key == NULL ? NULL : taken->judged.key->name;
}

static bool
may_tell(struct w_executor *executor)
{
	const uint64_t minute = w_executor_clock_ms() / 60000;

	if (minute != executor->refusal_minute) {
		executor->refusal_minute = minute;
		executor->refusals = 0;
	}
	return executor->refusals++ < REFUSALS_MAX;
}

/* Into the trail of this host, and to the operator. */
static void
tell_refusal(struct taken *taken, const char *id, const writ_error *error)
{
	writ_request request = WRIT_REQUEST_INIT;

	if (!may_tell(taken->executor))
		return;
	request.agent = taken->agent;
	request.trace_id = id[0] == '-' ? NULL : id;
	writ_refuse(taken->executor->engine, &request, error);
	w_executor_event(
	    taken->executor, id, "refused", key_name(taken), error);
}

/* Writes it into the ledger. false: it could not be, and comes again. */
static bool
receive(struct taken *taken)
{
	const struct w_fleet_receipt receipt = {.id = taken->judged.request.id,
	    .expires = taken->judged.request.expires,
	    .order = taken->frame->bytes,
	    .len = taken->frame->len};
	writ_error err;

	if (w_fleet_ledger_receive(taken->executor->ledger, &receipt, &err) ==
	    WRIT_OK)
		return true;
	w_executor_event(
	    taken->executor, receipt.id, "not_received", key_name(taken), &err);
	return false;
}

static void
finish_at_once(struct taken *taken, const char *state, const writ_error *error,
    const char *member, const char *json)
{
	const struct w_executor_answer answer = {.id = taken->judged.request.id,
	    .state = state,
	    .key = key_name(taken),
	    .error = error,
	    .member = member,
	    .json = json};

	if (!receive(taken))
		return;
	accept_frame(taken);
	w_executor_finish(taken->executor, &answer);
}

/* An id that is known. The same order again is a redelivery; another one is
 * an attempt to get past the ledger. */
static void
meet_again(struct taken *taken, struct w_fleet_entry *entry)
{
	uint8_t sum[W_SHA256_SIZE];
	writ_error err;

	w_fleet_ledger_sum(taken->frame->bytes, taken->frame->len, sum);
	accept_frame(taken);
	if (memcmp(sum, entry->sum, sizeof(sum)) == 0) {
		err = (writ_error){.status = WRIT_E_DENIED,
		    .stage = "order",
		    .message = "it was received before"};
		w_executor_event(taken->executor, entry->id, "repeated",
		    key_name(taken), &err);
		return;
	}
	err = (writ_error){.status = WRIT_E_DENIED,
	    .stage = "order",
	    .message = "its id is that of another order, or was cancelled"};
	tell_refusal(taken, entry->id, &err);
}

static void
take_cancel(struct taken *taken)
{
	const char *was = w_executor_cancel(taken->executor,
	    taken->judged.request.options.cancels, key_name(taken));
	char json[32] = "\"";

	strcat(strcpy(json + 1, was), "\"");
	finish_at_once(taken, "done", NULL, "cancelled", json);
}

static void
take_work(struct taken *taken)
{
	const struct w_fleet_request *request = &taken->judged.request;
	writ_error err;

	if (request->kind != W_FLEET_RUN && request->kind != W_FLEET_CANCEL) {
		err = (writ_error){.status = WRIT_E_INVALID,
		    .stage = "order",
		    .message = "ping and facts are not queued"};
		tell_refusal(taken, request->id, &err);
		finish_at_once(taken, "refused", &err, NULL, NULL);
		return;
	}
	if (request->where != NULL &&
	    !w_executor_where(taken->executor, request->where, &err)) {
		finish_at_once(taken, "skipped", &err, NULL, NULL);
		return;
	}
	if (request->kind == W_FLEET_CANCEL) {
		take_cancel(taken);
		return;
	}
	if (!receive(taken))
		return;
	accept_frame(taken);
	w_executor_event(
	    taken->executor, request->id, "received", key_name(taken), NULL);
	w_executor_start_runs(taken->executor);
}

/* Ping and facts: an answer at once, and nothing is kept. */
static void
take_live(struct taken *taken)
{
	struct w_executor *executor = taken->executor;
	const struct w_fleet_request *request = &taken->judged.request;
	struct w_executor_answer answer = {
	    .id = request->id, .state = "done", .key = key_name(taken)};
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&text, W_FLEET_FRAME_MAX / 2);
	if (request->kind != W_FLEET_PING && request->kind != W_FLEET_FACTS) {
		err = (writ_error){.status = WRIT_E_INVALID,
		    .stage = "order",
		    .message = "only ping and facts are answered at once"};
		tell_refusal(taken, request->id, &err);
		return;
	}
	if (request->where != NULL &&
	    !w_executor_where(executor, request->where, &err)) {
		answer.state = "skipped";
		answer.error = &err;
	} else if (request->kind == W_FLEET_FACTS) {
		answer.member = "facts";
		if (w_executor_facts(executor, &answer.json, &err) != WRIT_OK) {
			answer.state = "failed";
			answer.member = NULL;
			answer.error = &err;
		}
	}
	w_executor_answer_add(&text, executor, &answer);
	if (!text.failed)
		w_executor_send(executor, W_FLEET_FRAME_REPLY, request->id,
		    text.data, text.len);
}

/* Signed by a known key, and refused all the same: that is its result, if what
 * signed it can be read at all. */
static void
refuse(struct taken *taken, const writ_error *error)
{
	const bool is_live = taken->frame->kind == W_FLEET_FRAME_LIVE;
	const char *id = taken->judged.is_read ? taken->judged.request.id : "-";

	tell_refusal(taken, id, error);
	if (!is_live && taken->judged.is_read)
		finish_at_once(taken, "refused", error, NULL, NULL);
	else
		accept_frame(taken);
	if (is_live && taken->judged.is_read) {
		const struct w_executor_answer answer = {.id = id,
		    .state = "refused",
		    .key = key_name(taken),
		    .error = error};
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, W_FLEET_FRAME_MAX);
		w_executor_answer_add(&text, taken->executor, &answer);
		w_executor_send(taken->executor, W_FLEET_FRAME_REPLY, id,
		    text.data, text.len);
	}
}

static void
take_judged(struct taken *taken, const writ_error *error)
{
	struct w_fleet_entry *entry = NULL;

	switch (taken->judged.verdict) {
	case W_FLEET_FORGED:
		tell_refusal(taken, "-", error);
		accept_frame(taken);
		return;
	case W_FLEET_NOT_MINE:
		/* Among all hosts that is usual; in this host's queue it is
		 * not. */
		if (taken->frame->kind == W_FLEET_FRAME_WORK)
			tell_refusal(taken, "-", error);
		accept_frame(taken);
		return;
	case W_FLEET_REFUSED:
	case W_FLEET_TAKEN:
		break;
	}
	if (taken->judged.is_read)
		entry = w_fleet_ledger_find(
		    taken->executor->ledger, taken->judged.request.id);
	if (entry != NULL)
		meet_again(taken, entry);
	else if (taken->judged.verdict == W_FLEET_REFUSED)
		refuse(taken, error);
	else if (taken->frame->kind == W_FLEET_FRAME_LIVE)
		take_live(taken);
	else
		take_work(taken);
}

void
w_executor_take(struct w_executor *executor, const struct w_fleet_frame *frame)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	struct taken taken = {.executor = executor, .frame = frame};
	const struct w_fleet_judge judge = {.host = executor->host.name,
	    .collective = executor->host.collective,
	    .trust = &trust,
	    .now_ms = w_fleet_now_ms()};
	writ_error err = {.status = WRIT_OK};

	/* Read for each order: a key that was revoked a moment ago orders
	 * nothing any more. */
	if (w_fleet_trust_load(executor->paths.trust, &trust, &err) !=
	    WRIT_OK) {
		memcpy(taken.agent, "fleet", sizeof("fleet"));
		tell_refusal(&taken, "-", &err);
		decline_frame(&taken);
		return;
	}
	w_fleet_judge(&judge, frame->bytes, frame->len, &taken.judged, &err);
	strcpy(taken.agent, "fleet");
	if (taken.judged.key != NULL)
		strcat(strcpy(taken.agent, "fleet:"), taken.judged.key->name);
	take_judged(&taken, &err);
	w_json_free(taken.judged.json);
}
