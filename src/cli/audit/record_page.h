/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RECORD_PAGE_H
#define W_CLI_RECORD_PAGE_H

#include <stdbool.h>

#include <yyjson.h>

#include "base/buf.h"

/* Records as text: sections of labels and values. Values from outside go
 * through w_printable_add(). */
struct w_record_page {
	struct w_buf *out;
	bool has_colour;
};

void w_page_heading(struct w_record_page *page, const char *text);

/* One line; nothing for NULL or "". */
void w_page_row(
    struct w_record_page *page, const char *label, const char *text);

/* One line of any bytes, after a mark. */
void w_page_bytes(struct w_record_page *page, const char *label,
    const char *mark, const char *bytes, size_t len);

/* The sections of a run from its begin (or refused) record and its end record,
 * which may be NULL. Members without a section come last. */
void w_page_run(struct w_record_page *page, yyjson_val *begin, yyjson_val *end);

/* Every member of any record. */
void w_page_record(struct w_record_page *page, yyjson_val *record);

#endif /* W_CLI_RECORD_PAGE_H */
