/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RELAY_H
#define W_RUN_RELAY_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

#include "run/relay/dns_message.h"
#include "run/relay/http_watch.h"
#include "run/relay/relay_protocol.h"

/*
 * Declarations shared by the files of the relay. It has no C library: raw
 * system calls, and tables that are mapped once, of which only what is used
 * takes memory.
 */
enum {
	RELAY_NAMES = 65000,
	RELAY_CONNS = 10000,
	RELAY_LOOKUPS = 512, /* that wait for the engine */
	RELAY_QUERIES = 256, /* that wait for a DNS server */
	RELAY_LINES = 64,
	RELAY_ALLOWED = 2, /* ports of a name that need no question */
	RELAY_NONE = -1
};

/* Where an event comes from: the upper bits of its epoll data. */
enum relay_source {
	RELAY_CONTROL,
	RELAY_LINE,
	RELAY_DNS,
	RELAY_LISTENER,
	RELAY_QUERY,
	RELAY_CLIENT, /* the inner side of a connection */
	RELAY_SERVER, /* the outer one */
};

/* ---- relay_main.c ---- */

struct relay_setup {
	struct w_relay_start start;
	int dns; /* inside */
	int listeners[W_RELAY_LISTENERS];
	uint32_t listener_count;
	const char *hosts_text; /* the machine's hosts file */
	size_t hosts_len;
	uint64_t now_ms;
	uint32_t timed; /* things that end by themselves some time */
};
extern struct relay_setup relay;

_Noreturn void relay_quit(int status);
/* A table that is zero, or the end of the process. */
void *relay_map(size_t size);
uint64_t relay_clock_us(int clock);
long relay_watch(
    int fd, enum relay_source source, uint32_t index, uint32_t events);

/* ---- relay_lock.c: the calls that are left ---- */

long relay_lock_up(void);

/* ---- relay_names.c ---- */

/* A name and its address inside; what it is outside. */
struct relay_name {
	struct {
		uint32_t port; /* 0: none */
		uint32_t rule;
		uint32_t order; /* of the line that allowed it */
	} allowed[RELAY_ALLOWED];
	uint32_t allowed_at; /* the next to be replaced */
	uint32_t text;       /* its place */
	uint32_t next;       /* with the same hash; index + 1 */
	uint8_t len;
	uint8_t is_hidden; /* it is not answered inside */
	uint8_t is_asking; /* outside */
	uint8_t has_v6;    /* addresses of IPv6 were asked for */
	uint32_t waiting;  /* first connection that waits; index + 1 */
	uint64_t until_ms; /* its addresses hold until then */
	uint32_t code;     /* enum w_relay_reason */
	uint32_t count;
	struct w_relay_address addresses[DNS_ADDRESSES_MAX];
};

void relay_names_init(void);
/* Its index; RELAY_NONE: it is not there, or there is no room. */
int relay_names_find(const char *name, size_t len);
int relay_names_add(const char *name, size_t len);
struct relay_name *relay_name_at(int index);
const char *relay_name_text(int index);
struct w_relay_address relay_name_address(int index);
/* The name that has this address inside. */
int relay_names_of_address(uint32_t v4);

/* ---- relay_lines.c: engines ---- */

void relay_lines_init(void);
void relay_lines_attach(int fd);
void relay_line_event(uint32_t index);
/* Asks the engine that came last before this line (RELAY_NONE: of all): hosts
 * belong to the session, and what one engine does not know another may. 0:
 * nobody can be asked. *out_line is its line;
 * RELAY_LINES: it has no room for a question now. */
int relay_lines_ask(struct w_relay_ask *ask, int before, int *out_line);
/* Asks the engine of this order, as the last. Returns as relay_lines_ask(). */
int relay_lines_ask_last(
    struct w_relay_ask *ask, uint32_t order, int *out_line);
/* A number that no other line has or will have; 0: it is gone. */
uint32_t relay_lines_order(int line);
int relay_lines_has(uint32_t order);
void relay_lines_cancel(int line, uint64_t ticket);
void relay_lines_record(struct w_relay_record *record);
/* Answers those who wait for a flush, if it is time. is_quiet: nothing has
 * happened in this round. 1: one waits for such a round. */
int relay_lines_settle(int is_quiet);

/* A ticket: whose it is. */
enum relay_ticket {
	RELAY_TICKET_LOOKUP = 1,
	RELAY_TICKET_CONN = 2,
};

static inline uint64_t
relay_ticket(enum relay_ticket kind, uint32_t generation, uint32_t index)
{
	return (uint64_t)kind << 60 | (uint64_t)generation << 24 | index;
}

/* ---- dns_service.c: inside ---- */

void dns_service_init(void);
void dns_service_event(void);
void dns_service_answer(const struct w_relay_answer *answer);
/* A line is gone: what was asked there is asked again. */
void dns_service_ask_again(int line);

