/* SPDX-License-Identifier: Apache-2.0 */
/* Lines out of pieces. */
#include "mcp/line_in.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEEP_CAP = 4 * W_LINE_IN_PIECE /* more is given back when it is empty */
};

void
w_line_in_init(struct w_line_in *in, size_t max)
{
	*in = (struct w_line_in){.max = max};
}

void
w_line_in_done(struct w_line_in *in)
{
	free(in->data);
	*in = (struct w_line_in){.max = in->max};
}

static void
move_to_front(struct w_line_in *in)
{
	if (in->begin == 0)
		return;
	memmove(in->data, in->data + in->begin, in->end - in->begin);
	in->end -= in->begin;
	in->scanned -= in->begin;
	in->begin = 0;
}

/* Nothing is left in it; what a long line needed is given back at once. */
static void
empty(struct w_line_in *in)
{
	in->begin = 0;
	in->end = 0;
	in->scanned = 0;
	if (in->cap > KEEP_CAP) {
		free(in->data);
		in->data = NULL;
		in->cap = 0;
	}
}

static bool
grow(struct w_line_in *in)
{
	if (in->cap - in->end >= W_LINE_IN_PIECE)
		return true;

	const size_t cap = in->cap * 2 + W_LINE_IN_PIECE;
	char *data = realloc(in->data, cap);
	if (data == NULL)
		return false;
	in->data = data;
	in->cap = cap;
	return true;
}

char *
w_line_in_room(struct w_line_in *in)
{
	move_to_front(in);
	if (!grow(in)) {
		/* A line that memory does not suffice for is too long. */
		if (in->end > 0)
			in->is_skipping = true;
		empty(in);
		if (!grow(in))
			return NULL;
	}
	return in->data + in->end;
}

void
w_line_in_added(struct w_line_in *in, size_t len)
{
	in->end += len;
}

static enum w_line
take(struct w_line_in *in, size_t end, const char **out_text, size_t *out_len)
{
	const char *text = in->data + in->begin;
	size_t len = end - in->begin;

	if (in->is_skipping || len > in->max) {
		in->is_skipping = false;
		return W_LINE_TOO_LONG;
	}
	if (len > 0 && text[len - 1] == '\r')
		len--;
	*out_text = text;
	*out_len = len;
	return W_LINE;
}

enum w_line
w_line_in_next(struct w_line_in *in, const char **out_text, size_t *out_len)
{
	const char *newline =
	    in->scanned == in->end
		? NULL
		: memchr(in->data + in->scanned, '\n', in->end - in->scanned);

	if (newline == NULL) {
		in->scanned = in->end;
		if (in->is_skipping || in->end - in->begin > in->max) {
			in->is_skipping = true;
			empty(in);
		} else if (in->begin == in->end) {
			empty(in);
		}
		return W_LINE_NONE;
	}

	const size_t end = (size_t)(newline - in->data);
	enum w_line line = take(in, end, out_text, out_len);
	in->begin = end + 1;
	in->scanned = in->begin;
	return line;
}

enum w_line
w_line_in_last(struct w_line_in *in, const char **out_text, size_t *out_len)
{
	if (in->begin == in->end && !in->is_skipping)
		return W_LINE_NONE;

	enum w_line line = take(in, in->end, out_text, out_len);
	in->begin = in->end;
	in->scanned = in->end;
	return line;
}
