/* SPDX-License-Identifier: Apache-2.0 */
/* One connection: how it comes and goes, and what is sent on it. */
#include "mcp/peer.h"

#include "mcp/approve.h"
#include "mcp/exchange_state.h"
#include "mcp/lookout.h"
#include "mcp/runs.h"
#include "mcp/server.h"

enum {
	NOTE_MAX = 1024 * 1024
};

void
w_peer_open(struct w_peer *peer, struct w_mcp *server,
    const struct w_peer_transport *transport)
{
	*peer = (struct w_peer){
	    .server = server,
	    .transport = *transport,
	    .version = W_MCP_NEWEST_HANDSHAKE,
	    .log_level = W_MCP_LEVELS,
	    .next = server->peers,
	};
	server->peers = peer;
}

void
w_peer_close(struct w_peer *peer)
{
	struct w_peer **at = &peer->server->peers;

	while (*at != NULL && *at != peer)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	*at = peer->next;
	w_lookout_drop(peer);
	while (peer->exchanges != NULL)
		w_exchange_cancel(peer->exchanges);
	w_runs_drop(peer);
	w_approver_drop(peer);
	w_peer_drop_asks(peer);
	w_mcp_links_done(&peer->by_id);
	w_mcp_links_done(&peer->asks);
}

void
w_peer_notify(struct w_peer *peer, const char *method, const char *params)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, NOTE_MAX);
	w_buf_add_fmt(&buf,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{", method);
	w_buf_add_str(&buf, params);
	w_buf_add_str(&buf, "}}");

	/* A client never relies on hearing of anything. */
	if (!buf.failed)
		peer->transport.send(peer->transport.ctx, buf.data, buf.len);
}
