/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINE_WRITER_H
#define W_MCP_LINE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What waits to be written to a descriptor that may not take it: a client need
 * not read. Nothing here blocks, whatever the descriptor is.
 */
struct w_line_writer {
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
	W_LINE_WRITER_PAUSE = 8 * 1024 * 1024, /* nothing more is taken on */
	W_LINE_WRITER_MAX = 128 * 1024 * 1024, /* that a client never reads */
};

/* Takes over fd. */
void w_line_writer_open(struct w_line_writer *out, int fd);
void w_line_writer_close(struct w_line_writer *out);

/* Adds a line. */
void w_line_writer_add(struct w_line_writer *out, const char *text, size_t len);

/* Writes as much as is taken now. */
void w_line_writer_flush(struct w_line_writer *out);

size_t w_line_writer_waiting(const struct w_line_writer *out);

/* Makes *fd a descriptor of our own that does not block, where that is
 * possible: flags are those of open(). */
void w_line_writer_own(int *fd, int flags);

#endif /* W_MCP_LINE_WRITER_H */
