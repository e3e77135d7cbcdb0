/* SPDX-License-Identifier: Apache-2.0 */
/* Our own requests to the client, and their answers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/protocol/rpc_request_state.h"

enum {
	ASK_MAX = 1024 * 1024
};

struct w_outgoing_request {
	struct w_mcp_id_link link; /* first member: keyed by number */
	struct w_connection *connection;
	uint64_t number;
	w_answer_fn on_answer;
	void *ctx;
};

static uint64_t
hash_of(uint64_t number)
{
	return w_mcp_hash(&number, sizeof(number));
}

static void
free_outgoing(struct w_outgoing_request *outgoing)
{
	w_mcp_id_table_remove(
	    &outgoing->connection->outgoing_requests, &outgoing->link);
	free(outgoing);
}

static bool
send_outgoing(const struct w_outgoing_request *outgoing, const char *method,
    const char *params)
{
	const struct w_connection_transport *transport =
	    &outgoing->connection->transport;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, ASK_MAX);
	w_buf_add_fmt(&buf,
	    "{\"jsonrpc\":\"2.0\",\"id\":%" PRIu64
	    ",\"method\":\"%s\",\"params\":{",
	    outgoing->number, method);
	w_buf_add_str(&buf, params);
	w_buf_add_str(&buf, "}}");
	if (buf.failed)
		return false;
	transport->send(transport->ctx, buf.data, buf.len);
	return true;
}

struct w_outgoing_request *
w_connection_ask(struct w_connection *connection, const char *method,
    const char *params, w_answer_fn on_answer, void *ctx)
{
	if (!connection->has_handshake)
		return NULL;

	struct w_outgoing_request *outgoing = calloc(1, sizeof(*outgoing));
	if (outgoing == NULL)
		return NULL;
	outgoing->connection = connection;
	outgoing->number = ++connection->last_outgoing;
	outgoing->on_answer = on_answer;
	outgoing->ctx = ctx;
	if (!w_mcp_id_table_add(&connection->outgoing_requests, &outgoing->link,
		hash_of(outgoing->number))) {
		free(outgoing);
		return NULL;
	}
	if (!send_outgoing(outgoing, method, params)) {
		free_outgoing(outgoing);
		return NULL;
	}
	return outgoing;
}

void
w_outgoing_request_cancel(struct w_outgoing_request *outgoing)
{
	if (outgoing == NULL)
		return;

	W_AUTO_BUF struct w_buf params;
	w_buf_init(&params, 128);
	w_buf_add_fmt(&params,
	    "\"requestId\":%" PRIu64
	    ",\"reason\":\"nobody waits for it any more\"",
	    outgoing->number);
	if (!params.failed)
		w_connection_notify(outgoing->connection,
		    "notifications/cancelled", params.data);
	free_outgoing(outgoing);
}

/* Unlinked first: the callback may send another request. */
static void
outgoing_request_answer(
    struct w_outgoing_request *outgoing, yyjson_val *result, yyjson_val *error)
{
	const w_answer_fn on_answer = outgoing->on_answer;
	void *ctx = outgoing->ctx;

	free_outgoing(outgoing);
	on_answer(ctx, result, error);
}

void
w_connection_answered(
    struct w_connection *connection, const struct w_rpc_message *message)
{
	if (!yyjson_is_uint(message->id))
		return;

	const uint64_t number = yyjson_get_uint(message->id);
	struct w_mcp_id_link *link = w_mcp_id_table_first(
	    &connection->outgoing_requests, hash_of(number));
	while (link != NULL &&
	       ((struct w_outgoing_request *)link)->number != number)
		link = w_mcp_id_table_next(link);
	if (link != NULL)
		outgoing_request_answer((struct w_outgoing_request *)link,
		    message->result, message->error);
}

void
w_connection_end_input(struct w_connection *connection)
{
	static const char gone[] = "{\"code\":-32000}";
	yyjson_doc *doc = yyjson_read(gone, strlen(gone), YYJSON_READ_NOFLAG);

	while (doc != NULL && connection->outgoing_requests.count > 0) {
		outgoing_request_answer(
		    (struct w_outgoing_request *)w_mcp_id_table_any(
			&connection->outgoing_requests),
		    NULL, yyjson_doc_get_root(doc));
	}
	yyjson_doc_free(doc);
}

void
w_connection_drop_outgoing(struct w_connection *connection)
{
	/* Without a handshake, callbacks cannot send new requests. */
	connection->has_handshake = false;
	while (connection->outgoing_requests.count > 0) {
		outgoing_request_answer(
		    (struct w_outgoing_request *)w_mcp_id_table_any(
			&connection->outgoing_requests),
		    NULL, NULL);
	}
}
