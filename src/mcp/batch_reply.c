/* SPDX-License-Identifier: Apache-2.0 */
/* Batches, which one version of the protocol has. */
#include "mcp/batch_reply.h"

#include <stdlib.h>

#include "mcp/exchange_state.h"

enum {
	TEXT_MAX = 8 * 1024 * 1024
};

struct w_batch_reply {
	struct w_peer *peer;
	struct w_buf text; /* without the brackets */
	size_t holders;
};

static void
send_text(struct w_peer *peer, const char *json, size_t len)
{
	peer->transport.send(peer->transport.ctx, json, len);
}

void
w_batch_hold(struct w_batch_reply *batch)
{
	batch->holders++;
}

void
w_batch_leave(struct w_batch_reply *batch)
{
	if (--batch->holders > 0)
		return;
	if (batch->text.len > 0) {
		w_buf_add_char(&batch->text, ']');
		send_text(batch->peer, batch->text.data, batch->text.len);
	}
	w_buf_done(&batch->text);
	free(batch);
}

void
w_batch_put(struct w_batch_reply *batch, const char *json, size_t len)
{
	struct w_buf *text = &batch->text;

	/* Answers may also come one by one; better that than to keep without
	 * bound what others of the batch still wait for. */
	if (len > TEXT_MAX - 2 || text->len > TEXT_MAX - 2 - len) {
		send_text(batch->peer, json, len);
		return;
	}

	const size_t before = text->len;
	w_buf_add_char(text, before == 0 ? '[' : ',');
	const size_t comma = text->len;
	w_buf_add(text, json, len);
	if (!text->failed)
		return;

	/* The comma may have fitted, the answer did not. */
	text->failed = false;
	text->len = before;
	if (comma > before)
		text->data[before] = '\0';
	send_text(batch->peer, json, len);
}

static void
take_all(struct w_peer *peer, struct w_rpc_document *document,
    struct w_batch_reply *batch)
{
	yyjson_arr_iter iter;
	yyjson_val *value;

	(void)yyjson_arr_iter_init(w_rpc_document_root(document), &iter);
	while ((value = yyjson_arr_iter_next(&iter)) != NULL)
		w_peer_take_value(peer, document, value, batch);
}

void
w_batch_take(struct w_peer *peer, struct w_rpc_document *document)
{
	const size_t count = yyjson_arr_size(w_rpc_document_root(document));

	if (!peer->has_handshake || !w_mcp_traits(peer->version)->has_batches) {
		w_peer_refuse(peer, NULL, NULL, W_RPC_INVALID,
		    "this version of the protocol has no batches");
		return;
	}
	if (count == 0 || count > W_RPC_BATCH_MAX) {
		w_peer_refuse(peer, NULL, NULL, W_RPC_INVALID,
		    "a batch has 1 to 1000 messages");
		return;
	}

	struct w_batch_reply *batch = calloc(1, sizeof(*batch));
	if (batch == NULL) {
		w_peer_refuse(
		    peer, NULL, NULL, W_RPC_INTERNAL, "out of memory");
		return;
	}
	batch->peer = peer;
	w_buf_init(&batch->text, TEXT_MAX);
	w_batch_hold(batch);
	take_all(peer, document, batch);
	w_batch_leave(batch);
}
