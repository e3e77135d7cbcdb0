/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Connections, from the one that was accepted inside to the one outside.
 *
 *     accept -> ASKING -> RESOLVING -> (ASKING_ADDRESS) -> CONNECTING
 *            -> (AT_PROXY) -> FLOWING -> ENDED
 *
 * A connection is refused by a reset, at any step. Its record is made when it
 * ends, once. ENDED lasts until the events that were fetched are over: then
 * nothing points to it.
 */

#include <errno.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/relay/net_address.h"
#include "run/relay/proxy_answer.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"

enum {
	CONNECT_MS = 15000, /* for one address, if there are more */
	PROXY_MS = 30000,
	INDEX_MASK = 0xffffff
};

static void conn_try_next(struct relay_conn *conn);

/* ---- questions ---- */

void
relay_conn_ask(struct relay_conn *conn, int before)
{
	const struct relay_name *name =
	    conn->name == RELAY_NONE ? NULL : relay_name_at(conn->name);
	struct w_relay_ask ask = {
	    .kind = W_RELAY_ASK,
	    .question = conn->phase == CONN_ASKING_ADDRESS ? W_RELAY_MAY_USE
			: name == NULL ? W_RELAY_MAY_REACH_FROM
				       : W_RELAY_MAY_CONNECT,
	    .ticket = relay_ticket(
		RELAY_TICKET_CONN, conn->generation, relay_conn_index(conn)),
	    .port = conn->port,
	    .address = conn->address,
	};

	for (size_t i = 0; name != NULL && i < name->len; i++)
		ask.name[i] = relay_name_text(conn->name)[i];
	if (name == NULL) {
		ask.address.family = 4;
		relay_put_32(ask.address.bytes, conn->v4);
	}
	if (!conn->is_asked_last && relay_lines_ask(&ask, before, &conn->line))
		return;
	/* Nobody knows: the first that could ask a person does. */
	if (!conn->is_asked_last && conn->asker != 0) {
		conn->is_asked_last = 1;
		if (relay_lines_ask_last(&ask, conn->asker, &conn->line))
			return;
	}
	if (conn->phase == CONN_ASKING) {
		relay_conn_finish(conn, W_RELAY_REASON_POLICY, NULL);
		return;
	}
	if (conn->reason == W_RELAY_REASON_NONE)
		conn->reason = W_RELAY_REASON_PRIVATE;
	conn_try_next(conn);
}

void
relay_conns_ask_again(int line)
{
	for (uint32_t i = 0; i < relay_conns_used(); i++) {
		struct relay_conn *conn = relay_conn_at(i);

		if ((conn->phase == CONN_ASKING ||
			conn->phase == CONN_ASKING_ADDRESS) &&
		    conn->line == line) {
			conn->asker = 0;
			conn->is_asked_last = 0;
			relay_conn_ask(conn, RELAY_NONE);
		}
	}
}

/* ---- outside ---- */

