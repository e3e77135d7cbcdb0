/* SPDX-License-Identifier: Apache-2.0 */
/* One connection: opening, closing and sending. */
#include "mcp/transport/connection.h"

#include <stdlib.h>

#include "mcp/approval/approver.h"
#include "mcp/protocol/rpc_request_state.h"
#include "mcp/resources/notifier.h"
#include "mcp/runs/run_table.h"
#include "mcp/server.h"

enum {
	NOTE_MAX = 1024 * 1024
};

void
w_connection_open(struct w_connection *connection, struct w_mcp *server,
    const struct w_connection_transport *transport)
{
	*connection = (struct w_connection){
	    .server = server,
	    .transport = *transport,
	    .version = W_MCP_NEWEST_HANDSHAKE,
	    .log_level = W_MCP_LEVELS,
	    .next = server->connections,
	};
	server->connections = connection;
}

void
w_connection_forget(struct w_connection *connection)
{
	for (char **at = connection->left_env; at != NULL && *at != NULL; at++)
		free(*at);
	free(connection->left_env);
	free(connection->left_cwd);
	connection->left_env = NULL;
	connection->left_cwd = NULL;
}

void
w_connection_close(struct w_connection *connection)
{
	struct w_connection **at = &connection->server->connections;

	while (*at != NULL && *at != connection)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	*at = connection->next;
	w_notifier_drop(connection);
	while (connection->rpc_requests != NULL)
		w_rpc_request_cancel(connection->rpc_requests);
	w_mcp_runs_drop(connection);
	writ_session_close(connection->session);
	connection->session = NULL;
	w_connection_forget(connection);
	w_approver_drop(connection);
	w_connection_drop_outgoing(connection);
	w_mcp_id_table_done(&connection->by_id);
	w_mcp_id_table_done(&connection->outgoing_requests);
}

void
w_connection_notify(
    struct w_connection *connection, const char *method, const char *params)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, NOTE_MAX);
	w_buf_add_fmt(&buf,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{", method);
	w_buf_add_str(&buf, params);
	w_buf_add_str(&buf, "}}");

	/* Notifications are optional: without memory it is dropped. */
	if (!buf.failed)
		connection->transport.send(
		    connection->transport.ctx, buf.data, buf.len);
}
