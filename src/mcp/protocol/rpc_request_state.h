/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_REQUEST_STATE_H
#define W_MCP_RPC_REQUEST_STATE_H

#include "mcp/protocol/rpc_request.h"

/* Creating and cancelling requests: for the connection code only. */

enum {
	W_RPC_REQUESTS_MAX = 65536 /* open at once, per connection */
};

/* NULL: no memory. */
struct w_rpc_request *w_rpc_request_new(struct w_connection *connection,
    struct w_rpc_document *document, const struct w_rpc_message *message,
    struct w_rpc_batch *batch);

/* The open request of this connection with that id; NULL: none. */
struct w_rpc_request *w_rpc_request_find(
    struct w_connection *connection, yyjson_val *id);

/* Calls on_cancel and frees it. */
void w_rpc_request_cancel(struct w_rpc_request *rpc_request);

/* version_negotiation.c: determines the protocol version of a request and the
 * client's capabilities. false: unknown, and the request was answered with an
 * error. */
bool w_mcp_version_negotiate(struct w_rpc_request *rpc_request);

/* Reads clientInfo and capabilities; either may be NULL. */
void w_mcp_client_read(
    struct w_mcp_client *client, yyjson_val *info, yyjson_val *capabilities);

/* false: not the name of a severity. */
bool w_mcp_level_named(yyjson_val *word, enum w_mcp_level *out_level);
const char *w_mcp_level_word(enum w_mcp_level level);

/* connection_receive.c: handles one message of a document, perhaps in a
 * batch. */
void w_connection_receive_value(struct w_connection *connection,
    struct w_rpc_document *document, yyjson_val *value,
    struct w_rpc_batch *batch);

/* Replies with an error to what never became a request. id is JSON, or NULL. */
void w_connection_refuse(struct w_connection *connection,
    struct w_rpc_batch *batch, const char *id, int code, const char *message);

/* outgoing_request.c: a response has arrived. */
void w_connection_answered(
    struct w_connection *connection, const struct w_rpc_message *message);
void w_connection_drop_outgoing(struct w_connection *connection);

#endif /* W_MCP_RPC_REQUEST_STATE_H */