static long
conn_connect(struct relay_conn *conn)
{
	static const int on = 1;
	const struct w_relay_address *to = &conn->address;
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
	const uint32_t port =
	    conn->is_proxied ? relay.start.proxy_port : conn->port;

	const long fd =
	    w_sys3(__NR_socket, to->family == 4 ? AF_INET : AF_INET6,
		SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	(void)w_sys5(
	    __NR_setsockopt, fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	relay_put_16((uint8_t *)&v4.sin_port, port);
	v6.sin6_port = v4.sin_port;
	for (int i = 0; i < 4; i++)
		((uint8_t *)&v4.sin_addr)[i] = to->bytes[i];
	for (int i = 0; i < 16; i++)
		v6.sin6_addr.s6_addr[i] = to->bytes[i];
	long ret = to->family == 4 ? w_sys3(__NR_connect, fd, &v4, sizeof(v4))
				   : w_sys3(__NR_connect, fd, &v6, sizeof(v6));
	if (ret == -EINPROGRESS)
		ret = 0;
	if (ret == 0)
		ret = relay_watch((int)fd, RELAY_SERVER, relay_conn_index(conn),
		    RELAY_CONN_EVENTS);
	if (ret == 0)
		conn->fds[1] = (int)fd;
	else
		(void)w_sys1(__NR_close, fd);
	return ret;
}

static void
conn_begin_connect(struct relay_conn *conn)
{
	const long ret = conn_connect(conn);

	conn->phase = CONN_CONNECTING;
	if (ret == 0) {
		relay_conn_set_due(conn, CONNECT_MS);
		return;
	}
	conn->error = (int32_t)-ret;
	conn->reason = W_RELAY_REASON_UNREACHABLE;
	conn_try_next(conn);
}

static void
conn_wait_for_name(struct relay_conn *conn, int index, int wants_v6)
{
	struct relay_name *name = relay_name_at(index);

	conn->phase = CONN_RESOLVING;
	conn->awaited = index;
	conn->next = name->waiting;
	name->waiting = relay_conn_index(conn) + 1;
	if (!name->is_asking)
		resolver_start(index, wants_v6);
}

static int
outside_name(const struct relay_conn *conn)
{
	return conn->is_proxied ? relay_names_find(relay.start.proxy_name,
				      relay_text_len(relay.start.proxy_name))
				: conn->name;
}

/* A machine may have no way to IPv4. 1: the name is looked up again. */
static int
conn_try_v6(struct relay_conn *conn)
{
	const int index = outside_name(conn);

	if (conn->has_tried_v6 || index == RELAY_NONE ||
	    conn->reason != W_RELAY_REASON_UNREACHABLE ||
	    conn->error != ENETUNREACH || conn->address.family != 4)
		return 0;
	conn->has_tried_v6 = 1;
	conn_wait_for_name(conn, index, 1);
	return 1;
}

/* The next address. Behind a proxy, whose address it is, the check for private
 * ones is the proxy's. */
static void
conn_try_next(struct relay_conn *conn)
{
	if (conn->tried < conn->count) {
		conn->address = conn->addresses[conn->tried++];
		if (conn->is_proxied ||
		    (!conn->asks_addresses &&
			!net_address_is_private(&conn->address))) {
			conn_begin_connect(conn);
			return;
		}
		conn->phase = CONN_ASKING_ADDRESS;
		relay_conn_ask(conn, RELAY_NONE);
		return;
	}
	if (conn_try_v6(conn))
		return;
	if (conn->reason == W_RELAY_REASON_PRIVATE)
		conn->address = (struct w_relay_address){.family = 0};
	relay_conn_finish(conn,
	    conn->reason == W_RELAY_REASON_NONE ? W_RELAY_REASON_NOT_FOUND
						: conn->reason,
	    NULL);
}

static void
conn_take_addresses(struct relay_conn *conn, int name)
{
	const struct relay_name *item = relay_name_at(name);

	conn->tried = 0;
	conn->count = item->count;
	for (uint32_t i = 0; i < item->count; i++)
		conn->addresses[i] = item->addresses[i];
	if (item->code != W_RELAY_REASON_NONE)
		relay_conn_finish(conn, item->code, NULL);
	else
		conn_try_next(conn);
}

static void
conn_resolve(struct relay_conn *conn)
{
	const int index = outside_name(conn);

	if (index == RELAY_NONE) {
		relay_conn_finish(conn, W_RELAY_REASON_TOO_MANY, NULL);
		return;
	}
	const struct relay_name *name = relay_name_at(index);
	if (!name->is_asking && name->until_ms > relay.now_ms) {
		conn_take_addresses(conn, index);
		return;
	}
	conn_wait_for_name(conn, index, 0);
}

void
relay_conns_resolved(int index)
{
	struct relay_name *name = relay_name_at(index);
	uint32_t at = name->waiting;

	name->waiting = 0;
	while (at != 0) {
		struct relay_conn *conn = relay_conn_at(at - 1);

		at = conn->next;
		conn->phase = CONN_CONNECTING;
		conn_take_addresses(conn, index);
	}
}

/* An upstream proxy's own name is not one that can be asked for inside. */
static void
conn_choose_way(struct relay_conn *conn)
{
	const struct w_relay_start *start = &relay.start;
	char room[NET_ADDRESS_TEXT];
	const char *host = relay_conn_host(conn, room);

	if (start->proxy_port == 0 ||
	    proxy_is_bypassed(start->direct, host, relay_text_len(host)))
		return;
	const size_t len = relay_text_len(start->proxy_name);
	const int had = relay_names_find(start->proxy_name, len);
	const int index = relay_names_add(start->proxy_name, len);
	if (had == RELAY_NONE && index != RELAY_NONE)
		relay_name_at(index)->is_hidden = 1;
	conn->is_proxied = 1;
}

static void
conn_allowed(struct relay_conn *conn)
{
	conn_choose_way(conn);
	if (conn->is_proxied || conn->name != RELAY_NONE) {
		conn_resolve(conn);
		return;
	}
	conn->address = (struct w_relay_address){.family = 4};
	relay_put_32(conn->address.bytes, conn->v4);
	conn_begin_connect(conn);
}

/* Remembers an answer that holds. */
static void
name_allow(const struct relay_conn *conn)
{
	struct relay_name *name = relay_name_at(conn->name);
	const uint32_t at = name->allowed_at++ % RELAY_ALLOWED;

	name->allowed[at].port = conn->port;
	name->allowed[at].rule = conn->rule;
	name->allowed[at].order = relay_lines_order(conn->line);
}

int
relay_conn_pass(struct relay_conn *conn)
{
	const struct relay_name *name =
	    conn->name == RELAY_NONE ? NULL : relay_name_at(conn->name);

	for (uint32_t i = 0; name != NULL && i < RELAY_ALLOWED; i++) {
		if (name->allowed[i].port != conn->port ||
		    !relay_lines_has(name->allowed[i].order))
			continue;
		conn->rule = name->allowed[i].rule;
		conn->is_allowed = 1;
		conn_allowed(conn);
		return 1;
	}
	return 0;
}

void
relay_conns_answer(const struct w_relay_answer *answer)
{
	const uint32_t index = (uint32_t)answer->ticket & INDEX_MASK;
	struct relay_conn *conn = relay_conn_at(index % RELAY_CONNS);
	const int is_yes = answer->verdict == W_RELAY_YES;

	if (index >= RELAY_CONNS ||
	    relay_ticket(RELAY_TICKET_CONN, conn->generation, index) !=
		answer->ticket)
		return;
	if (conn->phase != CONN_ASKING && conn->phase != CONN_ASKING_ADDRESS)
		return;
	if (!is_yes) {
		if (answer->verdict == W_RELAY_COULD_ASK && conn->asker == 0)
			conn->asker = relay_lines_order(conn->line);
		relay_conn_ask(conn, conn->line);
		return;
	}
	conn->asker = 0;
	conn->is_asked_last = 0;
	if (conn->phase == CONN_ASKING_ADDRESS) {
		conn_begin_connect(conn);
	} else {
		conn->rule = answer->rule;
		conn->asks_addresses = answer->asks_addresses != 0;
		conn->is_allowed = 1;
		if (answer->holds != 0 && !conn->asks_addresses &&
		    conn->name != RELAY_NONE)
			name_allow(conn);
		conn_allowed(conn);
	}
}

/* ---- connected ---- */

static void
conn_begin_flow(struct relay_conn *conn)
{
	conn->phase = CONN_FLOWING;
	relay_conn_set_due(conn, 0);
	relay_flow_pump(conn);
}

static void
proxy_begin(struct relay_conn *conn)
{
	char request[PROXY_REQUEST_MAX], room[NET_ADDRESS_TEXT];
	const size_t len = proxy_request_write(relay_conn_host(conn, room),
	    conn->port, relay.start.proxy_auth, request);

	conn->phase = CONN_AT_PROXY;
	relay_conn_set_due(conn, PROXY_MS);
	/* A new connection has room for it. */
	if (w_sys6(__NR_sendto, conn->fds[1], (long)request, (long)len,
		MSG_NOSIGNAL, 0, 0) != (long)len)
		relay_conn_finish(conn, W_RELAY_REASON_PROXY, NULL);
}

static void
proxy_read(struct relay_conn *conn)
{
	static uint8_t head[PROXY_ANSWER_MAX];
	const long n = w_sys6(__NR_recvfrom, conn->fds[1], (long)head,
	    sizeof(head), MSG_PEEK | MSG_DONTWAIT, 0, 0);

	if (n == -EAGAIN || n == -EINTR)
		return;
	const long end = n <= 0 ? -1 : proxy_answer_read(head, (size_t)n);
	if (end == 0)
		return;
	if (end < 0 || w_sys6(__NR_recvfrom, conn->fds[1], (long)head, end,
			   MSG_DONTWAIT, 0, 0) != end) {
		relay_conn_finish(conn, W_RELAY_REASON_PROXY, NULL);
		return;
	}
	conn_begin_flow(conn);
}

static void
conn_connected(struct relay_conn *conn)
{
	int error = 0;
	uint32_t len = sizeof(error);

	const long ret = w_sys5(
	    __NR_getsockopt, conn->fds[1], SOL_SOCKET, SO_ERROR, &error, &len);
	if (ret == 0 && error == 0) {
		if (conn->is_proxied)
			proxy_begin(conn);
		else
			conn_begin_flow(conn);
		return;
	}
	(void)w_sys1(__NR_close, conn->fds[1]);
	conn->fds[1] = -1;
	conn->error = ret < 0 ? (int32_t)-ret : error;
	conn->reason = W_RELAY_REASON_UNREACHABLE;
	conn_try_next(conn);
}

/* Its client has left and said nothing. One that has said something may read
 * on, or be gone: probes find out, since a person may take minutes to answer,
 * and it must not take up a place for so long. */
static int
conn_is_mute(const struct relay_conn *conn)
{
	static const int on = 1, seconds = 15;
	uint8_t byte;

	if (!conn->has_left)
		return 0;
	if (w_sys6(__NR_recvfrom, conn->fds[0], (long)&byte, 1,
		MSG_PEEK | MSG_DONTWAIT, 0, 0) == 0)
		return 1;
	(void)w_sys5(__NR_setsockopt, conn->fds[0], SOL_SOCKET, SO_KEEPALIVE,
	    &on, sizeof(on));
	(void)w_sys5(__NR_setsockopt, conn->fds[0], IPPROTO_TCP, TCP_KEEPIDLE,
	    &seconds, sizeof(seconds));
	(void)w_sys5(__NR_setsockopt, conn->fds[0], IPPROTO_TCP, TCP_KEEPINTVL,
	    &seconds, sizeof(seconds));
	return 0;
}

void
relay_conn_event(uint32_t index, int side, uint32_t events)
{
	struct relay_conn *conn = relay_conn_at(index);

	if (side == 0 && (events & EPOLLRDHUP) != 0)
		conn->has_left = 1;
	switch (conn->phase) {
	case CONN_FREE:
	case CONN_ENDED:
		return;
	case CONN_ASKING:
	case CONN_RESOLVING:
	case CONN_ASKING_ADDRESS:
		if (side == 0 && ((events & (EPOLLHUP | EPOLLERR)) != 0 ||
				     conn_is_mute(conn)))
			relay_conn_finish(conn, W_RELAY_REASON_NONE, NULL);
		return;
	case CONN_CONNECTING:
		if (side == 1 &&
		    (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0)
			conn_connected(conn);
		return;
	case CONN_AT_PROXY:
		if (side == 1)
			proxy_read(conn);
		return;
	case CONN_FLOWING:
		relay_flow_pump(conn);
		return;
	}
}

/* ---- time and turns ---- */

void
relay_conns_check_time(void)
{
	for (uint32_t i = 0; i < relay_conns_used(); i++) {
		struct relay_conn *conn = relay_conn_at(i);

		if (conn->due_ms == 0 || relay.now_ms < conn->due_ms)
			continue;
		relay_conn_set_due(conn, 0);
		if (conn->phase != CONN_CONNECTING) {
			relay_conn_finish(conn, W_RELAY_REASON_TIMEOUT, NULL);
			continue;
		}
		(void)w_sys1(__NR_close, conn->fds[1]);
		conn->fds[1] = -1;
		conn->error = ETIMEDOUT;
		conn->reason = W_RELAY_REASON_UNREACHABLE;
		conn_try_next(conn);
	}
}

int
relay_conns_end_left(int is_late)
{
	int is_empty = 1;

	for (uint32_t i = 0; i < relay_conns_used(); i++) {
		struct relay_conn *conn = relay_conn_at(i);

		if (conn->phase == CONN_FREE || conn->phase == CONN_ENDED)
			continue;
		/* What was not cleared by now never will be. */
		if (is_late || conn->phase != CONN_FLOWING ||
		    conn->flows[0].is_shut ||
		    (conn->flows[0].cleared == 0 && conn->flows[0].held == 0))
			relay_conn_finish(conn,
			    is_late && !conn->flows[0].is_shut
				? W_RELAY_REASON_CUT
				: W_RELAY_REASON_NONE,
			    NULL);
		else
			is_empty = 0;
	}
	return is_empty;
}
