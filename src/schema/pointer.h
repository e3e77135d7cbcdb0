/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_POINTER_H
#define W_SCHEMA_POINTER_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/buf.h"

/* Whether a value or a key lies in the tree below root, or is root. */
bool w_pointer_is_inside(yyjson_val *root, const yyjson_val *target);

/* Appends the JSON Pointer from root to a value inside of it; for a key, to
 * the object that has it. */
void w_pointer_add(
    struct w_buf *buf, yyjson_val *root, const yyjson_val *target);

/* The same for a message, with the middle left out when it is long, and ": "
 * behind it. For the root, nothing. */
void w_pointer_add_place(
    struct w_buf *buf, yyjson_val *root, const yyjson_val *target);

/* Appends "/name", escaped. */
void w_pointer_add_name(struct w_buf *buf, const char *name, size_t len);

/*
 * One step along a pointer: takes its first part, "/name", off *text and
 * returns that member or item of value. NULL: there is none.
 */
yyjson_val *w_pointer_step(yyjson_val *value, const char **text, size_t *len);

#endif /* W_SCHEMA_POINTER_H */
