/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RESOURCE_METHODS_H
#define W_MCP_RESOURCE_METHODS_H

#include "mcp/protocol/rpc_request.h"
#include "mcp/resources/resource_uri.h"
#include "mcp/runs/run_table.h"

/* Resources: the client's own runs, their audit records, and the policies in
 * force. */

void w_method_resources_list(struct w_rpc_request *rpc_request);
void w_method_resources_templates(struct w_rpc_request *rpc_request);
void w_method_resources_read(struct w_rpc_request *rpc_request);
void w_method_resources_subscribe(struct w_rpc_request *rpc_request);
void w_method_resources_unsubscribe(struct w_rpc_request *rpc_request);

/* The resource that the parameter "uri" names, if this client may see it.
 * *out_run is its run; NULL: it has none. false: the request was answered with
 * an error. */
bool w_mcp_resource_from_params(struct w_rpc_request *rpc_request,
    struct w_mcp_resource *out_resource, struct w_mcp_run **out_run);

/* Whether a resource exists now and is visible to a connection. */
bool w_mcp_resource_find(struct w_connection *connection,
    const struct w_mcp_resource *resource, struct w_mcp_run **out_run);

/* resource_audit.c: appends the last records about runs of this connection,
 * oldest first, as a JSON array. */
writ_status w_mcp_resource_add_audit(
    struct w_buf *buf, struct w_connection *connection, writ_error *err);

#endif /* W_MCP_RESOURCE_METHODS_H */
