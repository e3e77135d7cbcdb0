/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CSV_H
#define W_CLI_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Rows of CSV as RFC 4180 has them: commas, double quotes where a value needs
 * them, CR LF at the end.
 *
 * A spreadsheet runs a cell that begins with = + - @ (or a tab, a carriage
 * return or a newline before them) as a formula. Such a text gets a single
 * quote in front, which spreadsheets show as plain text; numbers never need
 * it, since none is negative.
 */
struct w_csv {
	struct w_buf *out;
	bool has_cell; /* in this row */
};

/* NULL is an empty value. */
void w_csv_text(struct w_csv *csv, const char *text);
void w_csv_number(struct w_csv *csv, uint64_t number);
void w_csv_end_row(struct w_csv *csv);

#endif /* W_CLI_CSV_H */
