/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_WALL_TEXT_H
#define W_MCP_WALL_TEXT_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends what a wall refused: "write ~/.cache/x (guessed)". All front ends use
 * it; each adds how its caller asks. */
void w_mcp_wall_add_text(struct w_buf *buf, const writ_wall_denial *denial);

#endif /* W_MCP_WALL_TEXT_H */
