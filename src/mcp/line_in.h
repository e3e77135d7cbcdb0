/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINE_IN_H
#define W_MCP_LINE_IN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes that come in pieces, taken out line by line. Each byte is looked at
 * once and moved a bounded number of times. A line that is longer than max is
 * thrown away as it comes, up to its end.
 */
struct w_line_in {
	char *data;
	size_t cap;
	size_t begin;   /* of the first line that was not taken */
	size_t scanned; /* no newline between begin and here */
	size_t end;
	size_t max; /* of one line */
	bool is_skipping;
};

enum w_line {
	W_LINE_NONE, /* not without more bytes */
	W_LINE,
	W_LINE_TOO_LONG, /* there was one, and it is gone */
};

enum {
	W_LINE_IN_PIECE = 64 * 1024
};

void w_line_in_init(struct w_line_in *in, size_t max);
void w_line_in_done(struct w_line_in *in);

/* Where W_LINE_IN_PIECE bytes can be put; NULL: no memory. Only to be asked for
 * when there is no whole line left. */
char *w_line_in_room(struct w_line_in *in);
void w_line_in_added(struct w_line_in *in, size_t len);

/* The next line without its end (\n or \r\n), valid until the next call. */
enum w_line w_line_in_next(
    struct w_line_in *in, const char **out_text, size_t *out_len);

/* Likewise what is left when nothing more comes. */
enum w_line w_line_in_last(
    struct w_line_in *in, const char **out_text, size_t *out_len);

#endif /* W_MCP_LINE_IN_H */