/* ---- resolver.c: outside ---- */

void resolver_init(void);
/* Looks up a name. What waits for it is told by relay_conns_resolved(),
 * perhaps before this returns. */
void resolver_start(int name, int wants_v6);
void resolver_event(uint32_t index);
void resolver_check_time(void);

/* ---- connections ---- */

enum conn_phase {
	CONN_FREE,
	CONN_ENDED,  /* until the events that were fetched are over */
	CONN_ASKING, /* the engine, about the host */
	CONN_RESOLVING,
	CONN_ASKING_ADDRESS,
	CONN_CONNECTING,
	CONN_AT_PROXY,
	CONN_FLOWING,
};

/* What is known of what the client says. */
enum conn_check {
	CHECK_START,
	CHECK_HTTP,
	CHECK_UPGRADE, /* HTTP, and the server's answer decides */
	CHECK_DONE,
};

/* One direction; 0: from inside. */
struct conn_flow {
	uint64_t bytes;   /* that were passed on */
	uint64_t cleared; /* that may pass */
	uint32_t held;    /* in the pipe */
	int pipe[2];      /* -1: none */
	uint8_t has_ended;
	uint8_t is_shut;
};

struct relay_conn {
	enum conn_phase phase;
	enum conn_check check;
	int fds[2];  /* inside, outside */
	int name;    /* RELAY_NONE: none was looked up */
	int awaited; /* of RESOLVING: the name outside */
	uint32_t v4;
	uint32_t port;
	uint32_t generation;
	int line;       /* that was asked */
	uint32_t asker; /* order of the engine that could ask a person; 0: none
			 */
	uint8_t is_asked_last;
	uint32_t rule;
	uint8_t asks_addresses;
	uint8_t is_proxied;
	uint8_t is_unchecked;
	uint8_t is_allowed;
	uint8_t has_left; /* nothing more comes from inside */
	uint8_t has_tried_v6;
	uint8_t is_ready;  /* it goes on in the next round */
	uint8_t has_pulse; /* it is on the list of those that are timed */
	uint32_t reason;   /* why the last address was of no use */
	int32_t error;
	uint32_t next; /* in a list; index + 1 */
	uint32_t tried;
	uint32_t count;
	struct w_relay_address addresses[DNS_ADDRESSES_MAX];
	struct w_relay_address address; /* that is used */
	uint64_t began_us;
	uint64_t began_at_us; /* CLOCK_MONOTONIC */
	uint64_t due_ms;      /* 0: it may wait */
	struct http_watch http;
	struct conn_flow flows[2];
};

#define RELAY_CONN_EVENTS (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET)

/* ---- conn_table.c ---- */

void relay_conns_init(void);
/* One that is zero; NULL: there are too many. */
struct relay_conn *relay_conn_take(void);
/* It has ended; events that were fetched may still be for it. */
void relay_conn_retire(struct relay_conn *conn);
/* Frees those that have ended. */
void relay_conns_sweep(void);
struct relay_conn *relay_conn_at(uint32_t index);
uint32_t relay_conn_index(const struct relay_conn *conn);
/* How many of the table were ever used. */
uint32_t relay_conns_used(void);
/* The name, or the address as text. */
const char *relay_conn_host(const struct relay_conn *conn, char *room);
/* It has so long for the next step; 0: it may wait. */
void relay_conn_set_due(struct relay_conn *conn, uint64_t wait_ms);
/* It has more to do than a turn. */
void relay_conn_set_ready(struct relay_conn *conn);
/* Goes on with those that have. 1: there are such. */
int relay_conns_step(void);

/* ---- conn_end.c ---- */

/* Ends a connection, and makes its record. */
void relay_conn_finish(
    struct relay_conn *conn, enum w_relay_reason reason, const char *other);

/* ---- relay_accept.c ---- */

void relay_conns_accept(uint32_t listener);

/* ---- relay_conns.c ---- */

/* Goes on without a question, if an answer that holds was yes. 0: it is not. */
int relay_conn_pass(struct relay_conn *conn);
/* Asks the engine what this phase asks. */
void relay_conn_ask(struct relay_conn *conn, int before);
void relay_conn_event(uint32_t index, int side, uint32_t events);
void relay_conns_answer(const struct w_relay_answer *answer);
void relay_conns_ask_again(int line);
/* The name of these, by its list, is resolved, or cannot be. */
void relay_conns_resolved(int name);
void relay_conns_check_time(void);
/* Ends those whose client is gone. 1: none of them has bytes to deliver. */
int relay_conns_end_left(int is_late);

/* ---- relay_flow.c ---- */

void relay_flow_init(void);
/* Passes on what there is, as far as it may. */
void relay_flow_pump(struct relay_conn *conn);
void relay_flow_done(struct relay_conn *conn);

#endif /* W_RUN_RELAY_H */
