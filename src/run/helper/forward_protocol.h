/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_FORWARD_PROTOCOL_H
#define W_RUN_FORWARD_PROTOCOL_H

#include <stdint.h>

/*
 * What is said to a forwarder (forwarder.c), over W_HELPER_SOCKET_FD. The
 * engine sends a struct w_forward_plan; the forwarder answers with the same.
 *
 *     LISTEN  make listening sockets where the forwarder is, which is inside
 *             the session; the answer has them, in order
 *     COPY    with the listening sockets, in order, then the files of the rules
 *             that have one: accept there, connect to the target, copy. The
 *             answer says that it has begun; from then on it only copies
 *
 * It ends when the other side closes the line.
 */
enum {
	W_FORWARD_MAGIC = 0x57465744,
	W_FORWARD_RULES = 8,
	W_FORWARD_FDS = 2 * W_FORWARD_RULES,
	/* Connections at once. More wait in the kernel's queue. */
	W_FORWARD_PAIRS = 128
};

enum w_forward_kind {
	W_FORWARD_LISTEN = 'L',
	W_FORWARD_COPY = 'C',
};

struct w_forward_rule {
	uint32_t port;     /* on 127.0.0.1, then [::1]; 0: a local socket */
	uint32_t has_file; /* COPY to a local socket: O_PATH, comes along.
			      LISTEN: the socket is W_SHARED_CONNECT and the
			      index of the rule */
};

struct w_forward_plan {
	uint32_t magic;
	uint32_t kind;   /* enum w_forward_kind */
	uint32_t count;  /* of rules */
	int32_t error;   /* of an answer: 0, or an errno */
	uint32_t failed; /* index of the rule that failed */
	struct w_forward_rule rules[W_FORWARD_RULES];
};

#endif /* W_RUN_FORWARD_PROTOCOL_H */
