/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_POLICY_ANSWER_H
#define W_MCP_POLICY_ANSWER_H

#include <writ/writ.h>

#include "base/buf.h"
#include "mcp/server.h"

/* What an agent may know about the policy's decision. Of a denial: that it is
 * denied, why, and what would be allowed; nothing that writ found out about the
 * machine. */
writ_status w_mcp_policy_add_answer(struct w_mcp *server, writ_request *request,
    struct w_buf *json, struct w_buf *text, writ_error *err);

/*
 * What an agent may know of a denial: {"decision": {"decision", "message",
 * "nearest_allowed"}}. details has the whole decision at that key, with the
 * rules and paths of the policy.
 */
void w_mcp_policy_add_denial(struct w_buf *json, const char *details);

#endif /* W_MCP_POLICY_ANSWER_H */
