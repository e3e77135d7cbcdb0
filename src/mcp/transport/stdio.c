/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stdio transport: the client has started the server, and a message is a
 * line of standard input or output.
 *
 * Invariants
 *  1. The loop blocks in one place (poll) only. If a client does not read, it
 *     is not read from either, once W_LINE_WRITER_PAUSE bytes wait.
 *  2. Only messages reach the client: its descriptors are moved away and
 *     close on exec, and accidental writes to standard output go to standard
 *     error.
 *  3. It ends when the input ends, nobody reads the output, the parent process
 *     has died (others may still hold the pipe), or by a signal. In all cases,
 *     everything that runs is killed first.
 *  4. When the input ends, the requests that were accepted are answered: those
 *     that take longer than ENDING_MS are ended, and answered with that. A
 *     client that closes its end waits for the server's end, so it must not
 *     take long; input from a file is nobody's, and takes as long as it takes.
 */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/protocol/rpc.h"
#include "mcp/runs/run_table.h"
#include "mcp/server.h"
#include "mcp/transport/connection.h"
#include "mcp/transport/line_reader.h"
#include "mcp/transport/line_writer.h"
#include "mcp/transport/rpc_id_scanner.h"
#include "mcp/transport/stdio_fds.h"

#define STAGE "mcp"

enum {
	SLICE_MS = 5,     /* for messages, before other work gets its turn */
	LAST_MS = 500,    /* for unread output at the end */
	ENDING_MS = 1000, /* for requests after the end of input */
	EXIT_FAILED = 1,
	EXIT_SIGNAL = 128,
};

enum {
	AT_IN,
	AT_OUT,
	AT_SIGNAL,
	AT_PARENT,
	AT_SERVER,
	POLLS = AT_SERVER + W_MCP_FDS
};

struct stdio {
	struct w_mcp *server;
	struct w_connection connection;
	struct w_line_reader lines;
	struct w_line_writer out;
	struct w_stdio_fds fds;
	int signal;    /* received; 0: none */
	bool has_more; /* perhaps unread whole lines */
	bool is_at_end;
	bool is_done;
	unsigned endings; /* 0: not ending; 1: requests get time; 2: ended */
	struct w_mcp_timer ending;
	struct w_rpc_id_scanner scanner; /* of a message that is too long */
};

static uint64_t
in_ms(unsigned ms)
{
	return w_mcp_now_ns() + ms * UINT64_C(1000000);
}

static void
send_line(void *ctx, const char *json, size_t len)
{
	struct stdio *io = ctx;

	w_line_writer_add(&io->out, json, len);
}

/* What only waits for the end of this iteration is not unread by the client. */
static size_t
count_waiting(void *ctx)
{
	struct stdio *io = ctx;

	w_line_writer_flush(&io->out);
	return w_line_writer_waiting(&io->out);
}

static bool
is_paused(const struct stdio *io)
{
	return w_line_writer_waiting(&io->out) >= W_LINE_WRITER_PAUSE;
}

static void
on_skip(void *ctx, const char *bytes, size_t len, bool begins)
{
	struct stdio *io = ctx;

	if (begins)
		w_rpc_id_scanner_init(&io->scanner);
	w_rpc_id_scanner_feed(&io->scanner, bytes, len);
}

/* Without its id, the client would wait for the answer forever. */
static void
refuse_long(struct stdio *io)
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
stdio_handle_line(
    struct stdio *io, enum w_line_status line, const char *text, size_t len)
{
	if (line == W_LINE_TOO_LONG)
		refuse_long(io);
	else if (len > 0)
		w_connection_receive(&io->connection, text, len);
}

/* Limited by time, not by number: starting a command takes a thousand times as
 * long as cancelling one, and cancellations must not wait behind starts. */
static void
stdio_handle_lines(struct stdio *io)
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
		stdio_handle_line(io, line, text, len);
	}
}

/* ---- the end of input ---- */

