/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_NOTIFIER_H
#define W_MCP_NOTIFIER_H

#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"

/*
 * Tells clients what has changed: the tools (modules, policy), a resource that
 * they subscribed to. With a handshake every peer hears of the tools; without,
 * those that listen (subscriptions/listen).
 */

/* A tools/list was answered: from now on it matters when it changes. */
void w_notifier_begin(struct w_mcp *server);
int w_notifier_fd(struct w_mcp *server); /* -1: nothing to wait for */
void w_notifier_dispatch(struct w_mcp *server);

/* A run has started or ended: who subscribed to it hears of that now. While it
 * goes on, the lookout sees for itself, every second. */
void w_notifier_check_runs(struct w_mcp *server);

/* The method subscriptions/listen. */
void w_method_subscriptions_listen(struct w_rpc_request *rpc_request);

/* A peer is about to go: requests of it that listen end with their result. */
void w_notifier_drop(struct w_connection *connection);
void w_notifier_free(struct w_mcp *server);

#endif /* W_MCP_NOTIFIER_H */
