/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINE_WRITER_H
#define W_MCP_LINE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Buffers output for a client that may not read. Nothing here blocks, whatever
 * the descriptor is.
 */
struct w_line_writer {
	int fd;
	int shared_flags; /* to be restored; -1: unchanged */
	bool is_socket;
	bool is_broken; /* nobody reads any more, or never will */
	char *data;
	size_t cap;
	size_t begin; /* of unwritten data */
	size_t end;
};

enum {
	W_LINE_WRITER_PAUSE = 8 * 1024 * 1024, /* no more input is read */
	W_LINE_WRITER_MAX = 128 * 1024 * 1024, /* the client is given up */
};

/* Takes ownership of fd. */
void w_line_writer_open(struct w_line_writer *out, int fd);
void w_line_writer_close(struct w_line_writer *out);

/* Adds a line. */
void w_line_writer_add(struct w_line_writer *out, const char *text, size_t len);

/* Writes as much as possible now. */
void w_line_writer_flush(struct w_line_writer *out);

size_t w_line_writer_waiting(const struct w_line_writer *out);

/* Replaces *fd by a non-blocking descriptor of our own if possible; flags are
 * those of open(). */
void w_line_writer_own(int *fd, int flags);

#endif /* W_MCP_LINE_WRITER_H */
