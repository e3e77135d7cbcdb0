/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_NOTIFIER_STATE_H
#define W_MCP_NOTIFIER_STATE_H

#include <writ/watch.h>

#include "mcp/resources/notifier.h"
#include "mcp/resources/resource_methods.h"

enum {
	W_SUBSCRIPTIONS_MAX = 1000, /* of one peer */
	W_NOTIFIER_CHECK_MS = 1000,
};

/* Who wants to hear of a resource: a peer, or one of its requests to listen. */
struct w_subscription {
	struct w_connection *connection;
	struct w_rpc_request *listener; /* NULL: the peer itself */
	struct w_mcp_resource resource;
	char uri[W_MCP_RESOURCE_URI_MAX + 1];
	uint64_t mark;    /* how it was when it was last told */
	uint64_t told_ns; /* when that was; 0: never */
	struct w_subscription *next;
};

/* A request to listen that is open. */
struct w_listener {
	struct w_rpc_request *rpc_request;
	bool has_tools; /* wants to hear of the tools */
	struct w_listener *next;
};

struct w_notifier {
	struct w_mcp *server;
	writ_watch *watch; /* NULL: not begun, or it cannot be */
	bool has_begun;
	uint64_t policies;         /* how often they have changed */
	struct w_mcp_timer settle; /* after a change, until it is whole */
	struct w_mcp_timer look;   /* at what was subscribed to */
	struct w_subscription *subscriptions;
	struct w_listener *listeners;
};

/* The server's, made when it is first needed. NULL: no memory. */
struct w_notifier *w_notifier_get(struct w_mcp *server);

/* false: no memory, or there are too many. */
bool w_subscription_add(struct w_notifier *notifier,
    struct w_connection *connection, struct w_rpc_request *listener,
    yyjson_val *uri, const struct w_mcp_resource *resource);

/* Those of a peer that have this listener and, unless it is NULL, this uri. */
void w_subscription_remove(struct w_notifier *notifier,
    const struct w_connection *connection, const struct w_rpc_request *listener,
    const char *uri);
bool w_subscription_has_room(
    const struct w_notifier *notifier, const struct w_connection *connection);

/* Looks at all of them, and tells what has changed. */
void w_subscriptions_check(struct w_notifier *notifier);

/* Tells a peer, or one of its listeners. params: the inside of an object, or
 * "". */
void w_notifier_notify(struct w_connection *connection,
    const struct w_rpc_request *listener, const char *method,
    const char *params);

/* listener.c: those who listen hear of the tools; and, those of a peer, that it
 * is over. */
void w_listeners_notify_tools(struct w_notifier *notifier);
void w_listeners_end(
    struct w_notifier *notifier, const struct w_connection *connection);

#endif /* W_MCP_NOTIFIER_STATE_H */
