/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_PLACE_H
#define W_DATA_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

/*
 * Finds the place of any value or key of a JSON text, both from 1, the column
 * in bytes. root is the root of the tree read from the text, and val is in it.
 * false: it is not.
 *
 * It scans the text up to there, so use it for errors, not for every value.
 */
bool w_json_find_place(const char *text, size_t len, const yyjson_val *root,
    const yyjson_val *val, unsigned *out_line, unsigned *out_column);

#endif /* W_DATA_JSON_PLACE_H */
