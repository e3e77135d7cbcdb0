/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The bytes of a connection. What the client says first is looked at before
 * any of it passes (MSG_PEEK), and what passes after that goes from socket to
 * socket through a pipe, without being copied. The server may speak first.
 *
 * A pipe is taken when there is much to pass, and given back when it is empty:
 * a connection that waits has none. Without a pipe bytes are copied.
 */

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/relay/net_address.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"
#include "run/relay/tls_hello.h"

enum {
	BUFFER = 64 * 1024,
	PIPE_SIZE = 256 * 1024,
	TURN = 2 * 1024 * 1024, /* bytes, then it is others' turn */
	PIPES_KEPT = 32,
	PIPES_MAX = 4096,
	COPY_FIRST = 32 * 1024, /* few bytes are not worth a pipe */
	HEAD_MS = 60000,        /* for the rest of a first message */
	HTTPS = 443,
	HTTP = 80,
	ANSWER_LOOK = 12,
	SPLICE_NONBLOCK = 3 /* and MOVE */
};

static uint8_t *buffer;
static uint8_t *scratch;
static int kept[PIPES_KEPT][2];
static uint32_t kept_count;
static uint32_t pipes; /* in use and kept */

void
relay_flow_init(void)
{
	buffer = relay_map(BUFFER);
	scratch = relay_map(TLS_HELLO_MAX);
}

/* ---- pipes ---- */

static int
flow_take_pipe(struct conn_flow *flow)
{
	if (flow->pipe[0] >= 0)
		return 1;
	if (kept_count > 0) {
		kept_count--;
		flow->pipe[0] = kept[kept_count][0];
		flow->pipe[1] = kept[kept_count][1];
		return 1;
	}
	if (pipes >= PIPES_MAX ||
	    w_sys2(__NR_pipe2, flow->pipe, O_CLOEXEC | O_NONBLOCK) < 0) {
		flow->pipe[0] = -1;
		return 0;
	}
	pipes++;
	/* A user has only so many pages for pipes: beyond that it stays small.
	 */
	(void)w_sys3(__NR_fcntl, flow->pipe[1], F_SETPIPE_SZ, PIPE_SIZE);
	return 1;
}

static void
flow_return_pipe(struct conn_flow *flow)
{
	if (flow->pipe[0] < 0)
		return;
	if (flow->held == 0 && kept_count < PIPES_KEPT) {
		kept[kept_count][0] = flow->pipe[0];
		kept[kept_count++][1] = flow->pipe[1];
	} else {
		(void)w_sys1(__NR_close, flow->pipe[0]);
		(void)w_sys1(__NR_close, flow->pipe[1]);
		pipes--;
	}
	flow->pipe[0] = -1;
}

void
relay_flow_done(struct relay_conn *conn)
{
	flow_return_pipe(&conn->flows[0]);
	flow_return_pipe(&conn->flows[1]);
}

/* ---- what the client says first ---- */

static void
flow_refuse(
    struct relay_conn *conn, enum w_relay_reason reason, const char *other)
{
	relay_conn_finish(conn, reason, other);
}

static void
clear_all(struct relay_conn *conn, int is_unchecked)
{
	conn->check = CHECK_DONE;
	conn->is_unchecked = (uint8_t)is_unchecked;
	conn->flows[0].cleared = UINT64_MAX;
	relay_conn_set_due(conn, 0);
}

/* A client that goes to a listed address names no host. */
static void
check_tls(struct relay_conn *conn, size_t len)
{
	char name[TLS_NAME_MAX + 1], room[NET_ADDRESS_TEXT];
	const char *host = relay_conn_host(conn, room);
	size_t name_len = 0;

	switch (tls_hello_read(buffer, len, scratch, name, &name_len)) {
	case TLS_HELLO_MORE:
		return;
	case TLS_HELLO_NAMED:
		if (relay_name_is(name, name_len, host, relay_text_len(host)))
			clear_all(conn, 0);
		else
			flow_refuse(conn, W_RELAY_REASON_SNI_OTHER, name);
		return;
	case TLS_HELLO_NAMELESS:
		if (conn->port == HTTPS && conn->name != RELAY_NONE)
			flow_refuse(conn, W_RELAY_REASON_SNI_MISSING, NULL);
		else
			clear_all(conn, 1);
		return;
	case TLS_HELLO_ECH:
		flow_refuse(conn, W_RELAY_REASON_ECH, NULL);
		return;
	case TLS_HELLO_BAD:
		flow_refuse(conn, W_RELAY_REASON_TLS_BAD, NULL);
		return;
	}
}

