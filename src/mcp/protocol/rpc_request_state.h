/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_REQUEST_STATE_H
#define W_MCP_RPC_REQUEST_STATE_H

#include "mcp/protocol/rpc_request.h"

/* How an exchange comes and goes: for the peers only. */

enum {
	W_RPC_REQUESTS_MAX = 65536 /* of one peer, at once */
};

/* A request has come. NULL: no memory. */
struct w_rpc_request *w_rpc_request_new(struct w_connection *connection,
    struct w_rpc_document *document, const struct w_rpc_message *message,
    struct w_rpc_batch *batch);

/* The one that this peer waits for under that id; NULL: none. */
struct w_rpc_request *w_rpc_request_find(
    struct w_connection *connection, yyjson_val *id);

/* Tells whoever has it that nobody waits any more, and frees it. */
void w_rpc_request_cancel(struct w_rpc_request *rpc_request);

/* version_negotiation.c: finds out by which version a request goes, and what
 * its client can do. false: it cannot be told, and the request was answered
 * with that. */
bool w_mcp_version_negotiate(struct w_rpc_request *rpc_request);

/* Reads what a client says about itself; either may be NULL. */
void w_mcp_client_read(
    struct w_mcp_client *client, yyjson_val *info, yyjson_val *capabilities);

/* The severity of that name. false: there is none. */
bool w_mcp_level_named(yyjson_val *word, enum w_mcp_level *out_level);
const char *w_mcp_level_word(enum w_mcp_level level);

/* connection_receive.c: one message, of a document and perhaps of a batch. */
void w_connection_receive_value(struct w_connection *connection,
    struct w_rpc_document *document, yyjson_val *value,
    struct w_rpc_batch *batch);

/* Answers something that never became an exchange. id is JSON, or NULL. */
void w_connection_refuse(struct w_connection *connection,
    struct w_rpc_batch *batch, const char *id, int code, const char *message);

/* outgoing_request.c: an answer has come. */
void w_connection_answered(
    struct w_connection *connection, const struct w_rpc_message *message);
void w_connection_drop_outgoing(struct w_connection *connection);

#endif /* W_MCP_RPC_REQUEST_STATE_H */
