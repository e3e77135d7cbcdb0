/* SPDX-License-Identifier: Apache-2.0 */

/* How a connection ends, and its record. */

#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"

static void
conn_record(const struct relay_conn *conn, enum w_relay_reason reason,
    const char *other)
{
	struct w_relay_record record = {
	    .flags = (conn->is_allowed ? W_RELAY_IS_ALLOWED : 0) |
		     (conn->is_unchecked ? W_RELAY_IS_UNCHECKED : 0) |
		     (conn->is_proxied ? W_RELAY_IS_PROXIED : 0),
	    .reason = reason,
	    .rule = conn->rule,
	    .port = conn->port,
	    .sys_errno = reason == W_RELAY_REASON_UNREACHABLE ? conn->error : 0,
	    .address = conn->address,
	    .began_us = conn->began_us,
	    .lasted_us = relay_clock_us(CLOCK_MONOTONIC) - conn->began_at_us,
	    .sent = conn->flows[0].bytes,
	    .received = conn->flows[1].bytes,
	};

	if (conn->address.family == 0 && conn->name == RELAY_NONE) {
		record.address.family = 4;
		relay_put_32(record.address.bytes, conn->v4);
	}
	for (size_t i = 0;
	     conn->name != RELAY_NONE && i < relay_name_at(conn->name)->len;
	     i++)
		record.name[i] = relay_name_text(conn->name)[i];
	for (size_t i = 0;
	     other != NULL && other[i] != '\0' && i < W_RELAY_NAME_MAX; i++)
		record.other[i] = other[i];
	relay_lines_record(&record);
}

static void
unlink_waiting(struct relay_conn *conn)
{
	uint32_t *link = &relay_name_at(conn->awaited)->waiting;

	while (*link != 0 && *link != relay_conn_index(conn) + 1)
		link = &relay_conn_at(*link - 1)->next;
	if (*link != 0)
		*link = conn->next;
}

void
relay_conn_finish(
    struct relay_conn *conn, enum w_relay_reason reason, const char *other)
{
	/* A close() that throws away what was not sent: TCP sends a reset. */
	static const struct linger none = {.l_onoff = 1, .l_linger = 0};
	const int is_reset =
	    reason != W_RELAY_REASON_NONE || !conn->flows[1].is_shut;

	if (conn->phase == CONN_ENDED)
		return;
	if (conn->phase == CONN_ASKING || conn->phase == CONN_ASKING_ADDRESS)
		relay_lines_cancel(
		    conn->line, relay_ticket(RELAY_TICKET_CONN,
				    conn->generation, relay_conn_index(conn)));
	if (conn->phase == CONN_RESOLVING)
		unlink_waiting(conn);
	conn_record(conn, reason, other);
	relay_conn_set_due(conn, 0);
	relay_flow_done(conn);
	for (int i = 0; i < 2; i++) {
		if (conn->fds[i] < 0)
			continue;
		if (is_reset)
			(void)w_sys5(__NR_setsockopt, conn->fds[i], SOL_SOCKET,
			    SO_LINGER, &none, sizeof(none));
		(void)w_sys1(__NR_close, conn->fds[i]);
	}
	relay_conn_retire(conn);
}
