/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_ENCODE_H
#define W_BASE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Whether the bytes are well-formed UTF-8 (no surrogates, no overlong forms,
 * nothing above U+10FFFF). NUL is allowed. */
bool w_utf8_valid(const void *bytes, size_t len);

/* The offset of the first malformed character; len: none. */
size_t w_utf8_find_bad(const void *bytes, size_t len);

/* The largest n <= len such that bytes[0..n) does not end inside a character
 * that a longer text could have completed. */
size_t w_utf8_trim_end(const void *bytes, size_t len);

/* The number of continuation bytes (0 to 3) at the start of a cut text. */
size_t w_utf8_trim_start(const void *bytes, size_t len);

/* Standard base64 with padding. */
void w_base64_add(struct w_buf *buf, const void *bytes, size_t len);

/* Decodes standard base64; padding required, no white space. false: malformed,
 * or the buffer failed. */
bool w_base64_decode(struct w_buf *buf, const char *text, size_t len);

/*
 * A run id: 26 characters of Crockford's base 32, the first 10 the time in
 * milliseconds, the rest random. Sorts by time. random must be 10 bytes.
 */
#define W_ID_LEN 26
void w_id_format(
    uint64_t unix_ms, const uint8_t random[10], char out[W_ID_LEN + 1]);

#endif /* W_BASE_ENCODE_H */
