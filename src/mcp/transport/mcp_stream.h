/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_MCP_STREAM_H
#define W_MCP_MCP_STREAM_H

#include <poll.h>

#include "mcp/server.h"
#include "mcp/transport/line_reader.h"
#include "mcp/transport/line_writer.h"
#include "mcp/transport/rpc_id_scanner.h"

/*
 * A server with one client, over two descriptors: a message is a line. The
 * caller waits for the descriptors; mcp/transport/stdio.c and the library do.
 *
 * Invariants
 *  1. Nothing here blocks. If a client does not read, it is not read from
 *     either, once W_LINE_WRITER_PAUSE bytes wait.
 *  2. It is done when nobody reads the output, or the input has ended and the
 *     requests that were accepted are answered: those that take longer than
 *     ENDING_MS are ended, and answered with that. A client that closes its
 *     end waits for the server's end, so it must not take long; input from a
 *     file is nobody's, and takes as long as it takes.
 */
struct w_mcp_stream {
	struct w_mcp *server;
	struct w_connection connection;
	struct w_line_reader lines;
	struct w_line_writer out;
	int in;        /* owned */
	bool has_more; /* perhaps unread whole lines */
	bool is_at_end;
	bool is_done;
	unsigned endings; /* 0: not ending; 1: requests get time; 2: ended */
	struct w_mcp_timer ending;
	struct w_rpc_id_scanner scanner; /* of a message that is too long */
};

#define W_MCP_STREAM_INIT                                       \
	{                                                       \
		.out = {.fd = -1, .shared_flags = -1}, .in = -1 \
	}

/* Makes the server and its connection. Takes the descriptors over if it
 * succeeds: they are non-blocking then. */
writ_status w_mcp_stream_open(struct w_mcp_stream *io,
    const struct w_mcp_options *options, int in_fd, int out_fd,
    writ_error *err);

/* The descriptors to wait for, and for how long at most (milliseconds). */
enum {
	W_MCP_STREAM_IN,
	W_MCP_STREAM_OUT,
	W_MCP_STREAM_SERVER,
	W_MCP_STREAM_FDS = W_MCP_STREAM_SERVER + W_MCP_FDS
};
int w_mcp_stream_prepare(
    struct w_mcp_stream *io, struct pollfd fds[W_MCP_STREAM_FDS]);

/* Does what is due. */
writ_status w_mcp_stream_handle(struct w_mcp_stream *io,
    const struct pollfd fds[W_MCP_STREAM_FDS], writ_error *err);

/* Kills everything that runs, with its records, and delivers the answers from
 * before the end to a client that reads. */
void w_mcp_stream_close(struct w_mcp_stream *io);

#endif /* W_MCP_MCP_STREAM_H */
