/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_METASCHEMAS_H
#define W_SCHEMA_METASCHEMAS_H

#include <stdbool.h>

#include <yyjson.h>

/* The built-in metaschema with this URI (without fragment). NULL: none, or no
 * memory, which sets *out_failed. *doc is filled on first use; free it with
 * yyjson_doc_free(). */
yyjson_val *w_metaschema_find(
    yyjson_doc **doc, const char *uri, bool *out_failed);

#endif /* W_SCHEMA_METASCHEMAS_H */
