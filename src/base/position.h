/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_POSITION_H
#define W_BASE_POSITION_H

#include <stddef.h>

#include "base/error.h"

/* Line and column of a byte, both from 1, the column in bytes. */
void w_position_of(
    const char *text, size_t offset, unsigned *out_line, unsigned *out_column);

/* Adds the position of a byte of the parsed text to an error. */
void w_locate_offset(writ_error *err, const char *text, size_t offset)
    __attribute__((cold));

#endif /* W_BASE_POSITION_H */
