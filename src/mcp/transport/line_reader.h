/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINE_READER_H
#define W_MCP_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes that come in pieces, taken out line by line. Each byte is looked at
 * once and moved a bounded number of times. A line that is longer than max is
 * thrown away as it comes, up to its end.
 */
struct w_line_reader {
	char *data;
	size_t cap;
	size_t begin;   /* of the first line that was not taken */
	size_t scanned; /* no newline between begin and here */
	size_t end;
	size_t max; /* of one line */
	bool is_skipping;
};

enum w_line_status {
	W_LINE_NONE, /* not without more bytes */
	W_LINE,
	W_LINE_TOO_LONG, /* there was one, and it is gone */
};

enum {
	W_LINE_READER_PIECE = 64 * 1024
};

void w_line_reader_init(struct w_line_reader *in, size_t max);
void w_line_reader_done(struct w_line_reader *in);

/* Where W_LINE_READER_PIECE bytes can be put; NULL: no memory. Only to be asked
 * for when there is no whole line left. */
char *w_line_reader_room(struct w_line_reader *in);
void w_line_reader_added(struct w_line_reader *in, size_t len);

/* The next line without its end (\n or \r\n), valid until the next call. */
enum w_line_status w_line_reader_next(
    struct w_line_reader *in, const char **out_text, size_t *out_len);

/* Likewise what is left when nothing more comes. */
enum w_line_status w_line_reader_last(
    struct w_line_reader *in, const char **out_text, size_t *out_len);

#endif /* W_MCP_LINE_READER_H */
