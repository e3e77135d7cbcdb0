/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_METASCHEMAS_H
#define W_SCHEMA_METASCHEMAS_H

#include <stdbool.h>

#include <yyjson.h>

/* The standard's own schema with this URI (no fragment); NULL: there is none,
 * or no memory, and then *out_failed is true. *doc is filled on first use;
 * give it back with yyjson_doc_free(). */
yyjson_val *w_metaschema_find(
    yyjson_doc **doc, const char *uri, bool *out_failed);

#endif /* W_SCHEMA_METASCHEMAS_H */
