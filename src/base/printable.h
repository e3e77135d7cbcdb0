/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_PRINTABLE_H
#define W_BASE_PRINTABLE_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Text from elsewhere (arguments, paths, names of agents) as it may stand on a
 * terminal: whatever would move the cursor, change colours, or reorder or
 * hide letters is written out ("\x1b", "\n", "\u{202e}").
 *
 * Appends at most columns_max columns of it (0: all) and returns how many
 * they are; a text that was cut ends in an ellipsis.
 */
size_t w_printable_add(struct w_buf *buf, const char *text, size_t columns_max);

/* Appends all of some bytes, a NUL as "\x00". */
void w_printable_add_bytes(struct w_buf *buf, const char *bytes, size_t len);

/* Appends a word as it is quoted for a shell; what cannot be shown is written
 * out, in $'...'. No two words look the same. */
void w_printable_add_word(struct w_buf *buf, const char *word);

/* Columns of the terminal that the descriptor is; 0: it is none, or does not
 * say. */
size_t w_printable_terminal_columns(int fd);

#endif /* W_BASE_PRINTABLE_H */
