/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_BATCH_H
#define W_MCP_RPC_BATCH_H

#include "mcp/protocol/rpc.h"
#include "mcp/transport/connection.h"

/*
 * The answer to a batch: an array, sent when the last of its requests was
 * answered or cancelled. Each request holds a reference, and so does the reader
 * of the batch. Nothing is sent for a batch of notifications only.
 */
struct w_rpc_batch;

/* Handles a whole batch: the root of a document. */
void w_rpc_batch_receive(
    struct w_connection *connection, struct w_rpc_document *document);

void w_rpc_batch_hold(struct w_rpc_batch *batch);
void w_rpc_batch_release(struct w_rpc_batch *batch);

void w_rpc_batch_add(struct w_rpc_batch *batch, const char *json, size_t len);

#endif /* W_MCP_RPC_BATCH_H */
