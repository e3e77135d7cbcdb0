/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_WORKDIRS_H
#define W_MCP_WORKDIRS_H

#include <writ/draft.h>

#include "mcp/server.h"

/*
 * A working directory and environment saved under a name, if a caller asks for
 * it. There is no shell behind it: the next run just starts there. At most 64
 * names; the least recently used is dropped.
 */

/* Sets cwd and env of the draft from what is saved under name (NULL: none),
 * then from cwd (relative to that; NULL: stay) and the draft's own env, and
 * saves the outcome once the run has started. */
writ_status w_workdir_apply(struct w_mcp *server, const char *name,
    const char *cwd, writ_draft *draft, writ_error *err);
void w_workdir_save(
    struct w_mcp *server, const char *name, const writ_request *request);
void w_workdirs_free(struct w_mcp *server);

#endif /* W_MCP_WORKDIRS_H */
