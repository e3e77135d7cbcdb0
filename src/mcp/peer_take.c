/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a message that has come in. */
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "mcp/batch_reply.h"
#include "mcp/exchange_state.h"
#include "mcp/server.h"

#define SMALL_MAX 4096

void
w_peer_refuse(struct w_peer *peer, struct w_batch_reply *batch, const char *id,
    int code, const char *message)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 16 * W_RPC_ID_MAX);
	w_rpc_add_error(&buf, id, code, message, NULL);
	if (buf.failed)
		return;
	if (batch != NULL)
		w_batch_put(batch, buf.data, buf.len);
	else
		peer->transport.send(peer->transport.ctx, buf.data, buf.len);
}

static void
refuse_id(struct w_peer *peer, struct w_batch_reply *batch, yyjson_val *id,
    int code, const char *message)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 8 * W_RPC_ID_MAX);
	if (id != NULL)
		w_rpc_add_id(&text, id);
	w_peer_refuse(
	    peer, batch, text.len == 0 ? NULL : text.data, code, message);
}

static void
call(struct w_exchange *exchange)
{
	const struct w_method *method = exchange->server->methods;

	while (method->name != NULL &&
	       (strcmp(method->name, exchange->method) != 0 ||
		   (method->versions & (1U << exchange->version)) == 0))
		method++;
	if (method->name == NULL) {
		w_exchange_fail(exchange, W_RPC_METHOD, NULL,
		    "no such method: '%.64s'", exchange->method);
		return;
	}
	method->call(exchange);
}

/* A message is kept until its last request is answered, and so is what was made
 * of it: many that wait for a person would take all memory. What is small is
 * counted by W_EXCHANGES_MAX; a ping or run_kill has to get through. */
static bool
holds_too_much(
    const struct w_mcp *server, const struct w_rpc_document *document)
{
	return server->held.count > 1 && server->held.bytes > W_MCP_HELD_MAX &&
	       w_rpc_document_len(document) > SMALL_MAX;
}

static void
take_request(struct w_peer *peer, struct w_rpc_document *document,
    const struct w_rpc_message *message, struct w_batch_reply *batch)
{
	if (w_exchange_find(peer, message->id) != NULL) {
		refuse_id(peer, batch, message->id, W_RPC_INVALID,
		    "a request with this id is still under way");
		return;
	}

	if (holds_too_much(peer->server, document)) {
		refuse_id(peer, batch, message->id, W_RPC_INTERNAL,
		    "too many calls wait for an answer: together they hold "
		    "more than 64 MiB; wait for answers before calling again");
		return;
	}

	struct w_exchange *exchange =
	    peer->by_id.count >= W_EXCHANGES_MAX
		? NULL
		: w_exchange_new(peer, document, message, batch);
	if (exchange == NULL) {
		refuse_id(peer, batch, message->id, W_RPC_INTERNAL,
		    "too many requests are under way");
		return;
	}
	if (!w_era_decide(exchange))
		return;
	if (batch != NULL && (!w_mcp_traits(exchange->version)->has_batches ||
				 strcmp(message->method, "initialize") == 0)) {
		w_exchange_fail(exchange, W_RPC_INVALID, NULL,
		    "this request cannot be part of a batch");
		return;
	}
	call(exchange);
}

/* Others are none of our business, or come too late: never an error. */
static void
take_notification(struct w_peer *peer, const struct w_rpc_message *message)
{
	if (strcmp(message->method, "notifications/cancelled") != 0)
		return;

	yyjson_val *id = yyjson_obj_get(message->params, "requestId");
	if (!w_rpc_is_id(id))
		return;

	struct w_exchange *exchange = w_exchange_find(peer, id);
	if (exchange != NULL)
		w_exchange_cancel(exchange);
}

void
w_peer_take_value(struct w_peer *peer, struct w_rpc_document *document,
    yyjson_val *value, struct w_batch_reply *batch)
{
	struct w_rpc_message message;
	struct w_rpc_fault fault;

	if (!w_rpc_read(value, &message, &fault)) {
		if (!fault.is_silent) {
			refuse_id(
			    peer, batch, fault.id, fault.code, fault.message);
		}
		return;
	}
	if (message.kind == W_RPC_REQUEST)
		take_request(peer, document, &message, batch);
	else if (message.kind == W_RPC_NOTIFICATION)
		take_notification(peer, &message);
	else
		w_peer_answered(peer, &message);
}

static void
refuse_text(
    struct w_peer *peer, const char *text, size_t len, const writ_error *err)
{
	W_AUTO_FREE char *id = NULL;
	int code = W_RPC_INTERNAL;

	if (err->status != WRIT_E_NOMEM)
		code = w_rpc_unreadable(text, len, &id);
	w_peer_refuse(peer, NULL, id, code, err->message);
}

void
w_peer_take(struct w_peer *peer, const char *text, size_t len)
{
	struct w_rpc_document *document;
	writ_error err;

	if (w_rpc_document_new(
		text, len, &peer->server->held, &document, &err) != WRIT_OK) {
		refuse_text(peer, text, len, &err);
		return;
	}
	if (yyjson_is_arr(w_rpc_document_root(document))) {
		w_batch_take(peer, document);
	} else {
		w_peer_take_value(
		    peer, document, w_rpc_document_root(document), NULL);
	}
	w_rpc_document_unref(document);
}
