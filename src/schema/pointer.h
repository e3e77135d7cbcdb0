/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_POINTER_H
#define W_SCHEMA_POINTER_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/buf.h"

/* Whether a value or key is root or lies below it. */
bool w_pointer_is_inside(yyjson_val *root, const yyjson_val *target);

/* Appends the JSON Pointer from root to a value below it; for a key, to its
 * object. */
void w_pointer_add(
    struct w_buf *buf, yyjson_val *root, const yyjson_val *target);

/* The same for a message: shortened in the middle if long, and followed by ":
 * ". Appends nothing for the root. */
void w_pointer_add_place(
    struct w_buf *buf, yyjson_val *root, const yyjson_val *target);

/* Appends "/name", escaped. */
void w_pointer_add_name(struct w_buf *buf, const char *name, size_t len);

/*
 * Removes the first segment, "/name", from *text and returns that member or
 * item of value. NULL: there is none.
 */
yyjson_val *w_pointer_step(yyjson_val *value, const char **text, size_t *len);

#endif /* W_SCHEMA_POINTER_H */
