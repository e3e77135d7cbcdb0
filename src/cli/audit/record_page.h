/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RECORD_PAGE_H
#define W_CLI_RECORD_PAGE_H

#include <stdbool.h>

#include <yyjson.h>

#include "base/buf.h"

/* Records as a page for people: sections of labels and values. What came from
 * elsewhere is written out as w_printable_add() does it. */
struct w_record_page {
	struct w_buf *out;
	bool has_colour;
};

void w_page_heading(struct w_record_page *page, const char *text);

/* One line; nothing for NULL or "". */
void w_page_row(
    struct w_record_page *page, const char *label, const char *text);

/* One line of any bytes, behind a mark. */
void w_page_bytes(struct w_record_page *page, const char *label,
    const char *mark, const char *bytes, size_t len);

/* The sections of a run from its begin (or refused) record and its end record,
 * which may be NULL. Members that no section knows come last. */
void w_page_run(struct w_record_page *page, yyjson_val *begin, yyjson_val *end);

/* Any record: every member, by its path. */
void w_page_record(struct w_record_page *page, yyjson_val *record);

#endif /* W_CLI_RECORD_PAGE_H */
