/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_YAML_WRITE_H
#define W_DATA_YAML_WRITE_H

#include <yyjson.h>

#include "base/buf.h"

/*
 * Writes YAML in block style, one value a line, so that people can read and
 * compare it. w_yaml_read() reads the same tree back; so do other readers,
 * since what they might take for a number, a date or a boolean is quoted.
 *
 * A tree deeper than W_YAML_DEPTH_MAX, or a string that is not UTF-8, makes the
 * buffer fail.
 */

/* Appends a member of a map whose keys are in this column, with its value and
 * the end of the line. */
void w_yaml_add_member(
    struct w_buf *buf, yyjson_val *key, yyjson_val *val, size_t column);

/* Appends a whole document. */
void w_yaml_add(struct w_buf *buf, yyjson_val *root);

#endif /* W_DATA_YAML_WRITE_H */