static void
ending_late(void *ctx)
{
	struct stdio *io = ctx;

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
stdio_wind_up(struct stdio *io)
{
	struct stat about;

	if (!io->is_at_end || io->has_more)
		return;
	if (io->endings == 0) {
		io->endings = 1;
		w_connection_end_input(&io->connection);
		io->ending =
		    (struct w_mcp_timer){.fire = ending_late, .ctx = io};
		if ((fstat(io->fds.in, &about) != 0 ||
			!S_ISREG(about.st_mode)) &&
		    !w_mcp_timer_set(
			&io->server->timers, &io->ending, ENDING_MS))
			io->is_done = true;
	}
	if (io->connection.rpc_requests == NULL)
		io->is_done = true;
}

static void
stdio_read_input(struct stdio *io)
{
	char *room = w_line_reader_room(&io->lines);

	if (room == NULL) {
		io->is_done = true;
		return;
	}

	io->has_more = true;
	ssize_t len = read(io->fds.in, room, W_LINE_READER_PIECE);
	if (len > 0)
		w_line_reader_added(&io->lines, (size_t)len);
	else if (len == 0 || (errno != EINTR && errno != EAGAIN))
		io->is_at_end = true;
}

static void
stdio_prepare(struct stdio *io, struct pollfd fds[POLLS])
{
	const bool wants_input = !io->has_more && !is_paused(io);

	/* Even without events, poll reports that the other end has closed. */
	fds[AT_IN] = (struct pollfd){
	    .fd = io->is_at_end && !is_paused(io) ? -1 : io->fds.in,
	    .events = wants_input ? POLLIN : POLLRDHUP};
	fds[AT_OUT] = (struct pollfd){.fd = io->out.fd,
	    .events = w_line_writer_waiting(&io->out) > 0 ? POLLOUT : 0};
	fds[AT_SIGNAL] =
	    (struct pollfd){.fd = io->fds.signals, .events = POLLIN};
	fds[AT_PARENT] =
	    (struct pollfd){.fd = io->fds.parent, .events = POLLIN};
	w_mcp_fds(io->server, fds + AT_SERVER);
}

static void
stdio_handle_events(struct stdio *io, const struct pollfd fds[POLLS])
{
	const short gone = POLLHUP | POLLERR | POLLRDHUP | POLLNVAL;
	struct signalfd_siginfo info;

	if (fds[AT_SIGNAL].revents != 0 &&
	    read(io->fds.signals, &info, sizeof(info)) ==
		(ssize_t)sizeof(info)) {
		io->signal = (int)info.ssi_signo;
		io->is_done = true;
	}
	if (fds[AT_PARENT].revents != 0)
		io->is_done = true;
	if ((fds[AT_OUT].revents & gone) != 0)
		io->is_done = true;
	if (io->is_done)
		return;

	/* A client that closes with output unread does not want the answers to
	 * its last messages either. */
	if ((fds[AT_IN].events & POLLIN) == 0)
		io->is_done = is_paused(io) && (fds[AT_IN].revents & gone) != 0;
	else if (fds[AT_IN].revents != 0)
		stdio_read_input(io);
}

/* ---- terminals ---- */

static size_t
fill_terminals(struct stdio *io, struct pollfd *polls)
{
	const struct w_mcp_terminals *terminals = io->server->options.terminals;

	return terminals == NULL
		   ? 0
		   : terminals->fill(terminals->ctx, polls, W_MCP_TERMINAL_FDS);
}

static void
step_terminals(struct stdio *io, const struct pollfd *polls, size_t count)
{
	const struct w_mcp_terminals *terminals = io->server->options.terminals;

	if (terminals != NULL && count > 0)
		terminals->step(terminals->ctx, polls, count);
}

static int
stdio_wait(struct stdio *io)
{
	const struct w_mcp_terminals *terminals = io->server->options.terminals;
	const int ms = io->has_more && !is_paused(io)
			   ? 0
			   : w_mcp_timers_wait(&io->server->timers);
	const int other_ms =
	    terminals == NULL ? -1 : terminals->wait_ms(terminals->ctx);

	if (ms < 0 || other_ms < 0)
		return ms < 0 ? other_ms : ms;
	return ms < other_ms ? ms : other_ms;
}

static writ_status
stdio_serve(struct stdio *io, writ_error *err)
{
	struct pollfd fds[POLLS + W_MCP_TERMINAL_FDS];

	while (!io->is_done) {
		stdio_prepare(io, fds);

		const size_t seats = fill_terminals(io, fds + POLLS);
		if (poll(fds, POLLS + seats, stdio_wait(io)) < 0 &&
		    errno != EINTR) {
			return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot wait for messages");
		}
		stdio_handle_events(io, fds);
		step_terminals(io, fds + POLLS, seats);
		if (!io->is_done)
			stdio_handle_lines(io);
		if (io->is_done)
			break;

		writ_status status = w_mcp_dispatch(io->server, err);
		if (status != WRIT_OK)
			return status;
		stdio_wind_up(io);
		w_line_writer_flush(&io->out);
		if (io->out.is_broken)
			io->is_done = true;
	}
	return WRIT_OK;
}

/* Answers from before the end are still delivered to a client that reads. */
static void
flush_last(struct stdio *io)
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

/* Returns memory of large messages to the system, so that an idle server stays
 * small: by default malloc() raises its mmap threshold with each large block
 * that is freed. */
static void
limit_malloc(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
	(void)mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
#endif
}

static writ_status
open_io(struct stdio *io, const struct w_mcp_options *options, writ_error *err)
{
	const struct w_connection_transport transport = {
	    .ctx = io, .send = send_line, .waiting = count_waiting};

	writ_status status = w_mcp_new(options, &io->server, err);
	if (status != WRIT_OK)
		return status;
	status = w_stdio_fds_open(&io->fds, err);
	if (status != WRIT_OK)
		return status;
	w_line_writer_open(&io->out, w_take_fd(&io->fds.out));
	w_line_reader_init(&io->lines, W_RPC_BYTES_MAX);
	io->lines.on_skip = on_skip;
	io->lines.skip_ctx = io;
	w_connection_open(&io->connection, io->server, &transport);
	return WRIT_OK;
}

int
w_mcp_serve_stdio(const struct w_mcp_options *options, writ_error *err)
{
	struct stdio io = {.out = {.fd = -1, .shared_flags = -1},
	    .fds = {.in = -1, .out = -1, .signals = -1, .parent = -1}};

	limit_malloc();
	writ_status status = open_io(&io, options, err);
	if (status == WRIT_OK)
		status = stdio_serve(&io, err);

	/* Everything is dead and recorded before we wait for the client. */
	if (io.connection.server != NULL)
		w_connection_close(&io.connection);
	w_line_writer_flush(&io.out);
	w_mcp_free(io.server);
	flush_last(&io);
	w_line_writer_close(&io.out);
	w_line_reader_done(&io.lines);
	w_stdio_fds_close(&io.fds);
	if (status != WRIT_OK)
		return EXIT_FAILED;
	return io.signal == 0 ? 0 : EXIT_SIGNAL + io.signal;
}
