/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Who wants to hear of which resource. Runs write at any rate; a client hears
 * of one at most once a second, and of its end at once. What it cannot be told
 * because it does not read is told when it does.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "mcp/lookout_state.h"
#include "mcp/runs_state.h"

enum {
	PARAMS_MAX = 4 * 1024,
	WAITING_MAX = 64 * 1024,
};

#define NS_PER_MS UINT64_C(1000000)
#define GONE      UINT64_MAX

static void look(void *ctx);

/* ---- how a resource is ---- */

static uint64_t
runs_mark(const struct w_mcp *server)
{
	const struct w_runs *runs = server->runs;

	return runs == NULL ? 0 : runs->started << 16 ^ runs->going.count << 1;
}

/* *out_is_live: it goes on changing by itself. */
static uint64_t
mark_of(struct w_lookout *lookout, struct w_peer *peer,
    const struct w_resource *resource, bool *out_is_live)
{
	struct w_mcp_run *run;

	*out_is_live = false;
	if (!w_resource_find(peer, resource, &run))
		return GONE;
	if (resource->kind == W_RESOURCE_POLICY)
		return lookout->policies;
	if (run == NULL)
		return runs_mark(lookout->server);
	*out_is_live = run->result == NULL;
	const uint64_t out = w_run_bytes(run, WRIT_STDOUT);
	const uint64_t error = w_run_bytes(run, WRIT_STDERR);
	const uint64_t bytes = resource->kind == W_RESOURCE_STDOUT ? out
			       : resource->kind == W_RESOURCE_STDERR
				   ? error
				   : out + error;
	return bytes << 1 | (*out_is_live ? 0 : 1);
}

/* ---- the list ---- */

bool
w_subscription_has_room(
    const struct w_lookout *lookout, const struct w_peer *peer)
{
	size_t count = 0;

	for (const struct w_subscription *one = lookout->subscriptions;
	     one != NULL; one = one->next)
		count += one->peer == peer;
	return count < W_SUBSCRIPTIONS_MAX;
}

bool
w_subscription_add(struct w_lookout *lookout, struct w_peer *peer,
    struct w_exchange *listener, yyjson_val *uri,
    const struct w_resource *resource)
{
	struct w_subscription *one;
	bool is_live;

	if (listener == NULL)
		w_subscription_remove(lookout, peer, NULL, yyjson_get_str(uri));
	one = calloc(1, sizeof(*one));
	if (one == NULL)
		return false;
	one->peer = peer;
	one->listener = listener;
	one->resource = *resource;
	memcpy(one->uri, yyjson_get_str(uri), yyjson_get_len(uri));
	one->mark = mark_of(lookout, peer, resource, &is_live);
	one->next = lookout->subscriptions;
	lookout->subscriptions = one;
	lookout->look.fire = look;
	lookout->look.ctx = lookout;
	return w_mcp_timer_set(
	    &lookout->server->timers, &lookout->look, W_LOOK_MS);
}

void
w_subscription_remove(struct w_lookout *lookout, const struct w_peer *peer,
    const struct w_exchange *listener, const char *uri)
{
	struct w_subscription **link = &lookout->subscriptions;

	while (*link != NULL) {
		struct w_subscription *one = *link;

		if (one->peer != peer || one->listener != listener ||
		    (uri != NULL && strcmp(one->uri, uri) != 0)) {
			link = &one->next;
			continue;
		}
		*link = one->next;
		free(one);
	}
}

/* ---- telling ---- */

/* An answer may be on its way; more than that, and it does not keep up. */
static bool
is_reading(const struct w_peer *peer)
{
	return peer->transport.waiting(peer->transport.ctx) <= WAITING_MAX;
}

static void
tell(struct w_subscription *one)
{
	W_AUTO_BUF struct w_buf params;

	w_buf_init(&params, PARAMS_MAX);
	w_buf_add_str(&params, "\"uri\":");
	w_json_add_text(&params, one->uri);
	w_lookout_tell(one->peer, one->listener,
	    "notifications/resources/updated", params.data);
}

static void
look_at(struct w_lookout *lookout, struct w_subscription *one, uint64_t now_ns)
{
	bool is_live;
	const uint64_t mark =
	    mark_of(lookout, one->peer, &one->resource, &is_live);

	if (mark == one->mark || !is_reading(one->peer) ||
	    (is_live && one->told_ns != 0 &&
		now_ns - one->told_ns < W_LOOK_MS * NS_PER_MS))
		return;
	one->mark = mark;
	one->told_ns = now_ns;
	tell(one);
}

void
w_subscriptions_look(struct w_lookout *lookout)
{
	const uint64_t now_ns = w_mcp_now_ns();

	for (struct w_subscription *one = lookout->subscriptions; one != NULL;
	     one = one->next)
		look_at(lookout, one, now_ns);
}

static void
look(void *ctx)
{
	struct w_lookout *lookout = ctx;

	w_subscriptions_look(lookout);
	if (lookout->subscriptions != NULL)
		(void)w_mcp_timer_set(
		    &lookout->server->timers, &lookout->look, W_LOOK_MS);
}

/* ---- the methods ---- */

void
w_resources_subscribe(struct w_exchange *exchange)
{
	struct w_lookout *lookout = w_lookout_of(exchange->server);
	struct w_resource resource;
	struct w_mcp_run *run;

	if (!w_resource_asked(exchange, &resource, &run))
		return;
	if (resource.kind == W_RESOURCE_POLICY)
		w_lookout_begin(exchange->server);
	if (lookout == NULL ||
	    !w_subscription_has_room(lookout, exchange->peer) ||
	    !w_subscription_add(lookout, exchange->peer, NULL,
		yyjson_obj_get(exchange->params, "uri"), &resource))
		w_exchange_fail(exchange, W_RPC_INTERNAL, NULL,
		    "there are %d subscriptions already, or no memory for one",
		    W_SUBSCRIPTIONS_MAX);
	else
		w_exchange_reply(exchange, "", 0);
}

void
w_resources_unsubscribe(struct w_exchange *exchange)
{
	yyjson_val *uri = yyjson_obj_get(exchange->params, "uri");

	if (!yyjson_is_str(uri)) {
		w_exchange_fail(
		    exchange, W_RPC_PARAMS, NULL, "'uri' has to be a string");
		return;
	}
	if (exchange->server->lookout != NULL)
		w_subscription_remove(exchange->server->lookout, exchange->peer,
		    NULL, yyjson_get_str(uri));
	w_exchange_reply(exchange, "", 0);
}
