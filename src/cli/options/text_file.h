/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TEXT_FILE_H
#define W_CLI_TEXT_FILE_H

#include <writ/error.h>

#include "base/buf.h"

/* The kind of document, for messages. */
struct w_text_file_kind {
	const char *what;   /* "request" */
	const char *advice; /* if it is too large */
};

/* Reads a whole file, or standard input for "-". Fails with WRIT_E_INVALID if
 * it is longer than buf->max bytes. */
writ_status w_text_file_read(const struct w_text_file_kind *kind,
    const char *path, struct w_buf *buf, writ_error *err);

#endif /* W_CLI_TEXT_FILE_H */
