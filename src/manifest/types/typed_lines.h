/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_TYPED_LINES_H
#define W_MANIFEST_TYPED_LINES_H

#include "manifest/types/edit.h"

/* A text as lines, with their ends: "\n", "\r\n", or nothing at the end. */
struct w_typed_lines {
	const char *text;
	size_t len;
	size_t *starts; /* of each line, and len behind the last */
	size_t count;
	const char *newline; /* what the text ends its lines with */
};

writ_status w_typed_lines_read(
    struct w_typed_lines *lines, const char *text, size_t len, writ_error *err);
void w_typed_lines_done(struct w_typed_lines *lines);

/* The line without its end. */
const char *w_typed_line(
    const struct w_typed_lines *lines, size_t at, size_t *out_len);
bool w_typed_line_is(
    const struct w_typed_lines *lines, size_t at, const char *text);

/* Appends the lines as they are, from the first up to the second. */
void w_typed_lines_keep(struct w_buf *out, const struct w_typed_lines *lines,
    size_t from, size_t to);
/* Appends a text of one or more lines. The line before it gets an end. */
void w_typed_lines_put(
    struct w_buf *out, const struct w_typed_lines *lines, const char *text);

#define W_TYPED_NOWHERE ((size_t)-1)

/* The first or last line that matches; W_TYPED_NOWHERE: none. */
writ_status w_typed_lines_find(const struct w_typed_lines *lines,
    const char *pattern, bool is_last, size_t *out_at, writ_error *err);

#endif /* W_MANIFEST_TYPED_LINES_H */
