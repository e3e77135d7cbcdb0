/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_FORMAT_H
#define W_SCHEMA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text (UTF-8, may contain NUL) has the format. */
typedef bool (*w_format_fn)(const char *text, size_t len);

/* The check for a format of JSON Schema ("date-time", "uri", ...); NULL:
 * unknown. */
w_format_fn w_format_find(const char *name, size_t len);

#endif /* W_SCHEMA_FORMAT_H */