static void
check_http(struct relay_conn *conn, size_t len)
{
	char room[NET_ADDRESS_TEXT];
	const char *host = relay_conn_host(conn, room);
	struct http_look look;

	http_watch_look(
	    &conn->http, buffer, len, host, relay_text_len(host), &look);
	if (look.refused == W_RELAY_REASON_HTTP_MISSING && conn->port != HTTP &&
	    conn->http.requests == 0) {
		clear_all(conn, 1);
		return;
	}
	if (look.refused != W_RELAY_REASON_NONE) {
		flow_refuse(
		    conn, look.refused, look.other_len > 0 ? look.other : NULL);
		return;
	}
	conn->flows[0].cleared = look.pass;
	if (look.pass > 0)
		relay_conn_set_due(conn, 0);
	if (conn->http.state == HTTP_AT_UPGRADE)
		conn->check = CHECK_UPGRADE;
}

static void
check_start(struct relay_conn *conn, size_t len)
{
	if (buffer[0] == 0x16 && len == 1)
		return;
	if (tls_hello_is_likely(buffer, len)) {
		check_tls(conn, len);
		return;
	}
	if (conn->port == HTTPS) {
		flow_refuse(conn, W_RELAY_REASON_NOT_TLS, NULL);
		return;
	}
	switch (http_guess(buffer, len)) {
	case HTTP_MAYBE:
		return;
	case HTTP_YES:
		conn->check = CHECK_HTTP;
		check_http(conn, len);
		return;
	case HTTP_NO:
		if (conn->port == HTTP)
			flow_refuse(conn, W_RELAY_REASON_NOT_HTTP, NULL);
		else
			clear_all(conn, 1);
		return;
	}
}

/* Looks at what has come and was not cleared. It stays in the socket. */
static void
check_client(struct relay_conn *conn)
{
	const long n = w_sys6(__NR_recvfrom, conn->fds[0], (long)buffer, BUFFER,
	    MSG_PEEK | MSG_DONTWAIT, 0, 0);

	if (n == -EAGAIN || n == -EINTR)
		return;
	if (n < 0) {
		flow_refuse(conn, W_RELAY_REASON_NONE, NULL);
		return;
	}
	if (n == 0) {
		conn->flows[0].has_ended = 1;
		return;
	}
	if (conn->check == CHECK_START)
		check_start(conn, (size_t)n);
	else
		check_http(conn, (size_t)n);
	if (conn->phase != CONN_FLOWING || conn->flows[0].cleared > 0 ||
	    conn->check == CHECK_UPGRADE)
		return;
	/* A part of a message. */
	if (conn->has_left)
		flow_refuse(conn, W_RELAY_REASON_SHORT, NULL);
	else if (conn->due_ms == 0)
		relay_conn_set_due(conn, HEAD_MS);
}

/* The server's answer decides whether HTTP goes on. 0: it is not here yet. */
static int
check_answer(struct relay_conn *conn)
{
	const long n = w_sys6(__NR_recvfrom, conn->fds[1], (long)buffer,
	    ANSWER_LOOK, MSG_PEEK | MSG_DONTWAIT, 0, 0);

	if (n <= 0)
		return n != -EAGAIN && n != -EINTR;
	switch (http_watch_answer(&conn->http, buffer, (size_t)n)) {
	case 1:
		clear_all(conn, 0);
		return 1;
	case 0:
		conn->check = CHECK_HTTP;
		return 1;
	default:
		return 0;
	}
}

/* ---- passing on ---- */

/* Bytes that were passed; 0: the end; or a negative errno. */
static long
flow_copy(struct conn_flow *flow, int from, int to, size_t most)
{
	const size_t want = most < BUFFER ? most : BUFFER;
	const long n = w_sys6(__NR_recvfrom, from, (long)buffer, (long)want,
	    MSG_PEEK | MSG_DONTWAIT, 0, 0);

	if (n <= 0)
		return n;
	const long m = w_sys6(__NR_sendto, to, (long)buffer, n,
	    MSG_NOSIGNAL | MSG_DONTWAIT, 0, 0);
	if (m == -EAGAIN)
		return -ENOBUFS; /* nobody takes them */
	if (m < 0)
		return m;
	(void)w_sys6(__NR_recvfrom, from, (long)buffer, m,
	    MSG_TRUNC | MSG_DONTWAIT, 0, 0);
	flow->bytes += (uint64_t)m;
	return m;
}

static long
flow_fill(struct conn_flow *flow, int from, size_t most)
{
	const long n = w_sys6(__NR_splice, from, 0, flow->pipe[1], 0,
	    (long)(most < PIPE_SIZE ? most : PIPE_SIZE), SPLICE_NONBLOCK);

	if (n > 0)
		flow->held += (uint32_t)n;
	return n;
}

