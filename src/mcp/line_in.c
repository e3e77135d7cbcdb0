/* SPDX-License-Identifier: Apache-2.0 */
/* Lines out of pieces. */
#include "mcp/line_in.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEEP_CAP = 4 * W_LINE_IN_PIECE /* more is given back when it is empty */
};

void
w_line_in_init(struct w_line_in *inlet, size_t max)
{
	*inlet = (struct w_line_in){.max = max};
}

void
w_line_in_done(struct w_line_in *inlet)
{
	free(inlet->data);
	*inlet = (struct w_line_in){.max = inlet->max};
}

static void
move_to_front(struct w_line_in *inlet)
{
	if (inlet->begin == 0)
		return;
	memmove(
	    inlet->data, inlet->data + inlet->begin, inlet->end - inlet->begin);
	inlet->end -= inlet->begin;
	inlet->scanned -= inlet->begin;
	inlet->begin = 0;
}

char *
w_line_in_room(struct w_line_in *inlet)
{
	if (inlet->begin == inlet->end && inlet->cap > KEEP_CAP) {
		free(inlet->data);
		*inlet = (struct w_line_in){
		    .max = inlet->max, .is_skipping = inlet->is_skipping};
	}
	move_to_front(inlet);
	if (inlet->cap - inlet->end < W_LINE_IN_PIECE) {
		const size_t cap = inlet->cap * 2 + W_LINE_IN_PIECE;
		char *data = realloc(inlet->data, cap);
		if (data == NULL)
			return NULL;
		inlet->data = data;
		inlet->cap = cap;
	}
	return inlet->data + inlet->end;
}

void
w_line_in_added(struct w_line_in *inlet, size_t len)
{
	inlet->end += len;
}

static void
skip_all(struct w_line_in *inlet)
{
	inlet->begin = 0;
	inlet->end = 0;
	inlet->scanned = 0;
}

static enum w_line
take(
    struct w_line_in *inlet, size_t end, const char **out_text, size_t *out_len)
{
	const char *text = inlet->data + inlet->begin;
	size_t len = end - inlet->begin;

	if (inlet->is_skipping || len > inlet->max) {
		inlet->is_skipping = false;
		return W_LINE_TOO_LONG;
	}
	if (len > 0 && text[len - 1] == '\r')
		len--;
	*out_text = text;
	*out_len = len;
	return W_LINE;
}

enum w_line
w_line_in_next(struct w_line_in *inlet, const char **out_text, size_t *out_len)
{
	const char *newline = inlet->scanned == inlet->end
				  ? NULL
				  : memchr(inlet->data + inlet->scanned, '\n',
					inlet->end - inlet->scanned);

	if (newline == NULL) {
		inlet->scanned = inlet->end;
		if (inlet->is_skipping ||
		    inlet->end - inlet->begin > inlet->max) {
			inlet->is_skipping = true;
			skip_all(inlet);
		}
		return W_LINE_NONE;
	}

	const size_t end = (size_t)(newline - inlet->data);
	enum w_line line = take(inlet, end, out_text, out_len);
	inlet->begin = end + 1;
	inlet->scanned = inlet->begin;
	return line;
}

enum w_line
w_line_in_last(struct w_line_in *inlet, const char **out_text, size_t *out_len)
{
	if (inlet->begin == inlet->end && !inlet->is_skipping)
		return W_LINE_NONE;

	enum w_line line = take(inlet, inlet->end, out_text, out_len);
	inlet->begin = inlet->end;
	inlet->scanned = inlet->end;
	return line;
}
