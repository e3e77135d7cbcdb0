/* SPDX-License-Identifier: Apache-2.0 */
/* Lines out of pieces. */
#include "mcp/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEEP_CAP = 4 * W_LINES_PIECE /* more is given back when it is empty */
};

void
w_lines_init(struct w_lines *lines, size_t max)
{
	*lines = (struct w_lines){.max = max};
}

void
w_lines_done(struct w_lines *lines)
{
	free(lines->data);
	*lines = (struct w_lines){.max = lines->max};
}

static void
move_to_front(struct w_lines *lines)
{
	if (lines->begin == 0)
		return;
	memmove(
	    lines->data, lines->data + lines->begin, lines->end - lines->begin);
	lines->end -= lines->begin;
	lines->scanned -= lines->begin;
	lines->begin = 0;
}

char *
w_lines_room(struct w_lines *lines)
{
	if (lines->begin == lines->end && lines->cap > KEEP_CAP) {
		free(lines->data);
		*lines = (struct w_lines){
		    .max = lines->max, .is_skipping = lines->is_skipping};
	}
	move_to_front(lines);
	if (lines->cap - lines->end < W_LINES_PIECE) {
		const size_t cap = lines->cap * 2 + W_LINES_PIECE;
		char *data = realloc(lines->data, cap);
		if (data == NULL)
			return NULL;
		lines->data = data;
		lines->cap = cap;
	}
	return lines->data + lines->end;
}

void
w_lines_added(struct w_lines *lines, size_t len)
{
	lines->end += len;
}

static void
skip_all(struct w_lines *lines)
{
	lines->begin = 0;
	lines->end = 0;
	lines->scanned = 0;
}

static enum w_line
take(struct w_lines *lines, size_t end, const char **out_text, size_t *out_len)
{
	const char *text = lines->data + lines->begin;
	size_t len = end - lines->begin;

	if (lines->is_skipping || len > lines->max) {
		lines->is_skipping = false;
		return W_LINE_TOO_LONG;
	}
	if (len > 0 && text[len - 1] == '\r')
		len--;
	*out_text = text;
	*out_len = len;
	return W_LINE;
}

enum w_line
w_lines_next(struct w_lines *lines, const char **out_text, size_t *out_len)
{
	const char *newline = lines->scanned == lines->end
				  ? NULL
				  : memchr(lines->data + lines->scanned, '\n',
					lines->end - lines->scanned);

	if (newline == NULL) {
		lines->scanned = lines->end;
		if (lines->is_skipping ||
		    lines->end - lines->begin > lines->max) {
			lines->is_skipping = true;
			skip_all(lines);
		}
		return W_LINE_NONE;
	}

	const size_t end = (size_t)(newline - lines->data);
	enum w_line line = take(lines, end, out_text, out_len);
	lines->begin = end + 1;
	lines->scanned = lines->begin;
	return line;
}

enum w_line
w_lines_last(struct w_lines *lines, const char **out_text, size_t *out_len)
{
	if (lines->begin == lines->end && !lines->is_skipping)
		return W_LINE_NONE;

	enum w_line line = take(lines, lines->end, out_text, out_len);
	lines->begin = lines->end;
	lines->scanned = lines->end;
	return line;
}
