/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Watches policy and module files. An editor seldom changes a file with one
 * write, so a change is handled when none has followed for a moment; clients
 * are notified only if the list of tools really changed.
 */

#include "mcp/resources/notifier.h"

#include <poll.h>
#include <stdlib.h>

#include "mcp/resources/notifier_state.h"
#include "mcp/tools/tool_list.h"

enum {
	SETTLE_MS = 100,
	NOTE_MAX = 8 * 1024,
};

static void files_settled(void *ctx);

struct w_notifier *
w_notifier_get(struct w_mcp *server)
{
	struct w_notifier *notifier = server->notifier;

	if (notifier != NULL)
		return notifier;
	notifier = calloc(1, sizeof(*notifier));
	if (notifier == NULL)
		return NULL;
	notifier->server = server;
	notifier->settle =
	    (struct w_mcp_timer){.fire = files_settled, .ctx = notifier};
	server->notifier = notifier;
	return notifier;
}

void
w_notifier_notify(struct w_connection *connection,
    const struct w_rpc_request *listener, const char *method,
    const char *params)
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
		w_connection_notify(connection, method, buf.data);
}

/* ---- tools ---- */

static void
files_settled(void *ctx)
{
	struct w_notifier *notifier = ctx;

	if (w_tool_list_refresh(notifier->server)) {
		for (struct w_connection *one = notifier->server->connections;
		     one != NULL; one = one->next) {
			if (one->has_handshake)
				w_notifier_notify(one, NULL,
				    "notifications/tools/list_changed", "");
		}
		w_listeners_notify_tools(notifier);
	}
	w_subscriptions_check(notifier);
}

/* ---- event loop ---- */

/* If watching fails nothing is sent: clients can still poll. */
void
w_notifier_begin(struct w_mcp *server)
{
	struct w_notifier *notifier = w_notifier_get(server);

	if (notifier == NULL || notifier->has_begun)
		return;
	notifier->has_begun = true;
	if (writ_watch_new(server->options.config, server->cwd, NULL,
		&notifier->watch, NULL) != WRIT_OK)
		notifier->watch = NULL;
}

int
w_notifier_fd(struct w_mcp *server)
{
	const struct w_notifier *notifier = server->notifier;

	return notifier == NULL || notifier->watch == NULL
		   ? -1
		   : writ_watch_fd(notifier->watch);
}

void
w_notifier_dispatch(struct w_mcp *server)
{
	struct w_notifier *notifier = server->notifier;
	struct pollfd files = {.fd = w_notifier_fd(server), .events = POLLIN};

	if (files.fd < 0 || poll(&files, 1, 0) <= 0)
		return;
	const unsigned changed = writ_watch_take(notifier->watch);
	if ((changed & WRIT_CHANGED_POLICY) != 0)
		notifier->policies++;
	if (changed != 0)
		(void)w_mcp_timer_set(
		    &server->timers, &notifier->settle, SETTLE_MS);
}

void
w_notifier_check_runs(struct w_mcp *server)
{
	struct w_notifier *notifier = server->notifier;

	if (notifier != NULL && notifier->subscriptions != NULL)
		(void)w_mcp_timer_set(&server->timers, &notifier->check, 0);
}

void
w_notifier_drop(struct w_connection *connection)
{
	struct w_notifier *notifier = connection->server->notifier;

	if (notifier == NULL)
		return;
	w_listeners_end(notifier, connection);
	w_subscription_remove(notifier, connection, NULL, NULL);
}

void
w_notifier_free(struct w_mcp *server)
{
	struct w_notifier *notifier = server->notifier;

	if (notifier == NULL)
		return;
	w_mcp_timer_stop(&server->timers, &notifier->settle);
	w_mcp_timer_stop(&server->timers, &notifier->check);
	writ_watch_free(notifier->watch);
	free(notifier);
	server->notifier = NULL;
}
