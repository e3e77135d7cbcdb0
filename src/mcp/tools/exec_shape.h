/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_EXEC_SHAPE_H
#define W_MCP_EXEC_SHAPE_H

#include <writ/tool.h>

#include "mcp/server.h"
#include "mcp/tools/tool.h"

/*
 * `exec` in another shape: the tool of <writ/tool.h>, whose calls are queued,
 * asked about and answered like all others. It checks its arguments itself,
 * since each shape has its own error messages; and it answers when the command
 * has ended, however long that takes.
 */
struct w_mcp_shaped {
	writ_tool *made;    /* NULL: not yet */
	struct w_tool tool; /* as it is listed */
};

/* Makes it, on first use: W_MCP_SHAPE_SEED002 or _SEED003. NULL: out of memory,
 * or the server's directory is gone. */
const struct w_tool *w_mcp_shaped_get(
    struct w_mcp *server, enum w_mcp_shape shape);
void w_mcp_shaped_free(struct w_mcp *server);

#endif /* W_MCP_EXEC_SHAPE_H */
