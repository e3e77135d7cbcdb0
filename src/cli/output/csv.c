/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes CSV for spreadsheets; text never becomes a formula there.
 */

#include "cli/output/csv.h"

#include <inttypes.h>
#include <string.h>

static void
begin_cell(struct w_csv *csv)
{
	if (csv->has_cell)
		w_buf_add_char(csv->out, ',');
	csv->has_cell = true;
}

void
w_csv_text(struct w_csv *csv, const char *text)
{
	begin_cell(csv);
	if (text == NULL || text[0] == '\0')
		return;

	const bool is_formula = strchr("=+-@\t\r\n", text[0]) != NULL;
	const bool is_quoted = text[strcspn(text, ",\"\r\n")] != '\0';
	if (is_quoted)
		w_buf_add_char(csv->out, '"');
	if (is_formula)
		w_buf_add_char(csv->out, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			w_buf_add_char(csv->out, '"');
		w_buf_add_char(csv->out, *text);
	}
	if (is_quoted)
		w_buf_add_char(csv->out, '"');
}

void
w_csv_number(struct w_csv *csv, uint64_t number)
{
	begin_cell(csv);
	w_buf_add_fmt(csv->out, "%" PRIu64, number);
}

void
w_csv_end_row(struct w_csv *csv)
{
	w_buf_add_str(csv->out, "\r\n");
	csv->has_cell = false;
}
