/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINE_OUT_H
#define W_MCP_LINE_OUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What waits to be written to a descriptor that may not take it: a client need
 * not read. Nothing here blocks, whatever the descriptor is.
 */
struct w_line_out {
	int fd;
	int shared_flags; /* to be restored; -1: none were changed */
	bool is_socket;
	bool is_broken; /* nobody reads any more, or never will */
	char *data;
	size_t cap;
	size_t begin; /* of what was not written */
	size_t end;
};

enum {
	W_LINE_OUT_PAUSE = 8 * 1024 * 1024, /* nothing more is taken on */
	W_LINE_OUT_MAX = 128 * 1024 * 1024, /* that a client never reads */
};

/* Takes over fd. */
void w_line_out_open(struct w_line_out *out, int fd);
void w_line_out_close(struct w_line_out *out);

/* Adds a line. */
void w_line_out_add(struct w_line_out *out, const char *text, size_t len);

/* Writes as much as is taken now. */
void w_line_out_flush(struct w_line_out *out);

size_t w_line_out_waiting(const struct w_line_out *out);

/* Makes *fd a descriptor of our own that does not block, where that is
 * possible: flags are those of open(). */
void w_line_out_own(int *fd, int flags);

#endif /* W_MCP_LINE_OUT_H */
