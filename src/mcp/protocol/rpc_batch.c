/* SPDX-License-Identifier: Apache-2.0 */
/* Batches, which only one version of the protocol has. */
#include "mcp/protocol/rpc_batch.h"

#include <stdlib.h>

#include "mcp/protocol/rpc_request_state.h"

enum {
	TEXT_MAX = 8 * 1024 * 1024
};

struct w_rpc_batch {
	struct w_connection *connection;
	struct w_buf text; /* without the brackets */
	size_t holders;
};

static void
send_text(struct w_connection *connection, const char *json, size_t len)
{
	connection->transport.send(connection->transport.ctx, json, len);
}

void
w_rpc_batch_hold(struct w_rpc_batch *batch)
{
	batch->holders++;
}

void
w_rpc_batch_release(struct w_rpc_batch *batch)
{
	if (--batch->holders > 0)
		return;
	if (batch->text.len > 0) {
		w_buf_add_char(&batch->text, ']');
		send_text(batch->connection, batch->text.data, batch->text.len);
	}
	w_buf_done(&batch->text);
	free(batch);
}

void
w_rpc_batch_add(struct w_rpc_batch *batch, const char *json, size_t len)
{
	struct w_buf *text = &batch->text;

	/* Answers may also be sent one by one; better that than unbounded
	 * memory while the rest of the batch is still running. */
	if (len > TEXT_MAX - 2 || text->len > TEXT_MAX - 2 - len) {
		send_text(batch->connection, json, len);
		return;
	}

	const size_t before = text->len;
	w_buf_add_char(text, before == 0 ? '[' : ',');
	const size_t comma = text->len;
	w_buf_add(text, json, len);
	if (!text->failed)
		return;

	/* The comma may have fitted, but the answer did not. */
	text->failed = false;
	text->len = before;
	if (comma > before)
		text->data[before] = '\0';
	send_text(batch->connection, json, len);
}

void
w_rpc_batch_receive(
    struct w_connection *connection, struct w_rpc_document *document)
{
	yyjson_val *root = w_rpc_document_root(document);
	const size_t count = yyjson_arr_size(root);

	if (!connection->has_handshake ||
	    !w_mcp_traits(connection->version)->has_batches) {
		w_connection_refuse(connection, NULL, NULL, W_RPC_INVALID,
		    "this version of the protocol has no batches");
		return;
	}
	if (count == 0 || count > W_RPC_BATCH_MAX) {
		w_connection_refuse(connection, NULL, NULL, W_RPC_INVALID,
		    "a batch has 1 to 1000 messages");
		return;
	}

	struct w_rpc_batch *batch = calloc(1, sizeof(*batch));
	if (batch == NULL) {
		w_connection_refuse(
		    connection, NULL, NULL, W_RPC_INTERNAL, "out of memory");
		return;
	}
	batch->connection = connection;
	w_buf_init(&batch->text, TEXT_MAX);
	w_rpc_batch_hold(batch);
	yyjson_arr_iter iter = yyjson_arr_iter_with(root);
	yyjson_val *value;
	while ((value = yyjson_arr_iter_next(&iter)) != NULL)
		w_connection_receive_value(connection, document, value, batch);
	w_rpc_batch_release(batch);
}
