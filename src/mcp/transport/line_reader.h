/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINE_READER_H
#define W_MCP_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Splits a byte stream into lines. Each byte is scanned once and moved a
 * bounded number of times. A line longer than max is discarded as it arrives,
 * up to its end.
 */
struct w_line_reader {
	char *data;
	size_t cap;
	size_t begin;   /* of the first line not returned yet */
	size_t scanned; /* no newline between begin and here */
	size_t end;
	size_t max; /* maximum length of a line */
	bool is_skipping;
	/* Sees the bytes of a line that is discarded, from its beginning,
	 * begins: it is another line. NULL: nobody. */
	void (*on_skip)(void *ctx, const char *bytes, size_t len, bool begins);
	void *skip_ctx;
};

enum w_line_status {
	W_LINE_NONE, /* needs more bytes */
	W_LINE,
	W_LINE_TOO_LONG, /* one was discarded */
};

enum {
	W_LINE_READER_PIECE = 64 * 1024
};

void w_line_reader_init(struct w_line_reader *in, size_t max);
void w_line_reader_done(struct w_line_reader *in);

/* A buffer for W_LINE_READER_PIECE more bytes; NULL: no memory. Only valid when
 * no whole line is left. */
char *w_line_reader_room(struct w_line_reader *in);
void w_line_reader_added(struct w_line_reader *in, size_t len);

/* The next line without its end (\n or \r\n), valid until the next call. */
enum w_line_status w_line_reader_next(
    struct w_line_reader *in, const char **out_text, size_t *out_len);

/* Likewise, the unterminated rest at end of file. */
enum w_line_status w_line_reader_last(
    struct w_line_reader *in, const char **out_text, size_t *out_len);

#endif /* W_MCP_LINE_READER_H */
