/* SPDX-License-Identifier: Apache-2.0 */

/* Accepts connections from inside, and finds out where they wanted to go. */

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"

enum {
	ACCEPT_TURN = 64,
	REFUSED_TOLD = 1024, /* one record for so many */
	/* SO_ORIGINAL_DST of linux/netfilter_ipv4.h, which does not go with
	 * netinet/in.h. */
	ORIGINAL_DST = 80
};

static uint32_t refused_count;

/* Where the client wanted to go. */
static int
original_target(int fd, struct sockaddr_in *out)
{
	uint32_t len = sizeof(*out);
	const long ret = relay.start.is_redirected
			     ? w_sys5(__NR_getsockopt, fd, IPPROTO_IP,
				   ORIGINAL_DST, out, &len)
			     : w_sys3(__NR_getsockname, fd, out, &len);

	return ret == 0 && out->sin_family == AF_INET;
}

static int
is_ours(uint32_t v4)
{
	return v4 >> 17 == 0xc6120000U >> 17;
}

static void
accept_begin(struct relay_conn *conn, int fd)
{
	static const int on = 1;
	struct sockaddr_in target;

	conn->fds[0] = fd;
	conn->phase = CONN_ASKING;
	conn->began_us = relay_clock_us(CLOCK_REALTIME);
	conn->began_at_us = relay_clock_us(CLOCK_MONOTONIC);
	(void)w_sys5(
	    __NR_setsockopt, fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (!original_target(fd, &target) ||
	    relay_watch(fd, RELAY_CLIENT, relay_conn_index(conn),
		RELAY_CONN_EVENTS) < 0) {
		relay_conn_finish(conn, W_RELAY_REASON_CUT, NULL);
		return;
	}
	conn->v4 = relay_get_32((const uint8_t *)&target.sin_addr);
	conn->port = relay_get_16((const uint8_t *)&target.sin_port);
	conn->name = relay_names_of_address(conn->v4);
	if (conn->name == RELAY_NONE && is_ours(conn->v4))
		relay_conn_finish(conn, W_RELAY_REASON_NO_LOOKUP, NULL);
	else if (!relay_conn_pass(conn))
		relay_conn_ask(conn, RELAY_NONE);
}

static void
refuse_one(int fd)
{
	static const struct linger none = {.l_onoff = 1, .l_linger = 0};
	struct w_relay_record record = {.reason = W_RELAY_REASON_TOO_MANY,
	    .began_us = relay_clock_us(CLOCK_REALTIME)};

	(void)w_sys5(
	    __NR_setsockopt, fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	(void)w_sys1(__NR_close, fd);
	if (refused_count++ % REFUSED_TOLD == 0)
		relay_lines_record(&record);
}

void
relay_conns_accept(uint32_t listener)
{
	for (int i = 0; i < ACCEPT_TURN; i++) {
		const long fd = w_sys4(__NR_accept4, relay.listeners[listener],
		    NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		struct relay_conn *conn = relay_conn_take();
		if (conn == NULL)
			refuse_one((int)fd);
		else
			accept_begin(conn, (int)fd);
	}
}
