/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DNS_MESSAGE_H
#define W_RUN_DNS_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "run/relay/relay_protocol.h"

/*
 * Messages of the DNS (RFC 1035), as a server of one name each and as a client.
 * No memory but the caller's, no calls. Every byte that is read may be hostile.
 */
enum {
	DNS_TYPE_A = 1,
	DNS_TYPE_AAAA = 28,
	DNS_CODE_OK = 0,
	DNS_CODE_FAILED = 2,
	DNS_CODE_NO_NAME = 3,
	DNS_CODE_UNKNOWN = 4,
	DNS_CODE_REFUSED = 5,
	DNS_QUERY_MAX = 512,
	DNS_ANSWER_MAX = 4096,
	DNS_ADDRESSES_MAX = 6
};

struct dns_question {
	uint16_t id;
	uint16_t type;
	uint16_t class;
	uint8_t opcode;
	uint8_t wants_recursion;
	size_t end; /* of the question in the message */
	size_t name_len;
	char name[W_RELAY_NAME_MAX + 1]; /* lower case, without a dot at the
					    end */
};

/* Reads a query with one question. 0: it is none, and gets no answer. A name
 * with bytes that no host name has is read as an empty one. */
int dns_query_read(
    const uint8_t *bytes, size_t len, struct dns_question *out_question);

/* Writes the answer to a question that was read from query: its code and, with
 * OK, at most one address (NULL: no data). Returns its length. */
size_t dns_answer_write(const uint8_t *query,
    const struct dns_question *question, uint32_t code,
    const struct w_relay_address *address, uint8_t out[DNS_QUERY_MAX]);

/* Writes a query for a name. Returns its length; 0: it is no name. */
size_t dns_query_write(uint16_t id, const char *name, size_t name_len,
    uint16_t type, uint8_t out[DNS_QUERY_MAX]);

struct dns_addresses {
	uint32_t code; /* DNS_CODE_ */
	uint32_t is_cut;
	uint32_t ttl_s; /* the shortest */
	uint32_t count;
	struct w_relay_address items[DNS_ADDRESSES_MAX];
};

/* Reads the answer to a query of ours. 0: it is not the answer to that. */
int dns_answer_read(const uint8_t *bytes, size_t len, const uint8_t *query,
    size_t query_len, struct dns_addresses *out_addresses);

#endif /* W_RUN_DNS_MESSAGE_H */
