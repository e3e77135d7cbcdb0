/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LINE_EDITOR_H
#define W_CLI_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * One line of text that is edited: keys come in as the bytes of a terminal, a
 * picture of the line goes out. Knows nothing of the terminal itself.
 *
 * Only characters that can be seen get into the text, and it is always UTF-8.
 */
#define W_EDITOR_MAX 1024

enum w_editor_state {
	W_EDITOR_OPEN,
	W_EDITOR_DONE,    /* Enter */
	W_EDITOR_ABORTED, /* Ctrl-C, Ctrl-D, or Escape twice */
};

struct w_line_editor {
	char text[W_EDITOR_MAX]; /* ends with NUL */
	size_t len;
	size_t at;     /* where the next character goes */
	char keys[16]; /* the beginning of a key or character */
	size_t key_count;
};

/* Begins with a text, of which as much is taken as has room. */
void w_editor_init(struct w_line_editor *edit, const char *text);

/* Takes one byte. */
enum w_editor_state w_editor_accept(struct w_line_editor *edit, char byte);

/* Appends what draws the line anew, the cursor in its place: in a terminal of
 * so many columns, 0: of any. */
void w_editor_draw(const struct w_line_editor *edit, const char *prompt,
    size_t columns, struct w_buf *out);

#endif /* W_CLI_LINE_EDITOR_H */
