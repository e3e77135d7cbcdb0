/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_BATCH_REPLY_H
#define W_MCP_BATCH_REPLY_H

#include "mcp/peer.h"
#include "mcp/rpc.h"

/*
 * The answer to a batch: an array, sent when the last of its requests was
 * answered or cancelled. Each of them holds it, and so does whoever is still
 * reading the batch; nothing is sent for one that had only notifications.
 */
struct w_batch_reply;

/* Takes a whole batch: the root of a document. */
void w_batch_take(struct w_peer *peer, struct w_rpc_document *document);

void w_batch_hold(struct w_batch_reply *batch);
void w_batch_leave(struct w_batch_reply *batch);

/* Adds one answer. */
void w_batch_put(struct w_batch_reply *batch, const char *json, size_t len);

#endif /* W_MCP_BATCH_REPLY_H */
