/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_REQUEST_FILE_H
#define W_CLI_REQUEST_FILE_H

#include <writ/draft.h>

/* Reads a JSON request from a file, or from standard input for "-", into the
 * draft: at most WRIT_REQUEST_MAX bytes. */
writ_status w_cli_request_read(
    writ_draft *draft, const char *path, writ_error *err);

#endif /* W_CLI_REQUEST_FILE_H */
