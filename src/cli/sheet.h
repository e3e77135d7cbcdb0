/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SHEET_H
#define W_CLI_SHEET_H

#include <stdbool.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * Output that may be long, on its way to standard output or to a file: rows
 * are appended to buf, and what has gathered is written from time to time.
 */
struct w_sheet {
	struct w_buf buf;
	int fd;
	const char *path; /* borrowed; NULL: standard output */
	int sys_errno;    /* why it is broken; 0: it is not */
};

/* path NULL: standard output; else a file of mode 0600, which is emptied if
 * it is there. */
writ_status w_sheet_open(
    struct w_sheet *sheet, const char *path, writ_error *err);

/* After each row. false: it is broken, no more rows are needed. */
bool w_sheet_settle(struct w_sheet *sheet);

/* Writes what has gathered. false: it is broken. */
bool w_sheet_flush(struct w_sheet *sheet);

/* Closes without writing what has gathered. */
void w_sheet_drop(struct w_sheet *sheet);

/* Writes the rest and closes. Returns the exit status: 0, 1 after a message, or
 * that of a program whose reader is gone. */
int w_sheet_close(struct w_sheet *sheet);

#endif /* W_CLI_SHEET_H */
