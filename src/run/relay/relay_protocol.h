/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RELAY_PROTOCOL_H
#define W_RUN_RELAY_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * What an engine and a relay say to each other: packets of a fixed size.
 *
 * A relay has one control line, W_RELAY_CONTROL_FD, and ends when that ends.
 *
 *     START    with the sockets that were made inside, the DNS socket first,
 *              and a memory file (the machine's /etc/hosts) last. Comes back
 *              when it listens
 *     ATTACH   with a line of an engine that has runs in the session
 *
 * On the lines of engines:
 *
 *     relay -> engine   ASK      may this name be looked up, or this host be
 *                                reached; ANSWER has its ticket
 *                       CANCEL   nobody waits for that answer any more
 *                       RECORD   a connection that has ended, or a name or
 *                                host that was refused
 *                       FLUSHED  everything before FLUSH has been said
 *     engine -> relay   ANSWER
 *                       FLUSH
 *
 * An engine may take as long as it likes to answer: the connection waits. Where
 * it would have to ask a person it says so first (COULD_ASK), since another
 * engine may know the answer; it is asked again (is_last) when none does.
 */
enum {
	W_RELAY_CONTROL_FD = 3,
	W_RELAY_MAGIC = 0x57524c59,
	W_RELAY_VERSION = 2,
	W_RELAY_NAME_MAX = 253,
	W_RELAY_SERVERS = 3,
	W_RELAY_LISTENERS = 12,   /* sockets that accept inside */
	W_RELAY_PROXY_AUTH = 512, /* bytes of the credentials */
	W_RELAY_DIRECT_MAX = 1024 /* bytes of what is reached without a proxy */
};

enum w_relay_kind {
	W_RELAY_START = 's',
	W_RELAY_ATTACH = 'a',
	W_RELAY_ASK = 'q',
	W_RELAY_CANCEL = 'c',
	W_RELAY_ANSWER = 'v',
	W_RELAY_RECORD = 'r',
	W_RELAY_FLUSH = 'f',
	W_RELAY_FLUSHED = 'd',
};

/* An address of either family; the 4 bytes of IPv4 come first. */
struct w_relay_address {
	uint8_t bytes[16];
	uint32_t family; /* 4 or 6; 0: none */
};

/* What is asked. */
enum w_relay_question {
	W_RELAY_MAY_LOOK_UP,    /* name */
	W_RELAY_MAY_CONNECT,    /* name, port */
	W_RELAY_MAY_REACH_FROM, /* no name was looked up: address, port */
	W_RELAY_MAY_USE,        /* name, port, and an address of it */
};

struct w_relay_start {
	uint32_t kind;
	uint32_t magic;
	uint32_t version;
	uint32_t is_redirected; /* connections come through one socket, by
				   netfilter; else one socket for each port */
	uint32_t first_name;    /* where in 198.18.0.0/15 to begin */
	uint32_t server_count;
	struct w_relay_address servers[W_RELAY_SERVERS]; /* of DNS */
	uint32_t proxy_port;                   /* 0: no upstream proxy */
	char proxy_name[W_RELAY_NAME_MAX + 1]; /* or an address */
	char proxy_auth[W_RELAY_PROXY_AUTH];   /* base64; "": none */
	char direct[W_RELAY_DIRECT_MAX];       /* no_proxy: names and
						  addresses, by commas */
	int32_t error; /* an errno, in what comes back */
};

struct w_relay_ask {
	uint32_t kind;
	uint32_t question; /* enum w_relay_question */
	uint64_t ticket;
	uint32_t port;
	uint32_t is_last; /* no other engine is left that could know */
	struct w_relay_address address;
	char name[W_RELAY_NAME_MAX + 1];
};

enum w_relay_verdict {
	W_RELAY_NO,
	W_RELAY_YES,
	W_RELAY_COULD_ASK, /* a person; to a question that is not the last */
};

struct w_relay_answer {
	uint32_t kind; /* ANSWER; FLUSH and FLUSHED have only a ticket */
	uint32_t verdict;
	uint64_t ticket;
	uint32_t rule;           /* the engine's, comes back in the record */
	uint32_t asks_addresses; /* every address of this name is to be asked
				    about, not only private ones */
	uint32_t holds; /* YES is also the answer to the same question later, as
			   long as this engine is there */
	uint32_t zero;
};

/* Why a connection or a name was refused, or ended; the text is for people. */
/* clang-format off */
#define W_RELAY_REASON_MAP(X) \
	X(NONE, "") \
	X(POLICY, "not among the hosts") \
	X(NO_LOOKUP, "no name was looked up for this address") \
	X(PRIVATE, "it resolves to a private address that is not listed") \
	X(NOT_FOUND, "no such name outside") \
	X(NO_SERVER, "no DNS server answers") \
	X(UNREACHABLE, "it cannot be reached") \
	X(PROXY, "the upstream proxy refused it") \
	X(SNI_MISSING, "the TLS client names no host") \
	X(SNI_OTHER, "the TLS client names another host") \
	X(ECH, "the TLS client hides the host that it names (ECH)") \
	X(TLS_BAD, "not a TLS ClientHello that can be checked") \
	X(NOT_TLS, "port 443 without TLS") \
	X(NOT_HTTP, "port 80 without HTTP") \
	X(HTTP_OTHER, "the HTTP request is for another host") \
	X(HTTP_MISSING, "the HTTP request names no host") \
	X(HTTP_BAD, "the HTTP request cannot be checked") \
	X(HTTP_CONNECT, "CONNECT through a host") \
	X(SHORT, "the client ended before its first message was whole") \
	X(TOO_MANY, "too many at once") \
	X(TIMEOUT, "nothing came in time") \
	X(CUT, "the session or the relay ended")
/* clang-format on */

enum w_relay_reason {
#define X(name, text) W_RELAY_REASON_##name,
	W_RELAY_REASON_MAP(X)
#undef X
	W_RELAY_REASON_COUNT
};

enum {
	W_RELAY_IS_LOOKUP = 1 << 0,    /* only a name was asked for */
	W_RELAY_IS_ALLOWED = 1 << 1,   /* the engine said yes */
	W_RELAY_IS_UNCHECKED = 1 << 2, /* no protocol names the host */
	W_RELAY_IS_PROXIED = 1 << 3,   /* through the upstream proxy */
};

struct w_relay_record {
	uint32_t kind;
	uint32_t flags;
	uint32_t reason; /* enum w_relay_reason */
	uint32_t rule;
	uint32_t port;
	int32_t sys_errno; /* of UNREACHABLE; 0: not known */
	uint32_t lost;     /* records before it that found no room */
	struct w_relay_address address; /* that was reached; or asked for */
	uint64_t began_us;              /* since 1970 */
	uint64_t lasted_us;
	uint64_t sent;                    /* bytes from inside */
	uint64_t received;                /* bytes to inside */
	char name[W_RELAY_NAME_MAX + 1];  /* "": none was looked up */
	char other[W_RELAY_NAME_MAX + 1]; /* SNI_OTHER, HTTP_OTHER: which */
};

#endif /* W_RUN_RELAY_PROTOCOL_H */
