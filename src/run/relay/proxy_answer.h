/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROXY_ANSWER_H
#define W_RUN_PROXY_ANSWER_H

#include <stddef.h>
#include <stdint.h>

enum {
	PROXY_ANSWER_MAX = 8192,
	PROXY_REQUEST_MAX = 2048
};

/* Where the head of an upstream proxy's answer to CONNECT ends, if it agrees.
 * 0: more is needed; -1: it refuses, or it is no answer. */
long proxy_answer_read(const uint8_t *bytes, size_t len);

/* Writes CONNECT for a host; auth is base64, "": none. Returns the length. */
size_t proxy_request_write(const char *host, uint32_t port, const char *auth,
    char out[PROXY_REQUEST_MAX]);

/* Whether a host is reached without the proxy: a list of names (with all below
 * them), by commas; "*": every one. */
int proxy_is_bypassed(const char *list, const char *host, size_t host_len);

#endif /* W_RUN_PROXY_ANSWER_H */
