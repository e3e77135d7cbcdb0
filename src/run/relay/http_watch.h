/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HTTP_WATCH_H
#define W_RUN_HTTP_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include "run/relay/relay_protocol.h"

/*
 * Follows what an HTTP/1 client sends, so that every request of a connection is
 * for the host that was asked for: also a later one, and one that was sent
 * before the answer to the first.
 *
 * Where a body ends must be beyond doubt, or the next request could be read
 * otherwise by the server. So it is strict: CRLF, one Host, one Content-Length
 * or "chunked" and nothing else. Every byte may be hostile.
 */
enum {
	HTTP_HEAD_MAX = 32 * 1024, /* bytes of a request's head */
	HTTP_LINE_MAX = 8 * 1024,  /* of its first line */
	HTTP_CHUNK_LINE_MAX = 512  /* of a chunk's size, or of a trailer */
};

enum http_state {
	HTTP_AT_HEAD,
	HTTP_IN_BODY,
	HTTP_AT_CHUNK,
	HTTP_IN_CHUNK,
	HTTP_AT_CHUNK_END,
	HTTP_AT_TRAILER,
	/* An upgrade was asked for in the first request. What follows depends
	 * on the answer. */
	HTTP_AT_UPGRADE,
};

struct http_watch {
	enum http_state state;
	uint64_t body;     /* bytes that are still to come */
	uint32_t requests; /* so far */
};

/* What can be said of the next bytes. */
struct http_look {
	uint64_t pass; /* so many may pass, perhaps more than there are; 0: more
			  are needed first */
	enum w_relay_reason refused; /* NONE: not */
	size_t other_len;            /* of the host that was named instead */
	char other[W_RELAY_NAME_MAX + 1];
};

enum http_guess {
	HTTP_NO,
	HTTP_MAYBE, /* more is needed */
	HTTP_YES,
};

/* Whether the first bytes of a connection are those of an HTTP request. */
enum http_guess http_guess(const uint8_t *bytes, size_t len);

/* Looks at the next bytes, none of which have passed. */
void http_watch_look(struct http_watch *watch, const uint8_t *bytes, size_t len,
    const char *host, size_t host_len, struct http_look *out_look);

/* Hears the first bytes of the server's answer in HTTP_AT_UPGRADE. 1: from now
 * on it is not HTTP; 0: it goes on as HTTP; -1: more is needed. */
int http_watch_answer(
    struct http_watch *watch, const uint8_t *bytes, size_t len);

#endif /* W_RUN_HTTP_WATCH_H */
