/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TEXT_FILE_H
#define W_CLI_TEXT_FILE_H

#include <writ/error.h>

#include "base/buf.h"

/* A document that a command line names, from a file or from a pipe. */
struct w_text_file_kind {
	const char *what;   /* "request": for messages */
	const char *advice; /* for one that is too large */
};

/* Reads all of it, or of standard input for "-". It may be endless: never more
 * than buf->max bytes are held. */
writ_status w_text_file_read(const struct w_text_file_kind *kind,
    const char *path, struct w_buf *buf, writ_error *err);

#endif /* W_CLI_TEXT_FILE_H */
