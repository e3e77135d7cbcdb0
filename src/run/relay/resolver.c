/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Looks up allowed names outside: in the machine's hosts file as it was when
 * the relay started, then at the DNS servers of the machine, by UDP, and by
 * TCP if an answer is cut. IPv6 is asked for only if IPv4 gives nothing.
 */

#include <errno.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/relay/net_address.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"

enum {
	WAIT_MS = 2000, /* for a server */
	ROUNDS = 2,     /* through all servers */
	DNS_PORT = 53,
	TTL_MIN_S = 5,
	TTL_MAX_S = 300,
	FAILED_S = 3, /* that nothing was found is remembered */
	MS_PER_S = 1000
};

struct query {
	int fd; /* 0: free */
	int name;
	uint16_t type;
	uint8_t is_tcp;
	uint32_t tries;
	uint64_t due_ms;
	size_t len;
	size_t got; /* by TCP, with the length before it */
	uint8_t bytes[2 + DNS_QUERY_MAX];
	uint8_t answer[2 + DNS_ANSWER_MAX];
};

static struct query *queries;

void
resolver_init(void)
{
	queries = relay_map(RELAY_QUERIES * sizeof(*queries));
}

static void
remember(int name, enum w_relay_reason code, const struct dns_addresses *found,
    uint32_t ttl_s)
{
	struct relay_name *item = relay_name_at(name);

	ttl_s = ttl_s < TTL_MIN_S   ? TTL_MIN_S
		: ttl_s > TTL_MAX_S ? TTL_MAX_S
				    : ttl_s;
	if (code != W_RELAY_REASON_NONE)
		ttl_s = FAILED_S;
	item->code = code;
	item->count = found == NULL ? 0 : found->count;
	for (uint32_t i = 0; i < item->count; i++)
		item->addresses[i] = found->items[i];
	item->until_ms = relay.now_ms + (uint64_t)ttl_s * MS_PER_S;
	item->is_asking = 0;
	relay_conns_resolved(name);
}

static void
query_close(struct query *query)
{
	(void)w_sys1(__NR_close, query->fd);
	query->fd = 0;
	relay.timed--;
}

/* ---- one server ---- */

static long
connect_server(int fd, const struct w_relay_address *server)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

	relay_put_16((uint8_t *)&v4.sin_port, DNS_PORT);
	v6.sin6_port = v4.sin_port;
	for (int i = 0; i < 4; i++)
		((uint8_t *)&v4.sin_addr)[i] = server->bytes[i];
	for (int i = 0; i < 16; i++)
		v6.sin6_addr.s6_addr[i] = server->bytes[i];
	return server->family == 4 ? w_sys3(__NR_connect, fd, &v4, sizeof(v4))
				   : w_sys3(__NR_connect, fd, &v6, sizeof(v6));
}

/* A socket of its own for each query: its port is as hard to guess as its
 * id. */
