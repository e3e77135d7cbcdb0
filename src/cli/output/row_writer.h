/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ROW_WRITER_H
#define W_CLI_ROW_WRITER_H

#include <stdbool.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * Output that may be long, on its way to standard output or to a file: rows
 * are appended to buf, and what has gathered is written from time to time.
 */
struct w_row_writer {
	struct w_buf buf;
	int fd;
	const char *path; /* borrowed; NULL: standard output */
	int sys_errno;    /* why it is broken; 0: it is not */
};

/* path NULL: standard output; else a file of mode 0600, which is emptied if
 * it is there. */
writ_status w_row_writer_open(
    struct w_row_writer *row_writer, const char *path, writ_error *err);

/* After each row. false: it is broken, no more rows are needed. */
bool w_row_writer_end_row(struct w_row_writer *row_writer);

/* Writes what has gathered. false: it is broken. */
bool w_row_writer_flush(struct w_row_writer *row_writer);

/* Closes without writing what has gathered. */
void w_row_writer_drop(struct w_row_writer *row_writer);

/* Writes the rest and closes. Returns the exit status: 0, 1 after a message, or
 * that of a program whose reader is gone. */
int w_row_writer_close(struct w_row_writer *row_writer);

#endif /* W_CLI_ROW_WRITER_H */
