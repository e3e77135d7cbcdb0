/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EDIT_EDIT_LINES_H
#define W_EDIT_EDIT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* A text cut into lines. The text is borrowed. */
struct w_edit_line {
	const char *text;
	size_t len;   /* without its end */
	size_t whole; /* with "\n" or "\r\n"; the last line may have no end */
};

struct w_edit_lines {
	struct w_edit_line *items;
	size_t count;
};

/* false: no memory. */
bool w_edit_lines_init(
    struct w_edit_lines *lines, const char *text, size_t len);
void w_edit_lines_done(struct w_edit_lines *lines);
#define W_AUTO_LINES __attribute__((cleanup(w_edit_lines_done)))

/* The line, from 1, that an offset is in. */
size_t w_edit_line_of(const char *text, size_t offset);

/* Whether every line that has an end ends with "\r\n", and there is one. */
bool w_edit_is_crlf(const char *text, size_t len);

/* Appends a text with "\r\n" for each "\n" that has no "\r" before it. */
void w_edit_add_crlf(struct w_buf *buf, const char *text, size_t len);

/*
 * Appends at most columns_max bytes of a line, so that it stays one line of
 * valid UTF-8: control characters and malformed bytes as "\xNN". What was cut
 * is said.
 */
void w_edit_add_shown(
    struct w_buf *buf, const char *text, size_t len, size_t bytes_max);

#endif /* W_EDIT_EDIT_LINES_H */