static int
query_send(struct query *query, uint32_t index)
{
	const struct w_relay_address *server =
	    &relay.start.servers[query->tries % relay.start.server_count];
	const int kind = query->is_tcp ? SOCK_STREAM : SOCK_DGRAM;
	uint16_t id = 0;

	const long fd =
	    w_sys3(__NR_socket, server->family == 4 ? AF_INET : AF_INET6,
		kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return 0;
	query->fd = (int)fd;
	query->got = 0;
	query->due_ms = relay.now_ms + WAIT_MS;
	relay.timed++;
	(void)w_sys3(__NR_getrandom, &id, sizeof(id), 0);
	relay_put_16(query->bytes + 2, id);
	const long ret = connect_server(query->fd, server);
	if ((ret == 0 || ret == -EINPROGRESS) &&
	    relay_watch(query->fd, RELAY_QUERY, index,
		query->is_tcp ? EPOLLIN | EPOLLOUT | EPOLLET : EPOLLIN) == 0 &&
	    (query->is_tcp ||
		w_sys6(__NR_sendto, query->fd, (long)(query->bytes + 2),
		    (long)query->len, MSG_NOSIGNAL, 0, 0) > 0))
		return 1;
	query_close(query);
	return 0;
}

static void
query_next(struct query *query, uint32_t index)
{
	while (query->tries < ROUNDS * relay.start.server_count) {
		if (query_send(query, index))
			return;
		query->tries++;
	}
	remember(query->name, W_RELAY_REASON_NO_SERVER, NULL, 0);
}

/* ---- answers ---- */

static void
query_finish(struct query *query, const struct dns_addresses *found)
{
	query_close(query);
	if (found->count > 0)
		remember(query->name, W_RELAY_REASON_NONE, found, found->ttl_s);
	else if (query->type == DNS_TYPE_A && found->code == DNS_CODE_OK)
		resolver_start(query->name, 1);
	else
		remember(query->name, W_RELAY_REASON_NOT_FOUND, NULL, 0);
}

static void
query_take(
    struct query *query, uint32_t index, const uint8_t *bytes, size_t len)
{
	struct dns_addresses found;

	if (!dns_answer_read(bytes, len, query->bytes + 2, query->len, &found))
		return;
	if (found.is_cut && !query->is_tcp) {
		query_close(query);
		query->is_tcp = 1;
		query_next(query, index);
	} else if (found.code != DNS_CODE_OK &&
		   found.code != DNS_CODE_NO_NAME) {
		query_close(query);
		query->tries++;
		query_next(query, index);
	} else {
		query_finish(query, &found);
	}
}

/* 1: there is a whole answer. */
static int
read_stream(struct query *query)
{
	for (;;) {
		const size_t whole =
		    query->got < 2 ? 2 : 2 + relay_get_16(query->answer);
		if (query->got >= 2 && query->got == whole)
			return 1;
		if (whole > sizeof(query->answer))
			return -1;
		const long n = w_sys6(__NR_recvfrom, query->fd,
		    (long)(query->answer + query->got),
		    (long)(whole - query->got), MSG_DONTWAIT, 0, 0);
		if (n == -EAGAIN)
			return 0;
		if (n <= 0)
			return -1;
		query->got += (size_t)n;
	}
}

static void
stream_event(struct query *query, uint32_t index)
{
	/* The length before it marks that it was not sent yet. */
	if (query->bytes[0] == 0 && query->bytes[1] == 0) {
		relay_put_16(query->bytes, (uint32_t)query->len);
		const long n =
		    w_sys6(__NR_sendto, query->fd, (long)query->bytes,
			(long)(query->len + 2), MSG_NOSIGNAL, 0, 0);
		if (n == -EAGAIN)
			relay_put_16(query->bytes, 0);
	}
	const int ret = read_stream(query);
	if (ret > 0)
		query_take(query, index, query->answer + 2, query->got - 2);
	if (ret >= 0)
		return;
	query_close(query);
	query->tries++;
	relay_put_16(query->bytes, 0);
	query_next(query, index);
}

void
resolver_event(uint32_t index)
{
	struct query *query = &queries[index];

	if (query->fd > 0 && query->is_tcp) {
		stream_event(query, index);
		return;
	}
	if (query->fd <= 0)
		return;
	const long n = w_sys6(__NR_recvfrom, query->fd, (long)query->answer,
	    DNS_ANSWER_MAX, MSG_DONTWAIT, 0, 0);
	if (n > 0) {
		query_take(query, index, query->answer, (size_t)n);
	} else if (n != -EAGAIN && n != -EINTR) {
		/* Nobody listens there. */
		query_close(query);
		query->tries++;
		query_next(query, index);
	}
}

void
resolver_check_time(void)
{
	for (uint32_t i = 0; i < RELAY_QUERIES; i++) {
		struct query *query = &queries[i];

		if (query->fd <= 0 || relay.now_ms < query->due_ms)
			continue;
		query_close(query);
		query->tries++;
		query->is_tcp = 0;
		query_next(query, i);
	}
}

/* ---- start ---- */

static int
find_at_home(int name)
{
	struct dns_addresses found = {.ttl_s = TTL_MAX_S};
	struct relay_name *item = relay_name_at(name);
	const char *text = relay_name_text(name);

	if (net_address_read(text, item->len, &found.items[0]))
		found.count = 1;
	else
		found.count =
		    (uint32_t)hosts_file_find(relay.hosts_text, relay.hosts_len,
			text, item->len, found.items, DNS_ADDRESSES_MAX);
	if (found.count == 0)
		return 0;
	remember(name, W_RELAY_REASON_NONE, &found, TTL_MAX_S);
	return 1;
}

void
resolver_start(int name, int wants_v6)
{
	struct relay_name *item = relay_name_at(name);

	item->is_asking = 1;
	item->has_v6 = (uint8_t)wants_v6;
	if (!wants_v6 && find_at_home(name))
		return;
	for (uint32_t i = 0; i < RELAY_QUERIES; i++) {
		struct query *query = &queries[i];

		if (query->fd > 0)
			continue;
		query->name = name;
		query->type = wants_v6 ? DNS_TYPE_AAAA : DNS_TYPE_A;
		query->is_tcp = 0;
		query->tries = 0;
		relay_put_16(query->bytes, 0);
		query->len = dns_query_write(0, relay_name_text(name),
		    item->len, query->type, query->bytes + 2);
		if (query->len == 0)
			remember(name, W_RELAY_REASON_NOT_FOUND, NULL, 0);
		else
			query_next(query, i);
		return;
	}
	remember(name, W_RELAY_REASON_TOO_MANY, NULL, 0);
}
