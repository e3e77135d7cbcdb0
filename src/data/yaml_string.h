/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_YAML_STRING_H
#define W_DATA_YAML_STRING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Whether every YAML reader takes it for this text. */
bool w_yaml_is_plain(const char *text, size_t len);

/* Appends a string as a value. If it is written in lines, they begin in that
 * column; 0: it stays on one line. */
void w_yaml_add_string(
    struct w_buf *buf, const char *text, size_t len, size_t column);

/* Appends a string as a key. false: the colon goes on a line of its own. */
bool w_yaml_add_key(struct w_buf *buf, const char *text, size_t len);

#endif /* W_DATA_YAML_STRING_H */
