/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_URI_H
#define W_SCHEMA_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The longest URI in a schema or reference, without fragment. A resolved one
 * fits into W_URI_ROOM. */
#define W_URI_MAX  2048
#define W_URI_ROOM (2 * W_URI_MAX)

/* Whether a reference without its fragment is within the limit. */
bool w_uri_is_short(const char *base, const char *ref, size_t ref_len);

/*
 * Appends a reference resolved against base (RFC 3986, section 5.2), without
 * its fragment. With base "" it stays relative.
 */
void w_uri_resolve(
    struct w_buf *buf, const char *base, const char *ref, size_t ref_len);

/* The fragment of a reference, after the '#'; NULL: none. */
const char *w_uri_fragment(const char *ref, size_t ref_len, size_t *out_len);

/* Appends a percent-decoded fragment. false: an invalid escape. */
bool w_uri_decode(struct w_buf *buf, const char *text, size_t len);

#endif /* W_SCHEMA_URI_H */
