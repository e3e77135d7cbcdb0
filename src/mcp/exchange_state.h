/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_EXCHANGE_STATE_H
#define W_MCP_EXCHANGE_STATE_H

#include "mcp/exchange.h"

/* How an exchange comes and goes: for the peers only. */

enum {
	W_EXCHANGES_MAX = 65536 /* of one peer, at once */
};

/* A request has come. NULL: no memory. */
struct w_exchange *w_exchange_new(struct w_peer *peer,
    struct w_rpc_document *document, const struct w_rpc_message *message,
    struct w_batch_reply *batch);

/* The one that this peer waits for under that id; NULL: none. */
struct w_exchange *w_exchange_find(struct w_peer *peer, yyjson_val *id);

/* Tells whoever has it that nobody waits any more, and frees it. */
void w_exchange_cancel(struct w_exchange *exchange);

/* era.c: finds out by which version a request goes, and what its client can
 * do. false: it cannot be told, and the request was answered with that. */
bool w_era_decide(struct w_exchange *exchange);

/* Reads what a client says about itself; either may be NULL. */
void w_client_read(
    struct w_mcp_client *client, yyjson_val *info, yyjson_val *capabilities);

/* The severity of that name. false: there is none. */
bool w_mcp_level_named(yyjson_val *word, enum w_mcp_level *out_level);
const char *w_mcp_level_word(enum w_mcp_level level);

/* peer_take.c: one message, of a document and perhaps of a batch. */
void w_peer_take_value(struct w_peer *peer, struct w_rpc_document *document,
    yyjson_val *value, struct w_batch_reply *batch);

/* Answers something that never became an exchange. id is JSON, or NULL. */
void w_peer_refuse(struct w_peer *peer, struct w_batch_reply *batch,
    const char *id, int code, const char *message);

/* ask.c: an answer has come. */
void w_peer_answered(struct w_peer *peer, const struct w_rpc_message *message);
void w_peer_drop_asks(struct w_peer *peer);

#endif /* W_MCP_EXCHANGE_STATE_H */
