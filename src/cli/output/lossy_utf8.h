/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LOSSY_UTF8_H
#define W_CLI_LOSSY_UTF8_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Makes UTF-8 of any bytes that come in pieces: a character that a piece cuts
 * in two is kept until it is whole, and what is no character becomes U+FFFD.
 */
struct w_lossy_utf8 {
	char held[4]; /* the beginning of a character */
	size_t held_len;
};

void w_lossy_utf8_add(struct w_lossy_utf8 *decoder, struct w_buf *out,
    const char *bytes, size_t len);

/* No more pieces: what is held was no character. */
void w_lossy_utf8_end(struct w_lossy_utf8 *decoder, struct w_buf *out);

#endif /* W_CLI_LOSSY_UTF8_H */
