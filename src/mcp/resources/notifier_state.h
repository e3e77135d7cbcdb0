/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_NOTIFIER_STATE_H
#define W_MCP_NOTIFIER_STATE_H

#include <writ/watch.h>

#include "mcp/resources/notifier.h"
#include "mcp/resources/resource_methods.h"

enum {
	W_SUBSCRIPTIONS_MAX = 1000, /* per connection */
	W_NOTIFIER_CHECK_MS = 1000,
};

/* A subscription to a resource, by a connection or a listen request. */
struct w_subscription {
	struct w_connection *connection;
	struct w_rpc_request *listener; /* NULL: the connection itself */
	struct w_mcp_resource resource;
	char uri[W_MCP_RESOURCE_URI_MAX + 1];
	uint64_t mark;        /* state of the resource when last notified */
	uint64_t notified_ns; /* when that was; 0: never */
	struct w_subscription *next;
};

/* An open subscriptions/listen request. */
struct w_listener {
	struct w_rpc_request *rpc_request;
	bool has_tools; /* is notified of the tools */
	struct w_listener *next;
};

struct w_notifier {
	struct w_mcp *server;
	writ_watch *watch; /* NULL: not started, or not possible */
	bool has_begun;
	uint64_t policies;         /* counts changes of the policies */
	struct w_mcp_timer settle; /* after a change, until writes settle */
	struct w_mcp_timer check;  /* polls the subscribed resources */
	struct w_subscription *subscriptions;
	struct w_listener *listeners;
};

/* The server's notifier, created on first use. NULL: no memory. */
struct w_notifier *w_notifier_get(struct w_mcp *server);

/* false: no memory, or too many. */
bool w_subscription_add(struct w_notifier *notifier,
    struct w_connection *connection, struct w_rpc_request *listener,
    yyjson_val *uri, const struct w_mcp_resource *resource);

/* Removes those of a connection with this listener and, unless NULL, this
 * uri. */
void w_subscription_remove(struct w_notifier *notifier,
    const struct w_connection *connection, const struct w_rpc_request *listener,
    const char *uri);
bool w_subscription_has_room(
    const struct w_notifier *notifier, const struct w_connection *connection);

/* Checks all subscriptions and notifies of what has changed. */
void w_subscriptions_check(struct w_notifier *notifier);

/* Notifies a connection, or one of its listeners. params: the inside of an
 * object, or "". */
void w_notifier_notify(struct w_connection *connection,
    const struct w_rpc_request *listener, const char *method,
    const char *params);

/* listener.c: notifies the listeners of the tools; ends those of a
 * connection. */
void w_listeners_notify_tools(struct w_notifier *notifier);
void w_listeners_end(
    struct w_notifier *notifier, const struct w_connection *connection);

#endif /* W_MCP_NOTIFIER_STATE_H */
