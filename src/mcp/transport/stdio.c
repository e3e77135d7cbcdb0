/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stdio transport: the client has started the server, and a message is a
 * line of standard input or output.
 *
 * Invariants
 *  1. The loop blocks in one place (poll) only.
 *  2. Only messages reach the client: its descriptors are moved away and
 *     close on exec, and accidental writes to standard output go to standard
 *     error.
 *  3. It ends when the stream is done (mcp_stream.h), the parent process has
 *     died (others may still hold the pipe), or by a signal. In all cases,
 *     everything that runs is killed first.
 */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/server.h"
#include "mcp/transport/mcp_stream.h"
#include "mcp/transport/stdio_fds.h"

#define STAGE "mcp"

enum {
	EXIT_FAILED = 1,
	EXIT_SIGNAL = 128,
};

enum {
	AT_SIGNAL = W_MCP_STREAM_FDS,
	AT_PARENT,
	POLLS
};

struct stdio {
	struct w_mcp_stream stream;
	struct w_stdio_fds fds;
	int signal; /* received; 0: none */
};

static int
stdio_prepare(struct stdio *io, struct pollfd fds[POLLS])
{
	fds[AT_SIGNAL] =
	    (struct pollfd){.fd = io->fds.signals, .events = POLLIN};
	fds[AT_PARENT] =
	    (struct pollfd){.fd = io->fds.parent, .events = POLLIN};
	return w_mcp_stream_prepare(&io->stream, fds);
}

static void
stdio_handle_end(struct stdio *io, const struct pollfd fds[POLLS])
{
	struct signalfd_siginfo info;

	if (fds[AT_SIGNAL].revents != 0 &&
	    read(io->fds.signals, &info, sizeof(info)) ==
		(ssize_t)sizeof(info)) {
		io->signal = (int)info.ssi_signo;
		io->stream.is_done = true;
	}
	if (fds[AT_PARENT].revents != 0)
		io->stream.is_done = true;
}

/* ---- terminals ---- */

static size_t
fill_terminals(struct stdio *io, struct pollfd *polls)
{
	const struct w_mcp_terminals *terminals =
	    io->stream.server->options.terminals;

	return terminals == NULL
		   ? 0
		   : terminals->fill(terminals->ctx, polls, W_MCP_TERMINAL_FDS);
}

static void
step_terminals(struct stdio *io, const struct pollfd *polls, size_t count)
{
	const struct w_mcp_terminals *terminals =
	    io->stream.server->options.terminals;

	if (terminals != NULL && count > 0)
		terminals->step(
		    terminals->ctx, polls, count, io->stream.server);
}

/* The sooner of two times; -1: none. */
static int
stdio_wait(const struct stdio *io, int ms)
{
	const struct w_mcp_terminals *terminals =
	    io->stream.server->options.terminals;
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
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && !io->stream.is_done) {
		const int ms = stdio_prepare(io, fds);
		const size_t seats = fill_terminals(io, fds + POLLS);

		if (poll(fds, POLLS + seats, stdio_wait(io, ms)) < 0 &&
		    errno != EINTR)
			return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot wait for messages");
		stdio_handle_end(io, fds);
		step_terminals(io, fds + POLLS, seats);
		if (!io->stream.is_done)
			status = w_mcp_stream_handle(&io->stream, fds, err);
	}
	return status;
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

int
w_mcp_serve_stdio(const struct w_mcp_options *options, writ_error *err)
{
	struct stdio io = {.stream = W_MCP_STREAM_INIT,
	    .fds = {.in = -1, .out = -1, .signals = -1, .parent = -1}};

	limit_malloc();
	writ_status status = w_stdio_fds_open(&io.fds, err);
	if (status == WRIT_OK)
		status = w_mcp_stream_open(
		    &io.stream, options, io.fds.in, io.fds.out, err);
	if (status == WRIT_OK) {
		io.fds.in = -1;
		io.fds.out = -1;
		status = stdio_serve(&io, err);
	}
	w_mcp_stream_close(&io.stream);
	w_stdio_fds_close(&io.fds);
	if (status != WRIT_OK)
		return EXIT_FAILED;
	return io.signal == 0 ? 0 : EXIT_SIGNAL + io.signal;
}
