/* SPDX-License-Identifier: Apache-2.0 */

/*
 * subscriptions/listen: a request that stays open. The first thing that is said
 * is what will be; everything that follows bears the id of the request, and
 * nothing is said that was not asked for. Its result is that it is over.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "mcp/lookout_state.h"

enum {
	PARAMS_MAX = 512 * 1024
};

static void
forget(struct w_lookout *lookout, struct w_exchange *exchange)
{
	struct w_listener **link = &lookout->listeners;

	w_subscription_remove(lookout, exchange->peer, exchange, NULL);
	while (*link != NULL && (*link)->exchange != exchange)
		link = &(*link)->next;
	if (*link == NULL)
		return;
	struct w_listener *one = *link;
	*link = one->next;
	free(one);
}

static void
cancelled(struct w_exchange *exchange)
{
	forget(exchange->server->lookout, exchange);
}

/* Adds those that there are to the list of what is accepted. */
static bool
take_resources(struct w_lookout *lookout, struct w_exchange *exchange,
    yyjson_val *uris, struct w_buf *accepted)
{
	size_t i;
	size_t count;
	yyjson_val *uri;
	const char *comma = "";

	yyjson_arr_foreach(uris, i, count, uri)
	{
		struct w_resource resource;
		struct w_mcp_run *run;

		if (!yyjson_is_str(uri) ||
		    !w_resource_named(
			yyjson_get_str(uri), yyjson_get_len(uri), &resource) ||
		    !w_resource_find(exchange->peer, &resource, &run) ||
		    !w_subscription_has_room(lookout, exchange->peer))
			continue;
		if (!w_subscription_add(
			lookout, exchange->peer, exchange, uri, &resource))
			return false;
		w_buf_add_str(accepted, comma);
		w_json_add_string(
		    accepted, yyjson_get_str(uri), yyjson_get_len(uri));
		comma = ",";
	}
	return true;
}

static bool
accept_all(struct w_lookout *lookout, struct w_listener *listener,
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
		is_done =
		    take_resources(lookout, listener->exchange, uris, params);
		w_buf_add_char(params, ']');
	}
	w_buf_add_fmt(params,
	    "},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}",
	    listener->exchange->id);
	return is_done && !params->failed;
}

static struct w_listener *
add_listener(
    struct w_lookout *lookout, struct w_exchange *exchange, yyjson_val *wanted)
{
	struct w_listener *listener =
	    lookout == NULL ? NULL : calloc(1, sizeof(*listener));

	if (listener == NULL)
		return NULL;
	listener->exchange = exchange;
	listener->has_tools =
	    yyjson_is_true(yyjson_obj_get(wanted, "toolsListChanged"));
	listener->next = lookout->listeners;
	lookout->listeners = listener;
	exchange->on_cancel = cancelled;
	return listener;
}

void
w_subscriptions_listen(struct w_exchange *exchange)
{
	yyjson_val *wanted = yyjson_obj_get(exchange->params, "notifications");
	yyjson_val *uris = yyjson_obj_get(wanted, "resourceSubscriptions");
	struct w_lookout *lookout = w_lookout_of(exchange->server);
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	if (!yyjson_is_obj(wanted) || (uris != NULL && !yyjson_is_arr(uris))) {
		w_exchange_fail(exchange, W_RPC_PARAMS, NULL,
		    "'notifications' has to be an object, and its "
		    "'resourceSubscriptions' a list");
		return;
	}
	struct w_listener *listener = add_listener(lookout, exchange, wanted);
	if (listener == NULL ||
	    !accept_all(lookout, listener, wanted, &params)) {
		if (listener != NULL)
			forget(lookout, exchange);
		exchange->on_cancel = NULL;
		w_exchange_fail(exchange, W_RPC_INTERNAL, NULL,
		    "there is no memory to listen");
		return;
	}
	w_peer_notify(exchange->peer,
	    "notifications/subscriptions/acknowledged", params.data);
	w_lookout_begin(exchange->server);
}

void
w_listeners_tell_tools(struct w_lookout *lookout)
{
	for (const struct w_listener *one = lookout->listeners; one != NULL;
	     one = one->next) {
		if (one->has_tools)
			w_lookout_tell(one->exchange->peer, one->exchange,
			    "notifications/tools/list_changed", "");
	}
}

void
w_listeners_end(struct w_lookout *lookout, const struct w_peer *peer)
{
	struct w_listener *one = lookout->listeners;

	while (one != NULL) {
		struct w_listener *next = one->next;
		struct w_exchange *exchange = one->exchange;

		if (exchange->peer == peer) {
			forget(lookout, exchange);
			exchange->on_cancel = NULL;
			w_exchange_reply(exchange, "", 0);
		}
		one = next;
	}
}
