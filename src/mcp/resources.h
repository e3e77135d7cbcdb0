/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RESOURCES_H
#define W_MCP_RESOURCES_H

#include "mcp/exchange.h"
#include "mcp/resource_uri.h"
#include "mcp/runs.h"

/* What a client can read besides the answers to its calls: its own runs, the
 * record of them, the policies in force. */

/* The methods. */
void w_resources_list(struct w_exchange *exchange);
void w_resources_templates(struct w_exchange *exchange);
void w_resources_read(struct w_exchange *exchange);
void w_resources_subscribe(struct w_exchange *exchange);
void w_resources_unsubscribe(struct w_exchange *exchange);

/* The resource that the parameter "uri" names and that this client may see.
 * *out_run is its run; NULL: it has none. false: answered with what is wrong.
 */
bool w_resource_asked(struct w_exchange *exchange,
    struct w_resource *out_resource, struct w_mcp_run **out_run);

/* Whether there is such a resource for a peer, now. */
bool w_resource_find(struct w_peer *peer, const struct w_resource *resource,
    struct w_mcp_run **out_run);

/* resource_audit.c: appends the last records that are about runs of this peer,
 * the oldest first, as a JSON array. */
writ_status w_resource_add_audit(
    struct w_buf *buf, struct w_peer *peer, writ_error *err);

#endif /* W_MCP_RESOURCES_H */
