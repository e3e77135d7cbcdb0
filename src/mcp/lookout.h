/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LOOKOUT_H
#define W_MCP_LOOKOUT_H

#include "mcp/exchange.h"
#include "mcp/server.h"

/*
 * Tells clients what has changed: the tools (modules, policy), a resource that
 * they subscribed to. With a handshake every peer hears of the tools; without,
 * those that listen (subscriptions/listen).
 */

/* A tools/list was answered: from now on it matters when it changes. */
void w_lookout_begin(struct w_mcp *server);
int w_lookout_fd(struct w_mcp *server); /* -1: nothing to wait for */
void w_lookout_turn(struct w_mcp *server);

/* A run has started or ended: who subscribed to it hears of that now. While it
 * goes on, the lookout sees for itself, every second. */
void w_lookout_runs(struct w_mcp *server);

/* The method subscriptions/listen. */
void w_subscriptions_listen(struct w_exchange *exchange);

/* A peer is about to go: requests of it that listen end with their result. */
void w_lookout_drop(struct w_peer *peer);
void w_lookout_free(struct w_mcp *server);

#endif /* W_MCP_LOOKOUT_H */
