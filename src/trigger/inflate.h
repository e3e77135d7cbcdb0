/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_INFLATE_H
#define W_TRIGGER_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Decompresses zlib data (RFC 1950, 1951), as git stores its objects. Not from
 * zlib, because loading that library would take longer than a single run. The
 * checksum at the end is not looked at: callers have a better one.
 *
 * Appends to out, up to its limit. false: the data is damaged or cut off, or
 * does not fit.
 */
bool w_inflate(const void *bytes, size_t len, struct w_buf *out);

#endif /* W_TRIGGER_INFLATE_H */
