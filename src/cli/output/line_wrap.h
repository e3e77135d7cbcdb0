/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LINE_WRAP_H
#define W_CLI_LINE_WRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/words.h"

/*
 * Appends a text as lines of at most so many columns. The text is printable
 * already (base/printable.h). The first line begins with `first`, the others
 * with `rest`.
 *
 * A line is broken after a blank, which stays at its end. A word that has to
 * be broken leaves a backslash at the end of the line, as in a shell; an escape
 * ("\x1b") is never broken. So the text can be read back from its lines.
 * false: no memory.
 */
bool w_wrap_lines(struct w_words *lines, const char *text, const char *first,
    const char *rest, size_t columns);

/* The columns of a line, without its colour sequences. */
size_t w_wrap_columns(const char *line);

/* Appends a part of a text of so many columns at most; a cut text ends in an
 * ellipsis. Returns whether it was cut. */
bool w_wrap_add_cut(struct w_buf *buf, const char *text, size_t columns);

#endif /* W_CLI_LINE_WRAP_H */
