/* SPDX-License-Identifier: Apache-2.0 */
/* Messages as lines over two descriptors. mcp_stream.h has what it promises. */
#include "mcp/transport/mcp_stream.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/protocol/rpc.h"
#include "mcp/runs/run_table.h"

enum {
	SLICE_MS = 5,     /* for messages, before other work gets its turn */
	LAST_MS = 500,    /* for unread output at the end */
	ENDING_MS = 1000, /* for requests after the end of input */
};

static uint64_t
in_ms(unsigned ms)
{
	return w_mcp_now_ns() + ms * UINT64_C(1000000);
}

static void
send_line(void *ctx, const char *json, size_t len)
{
	struct w_mcp_stream *io = ctx;

	w_line_writer_add(&io->out, json, len);
}

/* What only waits for the end of this iteration is not unread by the client. */
static size_t
count_waiting(void *ctx)
{
	struct w_mcp_stream *io = ctx;

	w_line_writer_flush(&io->out);
	return w_line_writer_waiting(&io->out);
}

static bool
is_paused(const struct w_mcp_stream *io)
{
	return w_line_writer_waiting(&io->out) >= W_LINE_WRITER_PAUSE;
}

static void
on_skip(void *ctx, const char *bytes, size_t len, bool begins)
{
	struct w_mcp_stream *io = ctx;

	if (begins)
		w_rpc_id_scanner_init(&io->scanner);
	w_rpc_id_scanner_feed(&io->scanner, bytes, len);
}

/* Without its id, the client would wait for the answer forever. */
static void
refuse_long(struct w_mcp_stream *io)
{
	W_AUTO_FREE char *id = w_rpc_id_scanner_take(&io->scanner);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 2 * W_RPC_ID_SCANNER_MAX);
	w_rpc_add_error(&buf, id, W_RPC_INVALID,
	    "the message is longer than 64 MiB, or than memory allows", NULL);
	if (!buf.failed)
		send_line(io, buf.data, buf.len);
}

/* Blank lines between messages are ignored. */
static void
mcp_stream_handle_line(struct w_mcp_stream *io, enum w_line_status line,
    const char *text, size_t len)
{
	if (line == W_LINE_TOO_LONG)
		refuse_long(io);
	else if (len > 0)
		w_connection_receive(&io->connection, text, len);
}

/* Limited by time, not by number: starting a command takes a thousand times as
 * long as cancelling one, and cancellations must not wait behind starts. */
static void
mcp_stream_handle_lines(struct w_mcp_stream *io)
{
	const uint64_t until = in_ms(SLICE_MS);
	const char *text = NULL;
	size_t len = 0;

	while (!is_paused(io) && w_mcp_now_ns() < until) {
		enum w_line_status line =
		    w_line_reader_next(&io->lines, &text, &len);
		if (line == W_LINE_NONE && io->is_at_end)
			line = w_line_reader_last(&io->lines, &text, &len);
		io->has_more = line != W_LINE_NONE;
		if (!io->has_more)
			break;
		mcp_stream_handle_line(io, line, text, len);
	}
}

/* ---- the end of input ---- */

static void
ending_late(void *ctx)
{
	struct w_mcp_stream *io = ctx;

	/* The second time, something does not end: nobody waits for it. */
	if (++io->endings > 2) {
		io->is_done = true;
		return;
	}
	w_mcp_runs_kill(&io->connection);
	(void)w_mcp_timer_set(&io->server->timers, &io->ending, ENDING_MS);
}

/* No message comes any more: ends when the last request was answered. */
static void
mcp_stream_wind_up(struct w_mcp_stream *io)
{
	struct stat about;

	if (!io->is_at_end || io->has_more)
		return;
	if (io->endings == 0) {
		io->endings = 1;
		w_connection_end_input(&io->connection);
		io->ending =
		    (struct w_mcp_timer){.fire = ending_late, .ctx = io};
		if ((fstat(io->in, &about) != 0 || !S_ISREG(about.st_mode)) &&
		    !w_mcp_timer_set(
			&io->server->timers, &io->ending, ENDING_MS))
			io->is_done = true;
	}
	if (io->connection.rpc_requests == NULL)
		io->is_done = true;
}

