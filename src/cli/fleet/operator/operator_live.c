/* SPDX-License-Identifier: Apache-2.0 */

/* `writ fleet ping` and `writ fleet facts`: asked and answered at once. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/printable.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "data/json.h"

#define STAGE     "ask"
#define DEPTH_MAX 64
#define LIMIT     ((size_t)2 << 20)
#define LIVES_MS  (UINT64_C(60) * 1000)
#define STEP_MS   100

struct answer {
	char state[16]; /* "": none yet */
	uint64_t after_us;
	char *text; /* shown, and grouped by */
	char *json;
};

struct asking {
	struct w_operator *operator;
	struct operator_order order;
	struct operator_hosts hosts;
	struct answer *answers; /* of each host */
	const char *query;      /* a path into the facts */
	uint64_t began_us;
	size_t missing;
};

static uint64_t
clock_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- answers ---- */

static yyjson_val *
find_fact(yyjson_val *map, const char *query)
{
	while (map != NULL && query != NULL && *query != '\0') {
		const size_t len = strcspn(query, ".");

		map = yyjson_obj_getn(map, query, len);
		query += len + (query[len] == '.');
	}
	return map;
}

static void
add_shown(const struct asking *asking, yyjson_val *map, struct w_buf *text)
{
	yyjson_val *error = yyjson_obj_get(map, "error");
	yyjson_val *facts = yyjson_obj_get(map, "facts");

	if (yyjson_is_obj(error)) {
		w_buf_add_str(
		    text, yyjson_get_str(yyjson_obj_get(error, "message")));
		return;
	}
	if (facts == NULL) {
		w_buf_add_str(text, "there");
		return;
	}
	yyjson_val *found = find_fact(facts, asking->query);
	if (found == NULL)
		w_buf_add_str(text, "no such fact");
	else if (yyjson_is_str(found))
		w_buf_add_str(text, yyjson_get_str(found));
	else
		w_json_add_value(text, found);
}

static void
take_answer(struct asking *asking, size_t index, const char *bytes, size_t len)
{
	const struct w_json_limits limits = {LIMIT, DEPTH_MAX};
	struct answer *answer = &asking->answers[index];
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf text;
	size_t ignored = 0;

	w_buf_init(&text, LIMIT);
	if (w_json_read(bytes, len, &limits, &json, NULL) != WRIT_OK)
		return;
	yyjson_val *map = w_json_root(json);
	const char *state = yyjson_get_str(yyjson_obj_get(map, "state"));
	if (state == NULL || strlen(state) >= sizeof(answer->state)) {
		w_json_free(json);
		return;
	}
	add_shown(asking, map, &text);
	answer->text = w_buf_take(&text, &ignored);
	answer->json = malloc(len + 1);
	if (answer->text != NULL && answer->json != NULL) {
		memcpy(answer->json, bytes, len);
		answer->json[len] = '\0';
		memcpy(answer->state, state, strlen(state) + 1);
		answer->after_us = clock_us() - asking->began_us;
		asking->missing--;
	}
	w_json_free(json);
}

static void
take_message(struct asking *asking, natsMsg *message)
{
	const char *host = strrchr(natsMsg_GetSubject(message), '.') + 1;
	const struct operator_host *found =
	    w_operator_hosts_find(&asking->hosts, host);

	if (found == NULL)
		return;
	const size_t index = (size_t)(found - asking->hosts.items);
	if (asking->answers[index].json == NULL)
		take_answer(asking, index, natsMsg_GetData(message),
		    (size_t)natsMsg_GetDataLength(message));
}

/* ---- asking ---- */

static writ_status
send_and_wait(struct asking *asking, uint64_t wait_ms, writ_error *err)
{
	struct w_operator *operator= asking->operator;
	natsSubscription *subscription = NULL;
	char subject[W_NATS_NAME_MAX];

	w_nats_subject(
	    subject, operator->site.collective, "rep", asking->order.id, "*");
	natsStatus status = natsConnection_SubscribeSync(
	    &subscription, operator->connection, subject);
	w_nats_subject(subject, operator->site.collective, "req", "all", NULL);
	asking->began_us = clock_us();
	if (status == NATS_OK)
		status = natsConnection_Publish(operator->connection, subject,
		    asking->order.signed_text.data,
		    (int)asking->order.signed_text.len);
	if (status == NATS_OK)
		status = natsConnection_Flush(operator->connection);
	while (status == NATS_OK && asking->missing > 0 &&
	       clock_us() - asking->began_us < wait_ms * 1000 &&
	       !w_operator_is_stopped()) {
		natsMsg *message = NULL;
		natsStatus got =
		    natsSubscription_NextMsg(&message, subscription, STEP_MS);

		if (got == NATS_OK)
			take_message(asking, message);
		else if (got != NATS_TIMEOUT)
			status = got;
		natsMsg_Destroy(message);
	}
	natsSubscription_Destroy(subscription);
	return status == NATS_OK ? WRIT_OK
				 : w_nats_fail(err, status, "ask the hosts");
}

