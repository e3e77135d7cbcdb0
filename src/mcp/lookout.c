/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What changes outside: files of policies and modules. Whoever changes them
 * seldom does it with one write, so a change is looked at when nothing has
 * followed for a moment; and that tools are other ones is said when they are.
 */

#include "mcp/lookout.h"

#include <poll.h>
#include <stdlib.h>

#include "mcp/catalogue.h"
#include "mcp/lookout_state.h"

enum {
	SETTLE_MS = 100,
	NOTE_MAX = 8 * 1024,
};

static void settled(void *ctx);

struct w_lookout *
w_lookout_of(struct w_mcp *server)
{
	struct w_lookout *lookout = server->lookout;

	if (lookout != NULL)
		return lookout;
	lookout = calloc(1, sizeof(*lookout));
	if (lookout == NULL)
		return NULL;
	lookout->server = server;
	lookout->settle = (struct w_mcp_timer){.fire = settled, .ctx = lookout};
	server->lookout = lookout;
	return lookout;
}

void
w_lookout_tell(struct w_peer *peer, const struct w_exchange *listener,
    const char *method, const char *params)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, NOTE_MAX);
	w_buf_add_str(&buf, params);
	if (listener != NULL)
		w_buf_add_fmt(&buf,
		    "%s\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"
		    "%s}",
		    params[0] == '\0' ? "" : ",", listener->id);
	if (!buf.failed)
		w_peer_notify(peer, method, buf.data);
}

/* ---- tools ---- */

static void
tell_tools(struct w_lookout *lookout)
{
	static const char method[] = "notifications/tools/list_changed";

	for (struct w_peer *peer = lookout->server->peers; peer != NULL;
	     peer = peer->next) {
		if (peer->has_handshake)
			w_lookout_tell(peer, NULL, method, "");
	}
	w_listeners_tell_tools(lookout);
}

static void
settled(void *ctx)
{
	struct w_lookout *lookout = ctx;

	if (w_catalogue_refresh(lookout->server))
		tell_tools(lookout);
	w_subscriptions_look(lookout);
}

/* ---- the loop ---- */

/* Where it cannot be watched, nothing is told: a client asks again when it
 * likes. */
void
w_lookout_begin(struct w_mcp *server)
{
	struct w_lookout *lookout = w_lookout_of(server);

	if (lookout == NULL || lookout->has_begun)
		return;
	lookout->has_begun = true;
	if (writ_watch_new(server->options.config, server->cwd, NULL,
		&lookout->watch, NULL) != WRIT_OK)
		lookout->watch = NULL;
}

int
w_lookout_fd(struct w_mcp *server)
{
	const struct w_lookout *lookout = server->lookout;

	return lookout == NULL || lookout->watch == NULL
		   ? -1
		   : writ_watch_fd(lookout->watch);
}

void
w_lookout_turn(struct w_mcp *server)
{
	struct w_lookout *lookout = server->lookout;
	struct pollfd files = {.fd = w_lookout_fd(server), .events = POLLIN};

	if (files.fd < 0 || poll(&files, 1, 0) <= 0)
		return;
	const unsigned changed = writ_watch_take(lookout->watch);
	if ((changed & WRIT_CHANGED_POLICY) != 0)
		lookout->policies++;
	if (changed != 0)
		(void)w_mcp_timer_set(
		    &server->timers, &lookout->settle, SETTLE_MS);
}

void
w_lookout_runs(struct w_mcp *server)
{
	struct w_lookout *lookout = server->lookout;

	if (lookout != NULL && lookout->subscriptions != NULL)
		(void)w_mcp_timer_set(&server->timers, &lookout->look, 0);
}

void
w_lookout_drop(struct w_peer *peer)
{
	struct w_lookout *lookout = peer->server->lookout;

	if (lookout == NULL)
		return;
	w_listeners_end(lookout, peer);
	w_subscription_remove(lookout, peer, NULL, NULL);
}

void
w_lookout_free(struct w_mcp *server)
{
	struct w_lookout *lookout = server->lookout;

	if (lookout == NULL)
		return;
	w_mcp_timer_stop(&server->timers, &lookout->settle);
	w_mcp_timer_stop(&server->timers, &lookout->look);
	writ_watch_free(lookout->watch);
	free(lookout);
	server->lookout = NULL;
}
