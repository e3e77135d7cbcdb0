/* SPDX-License-Identifier: Apache-2.0 */

/* Making, signing and sending an order. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fleet/operator/operator.h"
#include "data/json.h"

#define STAGE     "order"
#define DEPTH_MAX 16

void
w_operator_order_init(struct operator_order *order)
{
	*order = (struct operator_order){.kind = W_FLEET_PING};
	w_buf_init(&order->run, W_FLEET_REQUEST_MAX);
	w_buf_init(&order->text, W_FLEET_REQUEST_MAX);
	w_buf_init(&order->signed_text, W_FLEET_ORDER_MAX);
}

void
w_operator_order_done(struct operator_order *order)
{
	w_words_done(&order->hosts);
	w_buf_done(&order->run);
	w_buf_done(&order->text);
	w_buf_done(&order->signed_text);
}

/* The values that are borrowed from a document: the list of hosts, and what to
 * run. */
static writ_status
read_values(const struct operator_order *order, struct w_json **out_json,
    writ_error *err)
{
	const struct w_json_limits limits = {
	    2 * W_FLEET_REQUEST_MAX, DEPTH_MAX};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 2 * W_FLEET_REQUEST_MAX);
	w_buf_add_str(&text, "[");
	w_json_add_list(&text, (const char *const *)order->hosts.items);
	w_buf_add_char(&text, ',');
	w_buf_add_str(&text, order->run.len == 0 ? "null" : order->run.data);
	w_buf_add_char(&text, ']');
	if (text.failed || order->run.failed)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the order is larger than %zu bytes", W_FLEET_REQUEST_MAX);
	return w_json_read(text.data, text.len, &limits, out_json, err);
}

static writ_status
sign(const struct w_operator *operator, struct operator_order * order,
    writ_error *err)
{
	struct w_fleet_request check;
	struct w_json *json = NULL;
	struct w_fleet_key key;

	if (order->text.failed)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the order is larger than %zu bytes", W_FLEET_REQUEST_MAX);
	/* What no host would read is not sent. */
	writ_status status = w_fleet_request_read(
	    order->text.data, order->text.len, &json, &check, err);
	if (status != WRIT_OK)
		return status;
	w_json_free(json);
	status = w_operator_key_load(operator, w_operator_key_name(operator),
	    &key, err);
	if (status != WRIT_OK)
		return status;
	status = w_fleet_order_add(
	    &order->signed_text, &key, order->text.data, order->text.len, err);
	w_fleet_key_done(&key);
	return status;
}

writ_status
w_operator_order_make(const struct w_operator *operator,
    struct operator_order * order, writ_error *err)
{
	const uint64_t now_ms = w_fleet_now_ms();
	struct w_fleet_request request = {.version = 1,
	    .kind = order->kind,
	    .where = order->where,
	    .not_before = now_ms,
	    .expires = now_ms + order->lives_ms,
	    .deliver = order->deliver,
	    .options = order->options};
	struct w_json *json = NULL;

	if (!w_fleet_id_new(order->id))
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, 0, "there are no random bytes");
	memcpy(request.id, order->id, sizeof(request.id));
	(void)snprintf(request.from, sizeof(request.from), "%s",
	    w_operator_key_name(operator));
	memcpy(request.collective, operator->site.collective,
	    sizeof(request.collective));
	writ_status status = read_values(order, &json, err);
	if (status != WRIT_OK)
		return status;
	request.hosts = yyjson_arr_get(w_json_root(json), 0);
	request.run = yyjson_arr_get(w_json_root(json), 1);
	w_fleet_request_add(&order->text, &request);
	w_json_free(json);
	return sign(operator, order, err);
}

writ_status
w_operator_order_keep(struct w_operator *operator,
    const struct operator_order * order, writ_error *err)
{
	return w_operator_put(operator, "ORDERS", order->id,
	    order->signed_text.data, order->signed_text.len, err);
}

writ_status
w_operator_order_send(struct w_operator *operator,
    const struct operator_order * order, const char *host, writ_error *err)
{
	char subject[W_NATS_NAME_MAX];
	char message_id[W_ID_LEN + W_FLEET_NAME_MAX + 2];
	jsPubOptions options;

	w_nats_subject(subject, operator->site.collective, "work", host, NULL);
	(void)snprintf(
	    message_id, sizeof(message_id), "%s.%s", order->id, host);
	(void)jsPubOptions_Init(&options);
	/* The server knows a second one by its id; the host's ledger knows it
	 * too. */
	options.MsgId = message_id;
	natsStatus status = NATS_OK;
	unsigned tries = 0;
	do {
		status = js_Publish(NULL, operator->js, subject,
		    order->signed_text.data, (int)order->signed_text.len,
		    &options, NULL);
	} while (status != NATS_OK && w_operator_again(status, &tries));
	return status == NATS_OK
		   ? WRIT_OK
		   : w_nats_fail(err, status, "hand over the order");
}
