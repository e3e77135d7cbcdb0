/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LINE_EDITOR_H
#define W_CLI_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * A line editor: bytes from a terminal go in, bytes that draw the line come
 * out. It does no I/O itself.
 *
 * The text is always valid UTF-8 and has only printable characters.
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
	size_t at;     /* offset of the cursor */
	char keys[16]; /* an incomplete key sequence or character */
	size_t key_count;
};

/* Starts with a text, cut to what fits. */
void w_editor_init(struct w_line_editor *edit, const char *text);

enum w_editor_state w_editor_accept(struct w_line_editor *edit, char byte);

/* Whether Escape was pressed, or a key that begins with it: if no byte follows
 * soon, it was Escape. */
bool w_editor_has_escape(const struct w_line_editor *edit);

/* Appends the bytes that redraw the line and place the cursor. columns: of the
 * terminal; 0: unlimited. */
void w_editor_draw(const struct w_line_editor *edit, const char *prompt,
    size_t columns, struct w_buf *out);

#endif /* W_CLI_LINE_EDITOR_H */
