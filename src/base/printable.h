/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_PRINTABLE_H
#define W_BASE_PRINTABLE_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Untrusted text (arguments, paths, names of agents) made safe for a terminal:
 * whatever would move the cursor, change colours, or reorder or hide letters is
 * escaped ("\x1b", "\n", "\u{202e}").
 *
 * Appends at most columns_max columns of it (0: all) and returns their number;
 * a text that was cut ends in an ellipsis.
 */
size_t w_printable_add(struct w_buf *buf, const char *text, size_t columns_max);

/* Appends bytes, a NUL as "\x00". */
void w_printable_add_bytes(struct w_buf *buf, const char *bytes, size_t len);

/* Appends a word, quoted for a shell; what cannot be shown is escaped in
 * $'...'. No two words look the same. */
void w_printable_add_word(struct w_buf *buf, const char *word);

/* The columns of a terminal; 0: not a terminal, or unknown. */
size_t w_printable_terminal_columns(int fd);

#endif /* W_BASE_PRINTABLE_H */
