/* SPDX-License-Identifier: Apache-2.0 */

/* The table of connections; relay_conns.c says what happens to one. */

#include "os/syscall.h"
#include "run/relay/net_address.h"
#include "run/relay/relay.h"

static struct relay_conn *conns;
static uint32_t free_list; /* index + 1 */
static uint32_t ended_list;
static uint32_t fresh; /* those from here on were never used */
static uint32_t ready; /* that have more to do */

void
relay_conns_init(void)
{
	conns = relay_map(RELAY_CONNS * sizeof(*conns));
}

uint32_t
relay_conn_index(const struct relay_conn *conn)
{
	return (uint32_t)(conn - conns);
}

const char *
relay_conn_host(const struct relay_conn *conn, char *room)
{
	if (conn->name != RELAY_NONE)
		return relay_name_text(conn->name);
	(void)net_address_write(conn->v4, room);
	return room;
}

void
relay_conn_set_due(struct relay_conn *conn, uint64_t wait_ms)
{
	if (conn->due_ms != 0)
		relay.timed--;
	conn->due_ms = wait_ms == 0 ? 0 : relay.now_ms + wait_ms;
	if (conn->due_ms != 0)
		relay.timed++;
}

/* It has ended; events that were fetched may still be for it. */
void
relay_conn_retire(struct relay_conn *conn)
{
	conn->phase = CONN_ENDED;
	ready -= conn->is_ready;
	conn->is_ready = 0;
	conn->next = ended_list;
	ended_list = relay_conn_index(conn) + 1;
}

void
relay_conns_sweep(void)
{
	while (ended_list != 0) {
		struct relay_conn *conn = &conns[ended_list - 1];
		const uint32_t index = ended_list;

		ended_list = conn->next;
		conn->phase = CONN_FREE;
		conn->next = free_list;
		free_list = index;
	}
}

struct relay_conn *
relay_conn_take(void)
{
	struct relay_conn *conn;

	if (free_list != 0) {
		conn = &conns[free_list - 1];
		free_list = conn->next;
	} else if (fresh < RELAY_CONNS) {
		conn = &conns[fresh++];
	} else {
		return NULL;
	}
	const uint32_t generation = conn->generation + 1;
	*conn = (struct relay_conn){.generation = generation,
	    .fds = {-1, -1},
	    .name = RELAY_NONE,
	    .line = RELAY_NONE,
	    .flows = {
		{.pipe = {-1, -1}}, {.pipe = {-1, -1}, .cleared = UINT64_MAX}}};
	return conn;
}

void
relay_conn_set_ready(struct relay_conn *conn)
{
	ready += !conn->is_ready;
	conn->is_ready = 1;
}

int
relay_conns_step(void)
{
	for (uint32_t i = 0; ready > 0 && i < fresh; i++) {
		if (!conns[i].is_ready)
			continue;
		conns[i].is_ready = 0;
		ready--;
		relay_flow_pump(&conns[i]);
	}
	return ready > 0;
}

struct relay_conn *
relay_conn_at(uint32_t index)
{
	return &conns[index];
}

uint32_t
relay_conns_used(void)
{
	return fresh;
}
