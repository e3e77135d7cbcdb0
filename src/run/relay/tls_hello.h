/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_TLS_HELLO_H
#define W_RUN_TLS_HELLO_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first message of a TLS client, of which the name of the server is taken.
 * It may be split over records. Every byte may be hostile.
 */
enum tls_hello {
	TLS_HELLO_MORE,  /* it goes on */
	TLS_HELLO_NAMED, /* the name is in out */
	TLS_HELLO_NAMELESS,
	TLS_HELLO_ECH, /* it hides a second ClientHello, with another name */
	TLS_HELLO_BAD, /* no ClientHello */
};

enum {
	TLS_HELLO_MAX = 24 * 1024, /* bytes that are waited for */
	TLS_NAME_MAX = 255
};

/* Whether it can begin a connection with TLS. */
static inline int
tls_hello_is_likely(const uint8_t *bytes, size_t len)
{
	return len >= 2 && bytes[0] == 0x16 && bytes[1] == 0x03;
}

/* scratch: TLS_HELLO_MAX bytes, for the message without its records. */
enum tls_hello tls_hello_read(const uint8_t *bytes, size_t len,
    uint8_t *scratch, char out_name[TLS_NAME_MAX + 1], size_t *out_len);

#endif /* W_RUN_TLS_HELLO_H */