static void
mcp_stream_read_input(struct w_mcp_stream *io)
{
	char *room = w_line_reader_room(&io->lines);

	if (room == NULL) {
		io->is_done = true;
		return;
	}

	io->has_more = true;
	ssize_t len = read(io->in, room, W_LINE_READER_PIECE);
	if (len > 0)
		w_line_reader_added(&io->lines, (size_t)len);
	else if (len == 0 || (errno != EINTR && errno != EAGAIN))
		io->is_at_end = true;
}

int
w_mcp_stream_prepare(
    struct w_mcp_stream *io, struct pollfd fds[W_MCP_STREAM_FDS])
{
	const bool wants_input = !io->has_more && !is_paused(io);

	/* Even without events, poll reports that the other end has closed. */
	fds[W_MCP_STREAM_IN] =
	    (struct pollfd){.fd = io->is_at_end && !is_paused(io) ? -1 : io->in,
		.events = wants_input ? POLLIN : POLLRDHUP};
	fds[W_MCP_STREAM_OUT] = (struct pollfd){.fd = io->out.fd,
	    .events = w_line_writer_waiting(&io->out) > 0 ? POLLOUT : 0};
	w_mcp_fds(io->server, fds + W_MCP_STREAM_SERVER);
	return io->has_more && !is_paused(io)
		   ? 0
		   : w_mcp_timers_wait(&io->server->timers);
}

static void
mcp_stream_handle_events(
    struct w_mcp_stream *io, const struct pollfd fds[W_MCP_STREAM_FDS])
{
	const short gone = POLLHUP | POLLERR | POLLRDHUP | POLLNVAL;
	const struct pollfd *in = &fds[W_MCP_STREAM_IN];

	if ((fds[W_MCP_STREAM_OUT].revents & gone) != 0) {
		io->is_done = true;
		return;
	}
	/* A client that closes with output unread does not want the answers to
	 * its last messages either. */
	if ((in->events & POLLIN) == 0)
		io->is_done = is_paused(io) && (in->revents & gone) != 0;
	else if (in->revents != 0)
		mcp_stream_read_input(io);
}

writ_status
w_mcp_stream_handle(struct w_mcp_stream *io,
    const struct pollfd fds[W_MCP_STREAM_FDS], writ_error *err)
{
	mcp_stream_handle_events(io, fds);
	if (!io->is_done)
		mcp_stream_handle_lines(io);
	if (io->is_done)
		return WRIT_OK;

	writ_status status = w_mcp_dispatch(io->server, err);
	if (status != WRIT_OK)
		return status;
	mcp_stream_wind_up(io);
	w_line_writer_flush(&io->out);
	if (io->out.is_broken)
		io->is_done = true;
	return WRIT_OK;
}

/* Answers from before the end are still delivered to a client that reads. */
static void
flush_last(struct w_mcp_stream *io)
{
	const uint64_t until = in_ms(LAST_MS);

	w_line_writer_flush(&io->out);
	while (w_line_writer_waiting(&io->out) > 0 && !io->out.is_broken &&
	       w_mcp_now_ns() < until) {
		struct pollfd fd = {.fd = io->out.fd, .events = POLLOUT};

		(void)poll(&fd, 1, LAST_MS / 10);
		w_line_writer_flush(&io->out);
	}
}

writ_status
w_mcp_stream_open(struct w_mcp_stream *io, const struct w_mcp_options *options,
    int in_fd, int out_fd, writ_error *err)
{
	const struct w_connection_transport transport = {
	    .ctx = io, .send = send_line, .waiting = count_waiting};

	writ_status status = w_mcp_new(options, &io->server, err);
	if (status != WRIT_OK)
		return status;
	io->in = in_fd;
	w_line_writer_open(&io->out, out_fd);
	w_line_reader_init(&io->lines, W_RPC_BYTES_MAX);
	io->lines.on_skip = on_skip;
	io->lines.skip_ctx = io;
	w_connection_open(&io->connection, io->server, &transport);
	return WRIT_OK;
}

void
w_mcp_stream_close(struct w_mcp_stream *io)
{
	/* Everything is dead and recorded before we wait for the client. */
	if (io->connection.server != NULL)
		w_connection_close(&io->connection);
	w_line_writer_flush(&io->out);
	w_mcp_free(io->server);
	flush_last(io);
	w_line_writer_close(&io->out);
	w_line_reader_done(&io->lines);
	w_close(&io->in);
}