static long
flow_drain(struct conn_flow *flow, int to)
{
	const long n = w_sys6(
	    __NR_splice, flow->pipe[0], 0, to, 0, flow->held, SPLICE_NONBLOCK);

	if (n > 0) {
		flow->held -= (uint32_t)n;
		flow->bytes += (uint64_t)n;
	}
	return n;
}

/* A turn through a pipe. As flow_copy(). */
static long
flow_splice(struct conn_flow *flow, int from, int to, size_t most)
{
	long n = -EAGAIN, m = 0;

	if (most > 0 && !flow->has_ended)
		n = flow_fill(flow, from, most);
	if (flow->held > 0)
		m = flow_drain(flow, to);
	if (m < 0 && m != -EAGAIN)
		return m;
	if (n > 0 || m > 0)
		return n > m ? n : m;
	/* The end comes after what is in the pipe. */
	if (n == 0 && flow->held > 0) {
		flow->has_ended = 1;
		return -EAGAIN;
	}
	return n;
}

static int
is_splicing(const struct conn_flow *flow)
{
	return flow->held > 0 ||
	       (flow->bytes >= COPY_FIRST && flow->cleared >= BUFFER);
}

static long
flow_move(struct conn_flow *flow, int from, int to, size_t most)
{
	long n;

	if (is_splicing(flow) && flow_take_pipe(flow)) {
		const uint32_t before = flow->held;
		const uint64_t sent = flow->bytes;

		n = flow_splice(flow, from, to, most);
		/* What has left the first socket. */
		const uint64_t taken = flow->bytes - sent + flow->held - before;
		if (flow->cleared != UINT64_MAX)
			flow->cleared -= taken;
		return n;
	}
	if (most == 0 || flow->has_ended)
		return -EAGAIN;
	n = flow_copy(flow, from, to, most);
	if (n > 0 && flow->cleared != UINT64_MAX)
		flow->cleared -= (uint64_t)n;
	return n;
}

/* One direction. 0: it was reset. */
static int
flow_pump(struct relay_conn *conn, int side)
{
	struct conn_flow *flow = &conn->flows[side];
	const int from = conn->fds[side], to = conn->fds[1 - side];
	uint64_t passed = 0;

	while (!flow->is_shut) {
		const uint64_t room =
		    flow->cleared < TURN ? flow->cleared : TURN;
		const long n = flow_move(flow, from, to, (size_t)room);

		if (n == -EINTR)
			continue;
		if (n == -EAGAIN || n == -ENOBUFS)
			break;
		if (n < 0)
			return 0;
		if (n == 0) {
			flow->has_ended = 1;
			break;
		}
		passed += (uint64_t)n;
		if (passed >= TURN) {
			relay_conn_set_ready(conn);
			break;
		}
	}
	if (flow->held == 0)
		flow_return_pipe(flow);
	if (flow->has_ended && flow->held == 0 && !flow->is_shut) {
		flow->is_shut = 1;
		/* It may have closed already: then its own end tells. */
		(void)w_sys2(__NR_shutdown, to, SHUT_WR);
	}
	return 1;
}

/* From inside: as far as it is cleared, and then looks again. */
static int
pump_client(struct relay_conn *conn)
{
	struct conn_flow *flow = &conn->flows[0];

	for (;;) {
		if (flow->cleared > 0 || flow->held > 0) {
			if (!flow_pump(conn, 0))
				return 0;
			if (flow->cleared > 0 || conn->is_ready)
				return 1;
		}
		if (flow->is_shut || conn->check == CHECK_UPGRADE)
			return 1;
		if (!flow->has_ended)
			check_client(conn);
		if (conn->phase != CONN_FLOWING)
			return 1;
		if (flow->has_ended && !flow->is_shut)
			return flow_pump(conn, 0);
		if (flow->cleared == 0)
			return 1;
	}
}

void
relay_flow_pump(struct relay_conn *conn)
{
	if (conn->phase != CONN_FLOWING)
		return;
	int is_open = pump_client(conn);
	if (conn->phase != CONN_FLOWING)
		return;
	if (is_open && conn->check == CHECK_UPGRADE &&
	    conn->flows[0].cleared == 0 && conn->flows[0].held == 0) {
		if (!check_answer(conn))
			return;
		is_open = pump_client(conn);
		if (conn->phase != CONN_FLOWING)
			return;
	}
	if (is_open)
		is_open = flow_pump(conn, 1);
	if (!is_open || (conn->flows[0].is_shut && conn->flows[1].is_shut))
		relay_conn_finish(conn, W_RELAY_REASON_NONE, NULL);
}
