/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ROW_WRITER_H
#define W_CLI_ROW_WRITER_H

#include <stdbool.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * Buffered output to standard output or to a file. The caller appends rows to
 * buf; w_row_writer_end_row() writes it when it is large enough.
 */
struct w_row_writer {
	struct w_buf buf;
	int fd;
	const char *path; /* borrowed; NULL: standard output */
	int sys_errno;    /* the first write error; 0: none */
};

/* path NULL: standard output; else a file, created with mode 0600 or
 * truncated. */
writ_status w_row_writer_open(
    struct w_row_writer *row_writer, const char *path, writ_error *err);

/* Call it after each row. false: writing failed; no more rows are needed. */
bool w_row_writer_end_row(struct w_row_writer *row_writer);

/* Writes the buffer. false: writing failed. */
bool w_row_writer_flush(struct w_row_writer *row_writer);

/* Closes without writing the buffer. */
void w_row_writer_drop(struct w_row_writer *row_writer);

/* Writes the buffer and closes. Returns the exit status: 0, 1 after a message,
 * or 128 + SIGPIPE after EPIPE. */
int w_row_writer_close(struct w_row_writer *row_writer);

#endif /* W_CLI_ROW_WRITER_H */
