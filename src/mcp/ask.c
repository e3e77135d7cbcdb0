/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of our own, and their answers. */
#include <inttypes.h>
#include <stdlib.h>

#include "mcp/exchange_state.h"

enum {
	ASK_MAX = 1024 * 1024
};

struct w_ask {
	struct w_mcp_link link; /* first: by its number */
	struct w_peer *peer;
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
free_ask(struct w_ask *ask)
{
	w_mcp_links_remove(&ask->peer->asks, &ask->link);
	free(ask);
}

static bool
send_ask(const struct w_ask *ask, const char *method, const char *params)
{
	const struct w_peer_transport *transport = &ask->peer->transport;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, ASK_MAX);
	w_buf_add_fmt(&buf,
	    "{\"jsonrpc\":\"2.0\",\"id\":%" PRIu64
	    ",\"method\":\"%s\",\"params\":{",
	    ask->number, method);
	w_buf_add_str(&buf, params);
	w_buf_add_str(&buf, "}}");
	if (buf.failed)
		return false;
	transport->send(transport->ctx, buf.data, buf.len);
	return true;
}

struct w_ask *
w_peer_ask(struct w_peer *peer, const char *method, const char *params,
    w_answer_fn on_answer, void *ctx)
{
	if (!peer->has_handshake)
		return NULL;

	struct w_ask *ask = calloc(1, sizeof(*ask));
	if (ask == NULL)
		return NULL;
	ask->peer = peer;
	ask->number = ++peer->last_ask;
	ask->on_answer = on_answer;
	ask->ctx = ctx;
	if (!w_mcp_links_add(&peer->asks, &ask->link, hash_of(ask->number))) {
		free(ask);
		return NULL;
	}
	if (!send_ask(ask, method, params)) {
		free_ask(ask);
		return NULL;
	}
	return ask;
}

void
w_ask_drop(struct w_ask *ask)
{
	if (ask == NULL)
		return;

	W_AUTO_BUF struct w_buf params;
	w_buf_init(&params, 128);
	w_buf_add_fmt(&params,
	    "\"requestId\":%" PRIu64
	    ",\"reason\":\"nobody waits for it any more\"",
	    ask->number);
	if (!params.failed)
		w_peer_notify(
		    ask->peer, "notifications/cancelled", params.data);
	free_ask(ask);
}

/* The link goes first: whoever is told may ask again. */
static void
answer(struct w_ask *ask, yyjson_val *result, yyjson_val *error)
{
	const w_answer_fn on_answer = ask->on_answer;
	void *ctx = ask->ctx;

	free_ask(ask);
	on_answer(ctx, result, error);
}

void
w_peer_answered(struct w_peer *peer, const struct w_rpc_message *message)
{
	if (!yyjson_is_uint(message->id))
		return;

	const uint64_t number = yyjson_get_uint(message->id);
	struct w_mcp_link *link =
	    w_mcp_links_first(&peer->asks, hash_of(number));
	while (link != NULL && ((struct w_ask *)link)->number != number)
		link = w_mcp_links_next(link);
	if (link != NULL)
		answer((struct w_ask *)link, message->result, message->error);
}

void
w_peer_drop_asks(struct w_peer *peer)
{
	/* Nothing new can come of it: the peer is no longer one that could be
	 * asked. */
	peer->has_handshake = false;
	while (peer->asks.count > 0) {
		answer(
		    (struct w_ask *)w_mcp_links_any(&peer->asks), NULL, NULL);
	}
}
