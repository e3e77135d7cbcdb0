/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SPELLING_TYPE_H
#define W_COMMAND_SPELLING_TYPE_H

#include "command/description/spelling.h"

/* Parses what is between "<" and ">", from an offset of the text on. */
writ_status w_spelling_type(struct w_spelling *spelling, size_t from,
    size_t len, struct w_value_type *out_type);

/* The JSON types of a value of that kind, as W_TYPE_ bits. */
unsigned w_spelling_json_types(enum w_value_type_kind kind);

/* Fails with the spelling before the message, and notes the offset. */
writ_status w_spelling_refuse(struct w_spelling *spelling, size_t at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

#endif /* W_COMMAND_SPELLING_TYPE_H */
