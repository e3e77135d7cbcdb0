/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_URI_H
#define W_SCHEMA_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The longest URI that schemas may have or refer to, without a fragment. What
 * they come to when resolved fits into W_URI_ROOM. */
#define W_URI_MAX  2048
#define W_URI_ROOM (2 * W_URI_MAX)

/* Whether a reference, its fragment aside, is within the limit at this base. */
bool w_uri_is_short(const char *base, const char *ref, size_t ref_len);

/*
 * Appends what a reference means where base is the URI of the document it
 * stands in (RFC 3986, section 5.2), without its fragment. base may be "":
 * then the reference stays as relative as it is.
 */
void w_uri_resolve(
    struct w_buf *buf, const char *base, const char *ref, size_t ref_len);

/* The fragment of a reference: what follows its '#', or NULL. */
const char *w_uri_fragment(const char *ref, size_t ref_len, size_t *out_len);

/* Appends a fragment with its percent signs decoded. false: a percent sign
 * that is followed by something else than two hexadecimal digits. */
bool w_uri_decode(struct w_buf *buf, const char *text, size_t len);

#endif /* W_SCHEMA_URI_H */
