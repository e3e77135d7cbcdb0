/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches incoming messages. */
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "mcp/protocol/rpc_batch.h"
#include "mcp/protocol/rpc_request_state.h"
#include "mcp/server.h"

#define SMALL_MAX 4096

void
w_connection_refuse(struct w_connection *connection, struct w_rpc_batch *batch,
    const char *id, int code, const char *message)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 16 * W_RPC_ID_MAX);
	w_rpc_add_error(&buf, id, code, message, NULL);
	if (buf.failed)
		return;
	if (batch != NULL)
		w_rpc_batch_add(batch, buf.data, buf.len);
	else
		connection->transport.send(
		    connection->transport.ctx, buf.data, buf.len);
}

static void
refuse_id(struct w_connection *connection, struct w_rpc_batch *batch,
    yyjson_val *id, int code, const char *message)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 8 * W_RPC_ID_MAX);
	if (id != NULL)
		w_rpc_add_id(&text, id);
	w_connection_refuse(
	    connection, batch, text.len == 0 ? NULL : text.data, code, message);
}

static void
connection_receive_call(struct w_rpc_request *rpc_request)
{
	const struct w_method *method = rpc_request->server->methods;

	while (method->name != NULL &&
	       (strcmp(method->name, rpc_request->method) != 0 ||
		   (method->versions & (1U << rpc_request->version)) == 0))
		method++;
	if (method->name == NULL) {
		w_rpc_request_fail(rpc_request, W_RPC_METHOD, NULL,
		    "no such method: '%.64s'", rpc_request->method);
		return;
	}
	method->call(rpc_request);
}

static void
handle_request(struct w_connection *connection, struct w_rpc_document *document,
    const struct w_rpc_message *message, struct w_rpc_batch *batch)
{
	const struct w_rpc_held *held = &connection->server->held;

	if (w_rpc_request_find(connection, message->id) != NULL) {
		refuse_id(connection, batch, message->id, W_RPC_INVALID,
		    "a request with this id is still under way");
		return;
	}

	/* A message stays in memory until its last request is answered: many
	 * that wait for approval could use up all memory. Small ones are
	 * limited by W_RPC_REQUESTS_MAX only; a ping or run_kill must get
	 * through. */
	if (held->count > 1 && held->bytes > W_MCP_HELD_MAX &&
	    w_rpc_document_len(document) > SMALL_MAX) {
		refuse_id(connection, batch, message->id, W_RPC_INTERNAL,
		    "too many calls wait for an answer: together they hold "
		    "more than 64 MiB; wait for answers before calling again");
		return;
	}

	struct w_rpc_request *rpc_request =
	    connection->by_id.count >= W_RPC_REQUESTS_MAX
		? NULL
		: w_rpc_request_new(connection, document, message, batch);
	if (rpc_request == NULL) {
		refuse_id(connection, batch, message->id, W_RPC_INTERNAL,
		    "too many requests are under way");
		return;
	}
	if (!w_mcp_version_negotiate(rpc_request))
		return;
	if (batch != NULL &&
	    (!w_mcp_traits(rpc_request->version)->has_batches ||
		strcmp(message->method, "initialize") == 0)) {
		w_rpc_request_fail(rpc_request, W_RPC_INVALID, NULL,
		    "this request cannot be part of a batch");
		return;
	}
	connection_receive_call(rpc_request);
}

/* Unknown notifications, and cancellations that come too late, are ignored. */
static void
handle_notification(
    struct w_connection *connection, const struct w_rpc_message *message)
{
	if (strcmp(message->method, "notifications/cancelled") != 0)
		return;

	yyjson_val *id = yyjson_obj_get(message->params, "requestId");
	if (!w_rpc_is_id(id))
		return;

	struct w_rpc_request *rpc_request = w_rpc_request_find(connection, id);
	if (rpc_request != NULL)
		w_rpc_request_cancel(rpc_request);
}

void
w_connection_receive_value(struct w_connection *connection,
    struct w_rpc_document *document, yyjson_val *value,
    struct w_rpc_batch *batch)
{
	struct w_rpc_message message;
	struct w_rpc_fault fault;

	if (!w_rpc_read(value, &message, &fault)) {
		if (!fault.is_silent) {
			refuse_id(connection, batch, fault.id, fault.code,
			    fault.message);
		}
		return;
	}
	if (message.kind == W_RPC_REQUEST)
		handle_request(connection, document, &message, batch);
	else if (message.kind == W_RPC_NOTIFICATION)
		handle_notification(connection, &message);
	else
		w_connection_answered(connection, &message);
}

void
w_connection_receive(
    struct w_connection *connection, const char *text, size_t len)
{
	struct w_rpc_document *document;
	writ_error err;

	if (w_rpc_document_new(text, len, &connection->server->held, &document,
		&err) != WRIT_OK) {
		W_AUTO_FREE char *id = NULL;
		int code = W_RPC_INTERNAL;

		if (err.status != WRIT_E_NOMEM)
			code = w_rpc_unreadable(text, len, &id);
		w_connection_refuse(connection, NULL, id, code, err.message);
		return;
	}
	if (yyjson_is_arr(w_rpc_document_root(document))) {
		w_rpc_batch_receive(connection, document);
	} else {
		w_connection_receive_value(
		    connection, document, w_rpc_document_root(document), NULL);
	}
	w_rpc_document_unref(document);
}
