/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LIMIT_TEXT_H
#define W_MCP_LIMIT_TEXT_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends the limit that ended a run: "memory limit 64MiB reached". */
void w_mcp_limit_add_text(struct w_buf *buf, const writ_result *result);

#endif /* W_MCP_LIMIT_TEXT_H */
