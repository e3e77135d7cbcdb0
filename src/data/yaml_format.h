/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_YAML_FORMAT_H
#define W_DATA_YAML_FORMAT_H

#include "base/buf.h"
#include "data/json.h"

/*
 * Formats YAML: two blanks for each level, lists further in than their key, one
 * blank behind '-' and ':', no blanks at the ends of lines, at most one empty
 * line in a row. Comments, quotes, order, and how texts and flow collections
 * are written stay.
 *
 * The result means the same: both texts are read, and compared. Fails with
 * WRIT_E_INVALID if the text is not YAML, or if it would come to mean something
 * else.
 */
writ_status w_yaml_format(const char *text, size_t len,
    const struct w_json_limits *limits, struct w_buf *out, writ_error *err);

#endif /* W_DATA_YAML_FORMAT_H */
