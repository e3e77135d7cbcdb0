/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_URI_H
#define W_SCHEMA_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

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
