/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LIFECYCLE_H
#define W_MCP_LIFECYCLE_H

#include "mcp/protocol/rpc_request.h"

/* The handshake: initialize, server/discover, ping. */

void w_method_initialize(struct w_rpc_request *rpc_request);
void w_method_discover(struct w_rpc_request *rpc_request);
void w_method_ping(struct w_rpc_request *rpc_request);
void w_method_set_level(struct w_rpc_request *rpc_request);

/* Appends a member of that name with the server's name and version. */
void w_mcp_add_server_info(struct w_buf *buf, const char *name);

#endif /* W_MCP_LIFECYCLE_H */
