/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TEXT_TABLE_H
#define W_CLI_TEXT_TABLE_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * A table for people: columns as wide as what is in them. On a terminal the
 * last one is cut where the line would wrap; in a pipe everything is whole
 * and nothing is coloured. Cells pass w_printable_add().
 */
struct w_text_table {
	const char *const *headings; /* borrowed; NULL-ended. One that begins
					with '>' stands over numbers: its
					column is flush right */
	size_t columns;
	struct w_buf cells;  /* each ends with a NUL */
	struct w_buf widths; /* a size_t for each */
	struct w_buf tints;  /* a pointer for each; NULL: no colour */
	size_t count;
	size_t first_max;  /* bytes of the first cell in a row that are shown;
			      0: all. Only for cells of ASCII */
	bool is_continued; /* a page of the table was printed: no headings */
};

void w_text_table_init(struct w_text_table *table, const char *const *headings);
void w_text_table_done(struct w_text_table *table);

/* The next cell, row by row; NULL or "" is shown as "-". */
void w_text_table_add(struct w_text_table *table, const char *text);

/* Colours the cell that was added last: the parameters of an SGR sequence
 * ("31"), borrowed. Counts only where there are colours. */
void w_text_table_tint(struct w_text_table *table, const char *colour);

/* Writes the table to standard output and empties it; rows that are added
 * later continue it. Returns the exit status. */
int w_text_table_print(struct w_text_table *table);

#endif /* W_CLI_TEXT_TABLE_H */
