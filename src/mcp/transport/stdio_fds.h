/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_STDIO_FDS_H
#define W_MCP_STDIO_FDS_H

#include <signal.h>

#include <writ/error.h>

/* The descriptors of a stdio server. */
struct w_stdio_fds {
	int in;        /* its input, no longer descriptor 0 */
	int out;       /* its output, no longer descriptor 1 */
	int signals;   /* SIGTERM, SIGINT, SIGHUP */
	int parent;    /* readable when the parent has died; -1: unknown */
	sigset_t mask; /* previous signal mask */
};

writ_status w_stdio_fds_open(struct w_stdio_fds *fds, writ_error *err);
void w_stdio_fds_close(struct w_stdio_fds *fds);

#endif /* W_MCP_STDIO_FDS_H */
