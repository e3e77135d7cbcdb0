/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a byte stream into lines. */
#include "mcp/transport/line_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEEP_CAP =
	    4 * W_LINE_READER_PIECE /* a larger buffer is freed when empty */
};

void
w_line_reader_init(struct w_line_reader *in, size_t max)
{
	*in = (struct w_line_reader){.max = max};
}

void
w_line_reader_done(struct w_line_reader *in)
{
	free(in->data);
	*in = (struct w_line_reader){.max = in->max};
}

/* Discards bytes of a line that is too long. */
static void
line_reader_skip(struct w_line_reader *in, const char *bytes, size_t len)
{
	if (in->on_skip != NULL)
		in->on_skip(in->skip_ctx, bytes, len, !in->is_skipping);
	in->is_skipping = true;
}

/* A buffer that grew for a long line is freed at once. */
static void
line_reader_empty(struct w_line_reader *in)
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
line_reader_grow(struct w_line_reader *in)
{
	if (in->cap - in->end >= W_LINE_READER_PIECE)
		return true;

	const size_t cap = in->cap * 2 + W_LINE_READER_PIECE;
	char *data = realloc(in->data, cap);
	if (data == NULL)
		return false;
	in->data = data;
	in->cap = cap;
	return true;
}

char *
w_line_reader_room(struct w_line_reader *in)
{
	if (in->begin > 0) {
		memmove(in->data, in->data + in->begin, in->end - in->begin);
		in->end -= in->begin;
		in->scanned -= in->begin;
		in->begin = 0;
	}
	if (!line_reader_grow(in)) {
		/* Without memory, the line counts as too long. */
		if (in->end > 0)
			line_reader_skip(in, in->data, in->end);
		line_reader_empty(in);
		if (!line_reader_grow(in))
			return NULL;
	}
	return in->data + in->end;
}

void
w_line_reader_added(struct w_line_reader *in, size_t len)
{
	in->end += len;
}

static enum w_line_status
line_reader_cut(struct w_line_reader *in, size_t end, const char **out_text,
    size_t *out_len)
{
	const char *text = in->data + in->begin;
	size_t len = end - in->begin;

	if (in->is_skipping || len > in->max) {
		line_reader_skip(in, text, len);
		in->is_skipping = false;
		return W_LINE_TOO_LONG;
	}
	if (len > 0 && text[len - 1] == '\r')
		len--;
	*out_text = text;
	*out_len = len;
	return W_LINE;
}

enum w_line_status
w_line_reader_next(
    struct w_line_reader *in, const char **out_text, size_t *out_len)
{
	const char *newline =
	    in->scanned == in->end
		? NULL
		: memchr(in->data + in->scanned, '\n', in->end - in->scanned);

	if (newline == NULL) {
		in->scanned = in->end;
		if (in->is_skipping || in->end - in->begin > in->max) {
			line_reader_skip(
			    in, in->data + in->begin, in->end - in->begin);
			line_reader_empty(in);
		} else if (in->begin == in->end) {
			line_reader_empty(in);
		}
		return W_LINE_NONE;
	}

	const size_t end = (size_t)(newline - in->data);
	enum w_line_status line = line_reader_cut(in, end, out_text, out_len);
	in->begin = end + 1;
	in->scanned = in->begin;
	return line;
}

enum w_line_status
w_line_reader_last(
    struct w_line_reader *in, const char **out_text, size_t *out_len)
{
	if (in->begin == in->end && !in->is_skipping)
		return W_LINE_NONE;

	enum w_line_status line =
	    line_reader_cut(in, in->end, out_text, out_len);
	in->begin = in->end;
	in->scanned = in->end;
	return line;
}
