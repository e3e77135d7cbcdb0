/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_LOSSY_UTF8_H
#define W_DATA_LOSSY_UTF8_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Converts any bytes to UTF-8, piece by piece. A character cut by the end of a
 * piece is held until it is complete; invalid bytes become U+FFFD.
 */
struct w_lossy_utf8 {
	char held[4]; /* an incomplete character */
	size_t held_len;
};

void w_lossy_utf8_add(struct w_lossy_utf8 *decoder, struct w_buf *out,
    const char *bytes, size_t len);

/* After the last piece: a held character is invalid. */
void w_lossy_utf8_end(struct w_lossy_utf8 *decoder, struct w_buf *out);

#endif /* W_DATA_LOSSY_UTF8_H */