static writ_status
ask(struct asking *asking, uint64_t wait_ms, writ_error *err)
{
	struct w_operator *operator= asking->operator;

	writ_status status = w_operator_connect(operator, err);
	if (status == WRIT_OK)
		status = w_operator_hosts_load(operator, & asking->hosts, err);
	if (status == WRIT_OK)
		status =
		    w_operator_hosts_select(operator, & asking->hosts, err);
	if (status != WRIT_OK)
		return status;
	asking->answers = calloc(asking->hosts.count, sizeof(*asking->answers));
	if (asking->answers == NULL)
		return w_fail_nomem(err, STAGE);
	asking->missing = asking->hosts.count;
	if (operator->args->hosts.count> 0) {
		for (size_t i = 0; i < asking->hosts.count; i++) {
			const char *name = asking->hosts.items[i].name;

			if (!w_words_add(
				&asking->order.hosts, name, strlen(name)))
				return w_fail_nomem(err, STAGE);
		}
	}
	asking->order.where = operator->args->where;
	asking->order.lives_ms = LIVES_MS;
	status = w_operator_order_make(operator, & asking->order, err);
	return status == WRIT_OK ? send_and_wait(asking, wait_ms, err) : status;
}

/* ---- printing ---- */

static int
print_json(const struct asking *asking)
{
	bool has_one = false;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)1 << 30);
	w_buf_add_str(&text, "{");
	w_json_add_text_member(&text, "id", asking->order.id);
	w_buf_add_str(&text, ",\"missing\":[");
	for (size_t i = 0; i < asking->hosts.count; i++) {
		if (asking->answers[i].json != NULL)
			continue;
		w_buf_add_str(&text, has_one ? "," : "");
		w_json_add_text(&text, asking->hosts.items[i].name);
		has_one = true;
	}
	w_buf_add_str(&text, "],\"answers\":{");
	for (size_t i = 0; i < asking->hosts.count; i++) {
		if (asking->answers[i].json == NULL)
			continue;
		w_json_add_name(&text, asking->hosts.items[i].name);
		w_buf_add_str(&text, asking->answers[i].json);
	}
	w_buf_add_str(&text, "}}");
	return w_print_json(text.data, text.len);
}

static void
print_one(const struct asking *asking, size_t index, struct w_buf *text)
{
	const struct answer *answer = &asking->answers[index];

	w_buf_add_fmt(text, "%s: ", asking->hosts.items[index].name);
	(void)w_printable_add(text, answer->text, 0);
	if (asking->order.kind == W_FLEET_PING)
		w_buf_add_fmt(
		    text, ", %.1f ms", (double)answer->after_us / 1000);
	w_buf_add_char(text, '\n');
}

/* Hosts with the same answer, and the answer. */
static void
print_group(struct asking *asking, size_t first, struct w_buf *text)
{
	char *shown = asking->answers[first].text;

	for (size_t i = first; i < asking->hosts.count; i++) {
		struct answer *answer = &asking->answers[i];

		if (answer->text == NULL || strcmp(answer->text, shown) != 0)
			continue;
		w_buf_add_fmt(text, "%s%s", i == first ? "" : " ",
		    asking->hosts.items[i].name);
		if (i != first) {
			free(answer->text);
			answer->text = NULL;
		}
	}
	w_buf_add_str(text, ": ");
	(void)w_printable_add(text, shown, 0);
	w_buf_add_char(text, '\n');
}

static int
print_answers(struct asking *asking)
{
	size_t failed = 0;
	size_t missing = 0;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)1 << 30);
	for (size_t i = 0; i < asking->hosts.count; i++) {
		const struct answer *answer = &asking->answers[i];
		const bool is_skipped = strcmp(answer->state, "skipped") == 0;

		failed += answer->json != NULL && !is_skipped &&
			  strcmp(answer->state, "done") != 0;
		missing += answer->json == NULL;
		if (answer->text == NULL || is_skipped)
			continue;
		if (asking->order.kind == W_FLEET_PING)
			print_one(asking, i, &text);
		else
			print_group(asking, i, &text);
	}
	for (size_t i = 0; i < asking->hosts.count; i++) {
		if (asking->answers[i].json == NULL)
			w_buf_add_fmt(&text, "%s: no answer\n",
			    asking->hosts.items[i].name);
	}
	int printed = asking->operator->args->is_json ? print_json(asking)
						      : w_print(&text);
	if (printed != 0)
		return W_OPERATOR_FAILED;
	return failed > 0    ? W_OPERATOR_SOME
	       : missing > 0 ? W_OPERATOR_MISSING
			     : 0;
}

static int
ask_and_print(struct w_operator *operator, enum w_fleet_kind kind,
    const char *query, uint64_t wait_ms)
{
	struct asking asking = {.operator= operator, .query = query };
	writ_error err;

	w_operator_signals_open();
	w_operator_order_init(&asking.order);
	asking.order.kind = kind;
	if (operator->args->wait_ms> 0)
		wait_ms = operator->args->wait_ms;
	int status = ask(&asking, wait_ms, &err) == WRIT_OK
			 ? print_answers(&asking)
			 : w_operator_fail(operator, & err);
	for (size_t i = 0; asking.answers != NULL && i < asking.hosts.count;
	     i++) {
		free(asking.answers[i].text);
		free(asking.answers[i].json);
	}
	free(asking.answers);
	w_operator_hosts_done(&asking.hosts);
	w_operator_order_done(&asking.order);
	return status;
}

int
w_operator_ping(struct w_operator *operator)
{
	return ask_and_print(operator, W_FLEET_PING, NULL, 2000);
}

int
w_operator_facts(struct w_operator *operator)
{
	const struct w_words *words = &operator->args->words;

	if (words->count > 1)
		return w_operator_usage(operator, "it wants one QUERY");
	return ask_and_print(operator, W_FLEET_FACTS,
	    words->count == 0 ? NULL : words->items[0], 5000);
}
