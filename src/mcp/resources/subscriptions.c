/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Subscriptions to resources. A client is notified of a run at most once a
 * second, and of its end at once. A client that does not read is notified when
 * it does again.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "mcp/resources/notifier_state.h"
#include "mcp/runs/run_table_state.h"

enum {
	PARAMS_MAX = 4 * 1024,
	WAITING_MAX = 64 * 1024,
};

#define NS_PER_MS UINT64_C(1000000)
#define GONE      UINT64_MAX

static void subscriptions_check_all(void *ctx);

/* ---- state of a resource ---- */

/* *out_is_live: it still changes by itself. */
static uint64_t
mark_of(struct w_notifier *notifier, struct w_connection *connection,
    const struct w_mcp_resource *resource, bool *out_is_live)
{
	struct w_mcp_run *run;
	const struct w_mcp_runs *runs = notifier->server->runs;

	*out_is_live = false;
	if (!w_mcp_resource_find(connection, resource, &run))
		return GONE;
	if (resource->kind == W_MCP_RESOURCE_POLICY)
		return notifier->policies;
	if (run == NULL)
		return runs == NULL
			   ? 0
			   : runs->started << 16 ^ runs->running.count << 1;
	*out_is_live = run->result == NULL;
	const uint64_t out = w_mcp_run_bytes(run, WRIT_STDOUT);
	const uint64_t error = w_mcp_run_bytes(run, WRIT_STDERR);
	const uint64_t bytes = resource->kind == W_MCP_RESOURCE_STDOUT ? out
			       : resource->kind == W_MCP_RESOURCE_STDERR
				   ? error
				   : out + error;
	return bytes << 1 | (*out_is_live ? 0 : 1);
}

/* ---- the list ---- */

bool
w_subscription_has_room(
    const struct w_notifier *notifier, const struct w_connection *connection)
{
	size_t count = 0;

	for (const struct w_subscription *one = notifier->subscriptions;
	     one != NULL; one = one->next)
		count += one->connection == connection;
	return count < W_SUBSCRIPTIONS_MAX;
}

bool
w_subscription_add(struct w_notifier *notifier, struct w_connection *connection,
    struct w_rpc_request *listener, yyjson_val *uri,
    const struct w_mcp_resource *resource)
{
	struct w_subscription *one;
	bool is_live;

	if (listener == NULL)
		w_subscription_remove(
		    notifier, connection, NULL, yyjson_get_str(uri));
	one = calloc(1, sizeof(*one));
	if (one == NULL)
		return false;
	one->connection = connection;
	one->listener = listener;
	one->resource = *resource;
	memcpy(one->uri, yyjson_get_str(uri), yyjson_get_len(uri));
	one->mark = mark_of(notifier, connection, resource, &is_live);
	one->next = notifier->subscriptions;
	notifier->subscriptions = one;
	notifier->check.fire = subscriptions_check_all;
	notifier->check.ctx = notifier;
	return w_mcp_timer_set(
	    &notifier->server->timers, &notifier->check, W_NOTIFIER_CHECK_MS);
}

void
w_subscription_remove(struct w_notifier *notifier,
    const struct w_connection *connection, const struct w_rpc_request *listener,
    const char *uri)
{
	struct w_subscription **link = &notifier->subscriptions;

	while (*link != NULL) {
		struct w_subscription *one = *link;

		if (one->connection != connection ||
		    one->listener != listener ||
		    (uri != NULL && strcmp(one->uri, uri) != 0)) {
			link = &one->next;
			continue;
		}
		*link = one->next;
		free(one);
	}
}

/* ---- notifying ---- */

static void
subscriptions_check_one(
    struct w_notifier *notifier, struct w_subscription *one, uint64_t now_ns)
{
	const struct w_connection_transport *transport =
	    &one->connection->transport;
	bool is_live;
	const uint64_t mark =
	    mark_of(notifier, one->connection, &one->resource, &is_live);

	/* With more than one answer in flight, the client does not keep up. */
	if (mark == one->mark ||
	    transport->waiting(transport->ctx) > WAITING_MAX ||
	    (is_live && one->notified_ns != 0 &&
		now_ns - one->notified_ns < W_NOTIFIER_CHECK_MS * NS_PER_MS))
		return;
	one->mark = mark;
	one->notified_ns = now_ns;

	W_AUTO_BUF struct w_buf params;
	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_str(&params, "\"uri\":");
	w_json_add_text(&params, one->uri);
	w_notifier_notify(one->connection, one->listener,
	    "notifications/resources/updated", params.data);
}

void
w_subscriptions_check(struct w_notifier *notifier)
{
	const uint64_t now_ns = w_mcp_now_ns();

	for (struct w_subscription *one = notifier->subscriptions; one != NULL;
	     one = one->next)
		subscriptions_check_one(notifier, one, now_ns);
}

static void
subscriptions_check_all(void *ctx)
{
	struct w_notifier *notifier = ctx;

	w_subscriptions_check(notifier);
	if (notifier->subscriptions != NULL)
		(void)w_mcp_timer_set(&notifier->server->timers,
		    &notifier->check, W_NOTIFIER_CHECK_MS);
}

/* ---- methods ---- */

void
w_method_resources_subscribe(struct w_rpc_request *rpc_request)
{
	struct w_notifier *notifier = w_notifier_get(rpc_request->server);
	struct w_mcp_resource resource;
	struct w_mcp_run *run;

	if (!w_mcp_resource_from_params(rpc_request, &resource, &run))
		return;
	if (resource.kind == W_MCP_RESOURCE_POLICY)
		w_notifier_begin(rpc_request->server);
	if (notifier == NULL ||
	    !w_subscription_has_room(notifier, rpc_request->connection) ||
	    !w_subscription_add(notifier, rpc_request->connection, NULL,
		yyjson_obj_get(rpc_request->params, "uri"), &resource))
		w_rpc_request_fail(rpc_request, W_RPC_INTERNAL, NULL,
		    "there are %d subscriptions already, or no memory for one",
		    W_SUBSCRIPTIONS_MAX);
	else
		w_rpc_request_reply(rpc_request, "", 0);
}

void
w_method_resources_unsubscribe(struct w_rpc_request *rpc_request)
{
	yyjson_val *uri = yyjson_obj_get(rpc_request->params, "uri");

	if (!yyjson_is_str(uri)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "'uri' has to be a string");
		return;
	}
	if (rpc_request->server->notifier != NULL)
		w_subscription_remove(rpc_request->server->notifier,
		    rpc_request->connection, NULL, yyjson_get_str(uri));
	w_rpc_request_reply(rpc_request, "", 0);
}
