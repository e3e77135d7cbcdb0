/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_NOTIFIER_H
#define W_MCP_NOTIFIER_H

#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"

/*
 * Notifies clients of changes: the list of tools (modules, policy), and
 * resources that they subscribed to. With a handshake, every connection is
 * notified of the tools; without one, only open subscriptions/listen requests.
 */

/* Called after a tools/list: from now on changes of the list matter. */
void w_notifier_begin(struct w_mcp *server);
int w_notifier_fd(struct w_mcp *server); /* -1: nothing to wait for */
void w_notifier_dispatch(struct w_mcp *server);

/* A run has started or ended: its subscribers are notified now. While it runs,
 * the notifier polls it every second. */
void w_notifier_check_runs(struct w_mcp *server);

/* The method subscriptions/listen. */
void w_method_subscriptions_listen(struct w_rpc_request *rpc_request);

/* A connection is about to close: its listen requests end with their result. */
void w_notifier_drop(struct w_connection *connection);
void w_notifier_free(struct w_mcp *server);

#endif /* W_MCP_NOTIFIER_H */
