/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SESSION_ROWS_H
#define W_CLI_SESSION_ROWS_H

#include <writ/session.h>

#include "base/buf.h"
#include "cli/output/text_table.h"

/*
 * The live sessions in a listing: rows of a table, ids, or JSON objects.
 */
struct w_session_rows {
	struct w_text_table *table; /* NULL: text is used */
	struct w_buf *text;
	bool is_json;
	size_t count;
};

extern const char *const w_cli_session_headings[];

/* A writ_session_fn; ctx is a struct w_session_rows. */
void w_cli_session_rows_add(void *ctx, const writ_session_info *info);

/* One JSON object. */
void w_cli_session_add_json(struct w_buf *buf, const writ_session_info *info);

/* "idle 2h", "3 runs". */
#define W_CLI_SESSION_USE_MAX 64
void w_cli_session_use(
    const writ_session_info *info, char out[W_CLI_SESSION_USE_MAX]);

/* Fails if a run called: it must not start, choose or end a session. */
writ_status w_cli_session_check_caller(writ_error *err);

#endif /* W_CLI_SESSION_ROWS_H */
