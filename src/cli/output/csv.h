/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CSV_H
#define W_CLI_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Rows of CSV by RFC 4180: commas, double quotes where a value needs them,
 * CR LF at the end.
 *
 * A spreadsheet evaluates a cell that begins with = + - @ (or a tab, a carriage
 * return or a newline before them) as a formula. Such text gets a single quote
 * in front, which makes it plain text. Numbers need none: they are never
 * negative.
 */
struct w_csv {
	struct w_buf *out;
	bool has_cell; /* the row is not empty */
};

/* NULL is an empty value. */
void w_csv_text(struct w_csv *csv, const char *text);
void w_csv_number(struct w_csv *csv, uint64_t number);
void w_csv_end_row(struct w_csv *csv);

#endif /* W_CLI_CSV_H */
