/* SPDX-License-Identifier: Apache-2.0 */

/*
 * subscriptions/listen: a request that stays open. The first notification says
 * what was accepted; all notifications carry the id of the request, and only
 * what was asked for is sent. The result is sent when the subscription ends.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "mcp/resources/notifier_state.h"

enum {
	PARAMS_MAX = 512 * 1024
};

static void
listener_forget(struct w_notifier *notifier, struct w_rpc_request *rpc_request)
{
	struct w_listener **link = &notifier->listeners;

	w_subscription_remove(
	    notifier, rpc_request->connection, rpc_request, NULL);
	while (*link != NULL && (*link)->rpc_request != rpc_request)
		link = &(*link)->next;
	if (*link == NULL)
		return;
	struct w_listener *one = *link;
	*link = one->next;
	free(one);
}

static void
cancelled(struct w_rpc_request *rpc_request)
{
	listener_forget(rpc_request->server->notifier, rpc_request);
}

/* Adds the resources that exist to the list of accepted ones. */
static bool
accept_resources(struct w_notifier *notifier, struct w_rpc_request *rpc_request,
    yyjson_val *uris, struct w_buf *accepted)
{
	size_t i;
	size_t count;
	yyjson_val *uri;
	const char *comma = "";

	yyjson_arr_foreach(uris, i, count, uri)
	{
		struct w_mcp_resource resource;
		struct w_mcp_run *run;

		if (!yyjson_is_str(uri) ||
		    !w_mcp_resource_parse_uri(
			yyjson_get_str(uri), yyjson_get_len(uri), &resource) ||
		    !w_mcp_resource_find(
			rpc_request->connection, &resource, &run) ||
		    !w_subscription_has_room(notifier, rpc_request->connection))
			continue;
		if (!w_subscription_add(notifier, rpc_request->connection,
			rpc_request, uri, &resource))
			return false;
		w_buf_add_str(accepted, comma);
		w_json_add_string(
		    accepted, yyjson_get_str(uri), yyjson_get_len(uri));
		comma = ",";
	}
	return true;
}

static bool
accept_all(struct w_notifier *notifier, struct w_listener *listener,
    yyjson_val *wanted, struct w_buf *params)
{
	yyjson_val *uris = yyjson_obj_get(wanted, "resourceSubscriptions");
	bool is_done = true;

	w_buf_add_str(params, "\"notifications\":{");
	if (listener->has_tools)
		w_buf_add_str(params, "\"toolsListChanged\":true");
	if (yyjson_arr_size(uris) > 0) {
		w_buf_add_str(params, listener->has_tools ? "," : "");
		w_buf_add_str(params, "\"resourceSubscriptions\":[");
		is_done = accept_resources(
		    notifier, listener->rpc_request, uris, params);
		w_buf_add_char(params, ']');
	}
	w_buf_add_fmt(params,
	    "},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}",
	    listener->rpc_request->id);
	return is_done && !params->failed;
}

static struct w_listener *
add_listener(struct w_notifier *notifier, struct w_rpc_request *rpc_request,
    yyjson_val *wanted)
{
	struct w_listener *listener =
	    notifier == NULL ? NULL : calloc(1, sizeof(*listener));

	if (listener == NULL)
		return NULL;
	listener->rpc_request = rpc_request;
	listener->has_tools =
	    yyjson_is_true(yyjson_obj_get(wanted, "toolsListChanged"));
	listener->next = notifier->listeners;
	notifier->listeners = listener;
	rpc_request->on_cancel = cancelled;
	return listener;
}

void
w_method_subscriptions_listen(struct w_rpc_request *rpc_request)
{
	yyjson_val *wanted =
	    yyjson_obj_get(rpc_request->params, "notifications");
	yyjson_val *uris = yyjson_obj_get(wanted, "resourceSubscriptions");
	struct w_notifier *notifier = w_notifier_get(rpc_request->server);
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	if (!yyjson_is_obj(wanted) || (uris != NULL && !yyjson_is_arr(uris))) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "'notifications' has to be an object, and its "
		    "'resourceSubscriptions' a list");
		return;
	}
	struct w_listener *listener =
	    add_listener(notifier, rpc_request, wanted);
	if (listener == NULL ||
	    !accept_all(notifier, listener, wanted, &params)) {
		if (listener != NULL)
			listener_forget(notifier, rpc_request);
		rpc_request->on_cancel = NULL;
		w_rpc_request_fail(rpc_request, W_RPC_INTERNAL, NULL,
		    "there is no memory to listen");
		return;
	}
	w_connection_notify(rpc_request->connection,
	    "notifications/subscriptions/acknowledged", params.data);
	w_notifier_begin(rpc_request->server);
}

void
w_listeners_notify_tools(struct w_notifier *notifier)
{
	for (const struct w_listener *one = notifier->listeners; one != NULL;
	     one = one->next) {
		if (one->has_tools)
			w_notifier_notify(one->rpc_request->connection,
			    one->rpc_request,
			    "notifications/tools/list_changed", "");
	}
}

void
w_listeners_end(
    struct w_notifier *notifier, const struct w_connection *connection)
{
	struct w_listener *one = notifier->listeners;

	while (one != NULL) {
		struct w_listener *next = one->next;
		struct w_rpc_request *rpc_request = one->rpc_request;

		if (rpc_request->connection == connection) {
			listener_forget(notifier, rpc_request);
			rpc_request->on_cancel = NULL;
			w_rpc_request_reply(rpc_request, "", 0);
		}
		one = next;
	}
}
