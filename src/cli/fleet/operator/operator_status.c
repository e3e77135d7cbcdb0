/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ fleet status`, `results` and `cancel`: orders that were given, from any
 * machine of the operator. What was ordered is in the bucket ORDERS, what came
 * of it in the stream of results, and refusals in that of events.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/printable.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

#define STAGE     "order"
#define LIST_MAX  20
#define DEPTH_MAX 16

struct known_order {
	char id[W_ID_LEN + 1];
	struct w_json *json; /* of the request */
	struct w_fleet_request request;
};

struct known_orders {
	struct known_order *items; /* newest last */
	size_t count;
	size_t cap;
};

static void
known_orders_done(struct known_orders *orders)
{
	for (size_t i = 0; i < orders->count; i++)
		w_json_free(orders->items[i].json);
	free(orders->items);
	*orders = (struct known_orders){.count = 0};
}

static void
add_order(void *ctx, const char *subject, const char *bytes, size_t len,
    uint64_t time_ms)
{
	struct known_orders *orders = ctx;
	struct known_order known = {.json = NULL};
	struct w_fleet_order order;
	writ_error err;

	(void)subject;
	(void)time_ms;
	if (w_fleet_order_read(bytes, len, &order, &err) != WRIT_OK ||
	    w_fleet_request_read(order.text, order.len, &known.json,
		&known.request, &err) != WRIT_OK)
		return;
	memcpy(known.id, known.request.id, sizeof(known.id));
	if (w_grow(&orders->items, orders->count, &orders->cap))
		orders->items[orders->count++] = known;
	else
		w_json_free(known.json);
}

/* One, or all with "*"; a beginning of an id is enough if only one has it. */
static writ_status
load_orders(struct w_operator *operator, struct known_orders * out_orders,
    writ_error *err)
{
	char subject[W_NATS_NAME_MAX];

	*out_orders = (struct known_orders){.count = 0};
	(void)snprintf(subject, sizeof(subject),
	    "$KV.ORDERS_%s.*", operator->site.collective);
	return w_operator_read(operator, "KV_ORDERS", subject, add_order,
	    out_orders, err);
}

static const struct known_order *
find_order(const struct known_orders *orders, const char *id, writ_error *err)
{
	const struct known_order *found = NULL;

	for (size_t i = 0; i < orders->count; i++) {
		if (strncmp(orders->items[i].id, id, strlen(id)) != 0)
			continue;
		if (found != NULL) {
			(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "several orders begin with '%s'", id);
			return NULL;
		}
		found = &orders->items[i];
	}
	if (found == NULL) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there is no order '%s'", id);
		w_suggest(err, "writ fleet status");
	}
	return found;
}

static bool
hosts_of(const struct known_order *order, struct w_words *hosts)
{
	size_t at, count;
	yyjson_val *host;

	yyjson_arr_foreach(order->request.hosts, at, count, host)
	{
		if (!w_words_add(
			hosts, yyjson_get_str(host), yyjson_get_len(host)))
			return false;
	}
	return true;
}

static writ_status
load_results(struct w_operator *operator, const struct known_order * order,
    uint64_t wait_ms, struct operator_results *out_results, writ_error *err)
{
	const struct w_words *only = &operator->args->hosts;
	bool is_stopped = false;
	W_AUTO_WORDS struct w_words hosts = {.count = 0};

	if (only->count == 0 && !hosts_of(order, &hosts))
		return w_fail_nomem(err, STAGE);
	writ_status status = w_operator_results_init(
	    out_results, order->id, only->count > 0 ? only : &hosts, err);
	if (status != WRIT_OK)
		return status;
	/* Long enough for what is there already. */
	return w_operator_results_wait(operator, out_results,
	    out_results->count,
	    w_fleet_now_ms() + (wait_ms > 0 ? wait_ms : 500), &is_stopped, err);
}

/* ---- status ---- */

static void
add_what(struct w_buf *text, const struct w_fleet_request *request)
{
	yyjson_val *argv = yyjson_obj_get(request->run, "argv");
	const char *shell =
	    yyjson_get_str(yyjson_obj_get(request->run, "shell"));
	size_t at, count;
	yyjson_val *word;

	w_buf_add_str(text, w_fleet_kind_words[request->kind]);
	if (request->kind == W_FLEET_CANCEL)
		w_buf_add_fmt(text, " %s", request->options.cancels);
	if (shell != NULL)
		w_buf_add_fmt(text, " %s", shell);
	yyjson_arr_foreach(argv, at, count, word)
	{
		w_buf_add_fmt(text, " %s", yyjson_get_str(word));
	}
}

static int
status_list(struct w_operator *operator, const struct known_orders * orders)
{
	static const char *const headings[] = {
	    "ORDER", "EXPIRES", ">HOSTS", "BY", "WHAT", NULL};
	const size_t first =
	    orders->count > LIST_MAX ? orders->count - LIST_MAX : 0;
	struct w_text_table table;
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, W_PRINT_MAX);
	w_buf_add_char(&json, '[');
	w_text_table_init(&table, headings);
	for (size_t i = first; i < orders->count; i++) {
		const struct w_fleet_request *request =
		    &orders->items[i].request;
		W_AUTO_BUF struct w_buf what;
		W_AUTO_BUF struct w_buf expires;

		w_buf_init(&what, W_FLEET_REQUEST_MAX);
		w_buf_init(&expires, 64);
		add_what(&what, request);
		w_fleet_time_add(&expires, request->expires);
		w_text_table_add(&table, request->id);
		w_text_table_add(&table, expires.data);
		w_text_table_add_count(&table, yyjson_arr_size(request->hosts));
		w_text_table_add(&table, request->from);
		w_text_table_add(&table, what.data);
		w_buf_add_str(&json, i == first ? "" : ",");
		w_fleet_request_add(&json, request);
	}
	w_buf_add_char(&json, ']');
	int status = operator->args->is_json ? w_print_json(json.data, json.len)
					     : w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

/* What hosts have told on the way: the last of each. */
struct told {
	struct operator_results *results;
	struct w_buf text;
	struct w_buf json;
};

static void
add_told(void *ctx, const char *subject, const char *bytes, size_t len,
    uint64_t time_ms)
{
	const struct w_json_limits limits = {(size_t)1 << 20, DEPTH_MAX};
	struct told *told = ctx;
	struct w_json *json = NULL;
	char host[W_FLEET_NAME_MAX + 1];
	const char *end = strrchr(subject, '.');
	const char *begin = end;

	(void)time_ms;
	while (begin > subject && begin[-1] != '.')
		begin--;
	if ((size_t)(end - begin) >= sizeof(host))
		return;
	memcpy(host, begin, (size_t)(end - begin));
	host[end - begin] = '\0';
	for (size_t i = 0; i < told->results->count; i++) {
		if (strcmp(told->results->items[i].host, host) == 0 &&
		    told->results->items[i].json != NULL)
			return; /* its result says more */
	}
	if (w_json_read(bytes, len, &limits, &json, NULL) != WRIT_OK)
		return;
	yyjson_val *map = w_json_root(json);
	const char *state = yyjson_get_str(yyjson_obj_get(map, "state"));
	const char *message = yyjson_get_str(
	    yyjson_obj_get(yyjson_obj_get(map, "error"), "message"));
	w_buf_add_fmt(&told->text, "%s: ", host);
	if (state != NULL)
		(void)w_printable_add(&told->text, state, 0);
	if (message != NULL) {
		w_buf_add_str(&told->text, ": ");
		(void)w_printable_add(&told->text, message, 0);
	}
	w_buf_add_char(&told->text, '\n');
	w_buf_add_str(&told->json, told->json.len > 1 ? "," : "");
	w_json_add_value(&told->json, map);
	w_json_free(json);
}

static int
status_print(struct w_operator *operator, const struct known_order * order,
    struct operator_results *results, struct told *told)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)64 << 20);
	if (operator->args->is_json) {
		w_buf_add_char(&text, '{');
		w_json_add_text_member(&text, "id", order->id);
		w_json_add_number_member(&text, "hosts", results->count);
		w_json_add_number_member(&text, "good", results->good);
		w_json_add_number_member(&text, "failed", results->failed);
		w_json_add_number_member(&text, "skipped", results->skipped);
		w_json_add_number_member(&text, "missing", results->missing);
		w_buf_add_fmt(&text, ",\"events\":%s]}", told->json.data);
		if (w_print_json(text.data, text.len) != 0)
			return W_OPERATOR_FAILED;
	} else {
		W_AUTO_BUF struct w_buf what;

		w_buf_init(&what, W_FLEET_REQUEST_MAX);
		add_what(&what, &order->request);
		w_buf_add_fmt(&text, "%s: ", order->id);
		(void)w_printable_add(&text, what.data, 0);
		w_buf_add_fmt(&text,
		    "\n%zu hosts: %zu good, %zu failed, %zu missing, %zu "
		    "skipped; it expires at ",
		    results->count, results->good, results->failed,
		    results->missing, results->skipped);
		w_fleet_time_add(&text, order->request.expires);
		w_buf_add_fmt(&text, "\n%s", told->text.data);
		if (w_print(&text) != 0)
			return W_OPERATOR_FAILED;
	}
	return results->failed > 0    ? W_OPERATOR_SOME
	       : results->missing > 0 ? W_OPERATOR_MISSING
				      : 0;
}

static int
status_one(struct w_operator *operator, const struct known_order * order,
    writ_error *err)
{
	struct operator_results results = {.count = 0};
	struct told told = {.results = &results};
	char subject[W_NATS_NAME_MAX];

	w_buf_init(&told.text, (size_t)16 << 20);
	w_buf_init(&told.json, (size_t)16 << 20);
	w_buf_add_char(&told.json, '[');
	writ_status status = load_results(operator, order, 0, &results, err);
	w_nats_subject(
	    subject, operator->site.collective, "ev", "*", order->id);
	if (status == WRIT_OK)
		status = w_operator_read(operator, "EV", subject, add_told,
		    &told, err);
	int exit_status = status == WRIT_OK
			      ? status_print(operator, order, &results, &told)
			      : w_operator_fail(operator, err);
	w_operator_results_done(&results);
	w_buf_done(&told.text);
	w_buf_done(&told.json);
	return exit_status;
}

static int
results_one(struct w_operator *operator, const struct known_order * order,
    writ_error *err)
{
	struct operator_results results = {.count = 0};
	writ_status status = load_results(operator,
	    order, operator->args->wait_ms, &results, err);

	int exit_status = status == WRIT_OK
			      ? w_operator_results_print(operator, & results)
			      : w_operator_fail(operator, err);
	w_operator_results_done(&results);
	return exit_status;
}

/* ---- cancel ---- */

static int
cancel_one(struct w_operator *operator, const struct known_order * order,
    writ_error *err)
{
	struct operator_order cancel;
	struct operator_results results = {.count = 0};
	const uint64_t wait_ms =
	operator->args->wait_ms> 0 ? operator->args->wait_ms : 5000;
	const uint64_t now_ms = w_fleet_now_ms();
	bool is_stopped = false;

	w_operator_order_init(&cancel);
	cancel.kind = W_FLEET_CANCEL;
	cancel.deliver = W_FLEET_QUEUED;
	memcpy(cancel.options.cancels, order->id, sizeof(order->id));
	/* As long as the other one can still arrive. */
	cancel.lives_ms = order->request.expires > now_ms + 60000
			      ? order->request.expires - now_ms
			      : 60000;
	writ_status status =
	    hosts_of(order, &cancel.hosts)
		? w_operator_order_make(operator, & cancel, err)
		: w_fail_nomem(err, STAGE);
	if (status == WRIT_OK)
		status = w_operator_order_keep(operator, & cancel, err);
	for (size_t i = 0; status == WRIT_OK && i < cancel.hosts.count; i++)
		status = w_operator_order_send(operator, & cancel,
		    cancel.hosts.items[i], err);
	if (status == WRIT_OK)
		status = w_operator_results_init(
		    &results, cancel.id, &cancel.hosts, err);
	if (status == WRIT_OK)
		status = w_operator_results_wait(operator, & results,
		    results.count, now_ms + wait_ms, &is_stopped, err);
	int exit_status = status == WRIT_OK
			      ? w_operator_results_print(operator, & results)
			      : w_operator_fail(operator, err);
	w_operator_results_done(&results);
	w_operator_order_done(&cancel);
	return exit_status;
}

/* ---- the commands ---- */

typedef int (*order_fn)(struct w_operator *operator,
    const struct known_order * order, writ_error *err);

static int
with_order(struct w_operator *operator, order_fn fn)
{
	const struct w_words *words = &operator->args->words;
	struct known_orders orders = {.count = 0};
	const struct known_order *order = NULL;
	int exit_status = W_OPERATOR_FAILED;
	writ_error err;

	w_operator_signals_open();
	writ_status status = w_operator_connect(operator, & err);
	if (status == WRIT_OK)
		status = load_orders(operator, & orders, &err);
	if (status == WRIT_OK && words->count > 0)
		order = find_order(&orders, words->items[0], &err);
	if (status != WRIT_OK || (words->count > 0 && order == NULL))
		exit_status = w_operator_fail(operator, & err);
	else if (order == NULL)
		exit_status = status_list(operator, & orders);
	else
		exit_status = fn(operator, order, &err);
	known_orders_done(&orders);
	return exit_status;
}

int
w_operator_status(struct w_operator *operator)
{
	return operator->args->words.count <= 1
		   ? with_order(operator, status_one)
		   : w_operator_usage(operator, "it wants one ORDER");
}

int
w_operator_results(struct w_operator *operator)
{
	return operator->args->words.count == 1
		   ? with_order(operator, results_one)
		   : w_operator_usage(operator, "it wants one ORDER");
}

int
w_operator_cancel(struct w_operator *operator)
{
	return operator->args->words.count == 1
		   ? with_order(operator, cancel_one)
		   : w_operator_usage(operator, "it wants one ORDER");
}
