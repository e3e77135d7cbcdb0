/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TEXT_TABLE_H
#define W_CLI_TEXT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * A table whose columns are as wide as their cells. On a terminal the last
 * column is cut where the line would wrap, and the widest others are cut if it
 * would get too little; in a pipe nothing is cut and nothing is coloured. Cells
 * go through w_printable_add().
 */
struct w_text_table {
	const char *const *headings; /* borrowed; NULL-ended. A column whose
					heading begins with '>' is aligned
					right */
	size_t columns;
	struct w_buf cells;  /* each ends with a NUL */
	struct w_buf widths; /* a size_t for each */
	struct w_buf tints;  /* a pointer for each; NULL: no colour */
	size_t count;
	size_t first_max;  /* bytes of the first column that are shown; 0: all.
			      Its cells must be ASCII */
	bool is_continued; /* rows were printed already: no headings */
};

void w_text_table_init(struct w_text_table *table, const char *const *headings);
void w_text_table_done(struct w_text_table *table);

/* The next cell, row by row; NULL or "" is shown as "-". */
void w_text_table_add(struct w_text_table *table, const char *text);
/* A number; 0 is empty. */
void w_text_table_add_count(struct w_text_table *table, uint64_t number);

/* Colours the cell that was added last: SGR parameters ("31"), borrowed.
 * Ignored where colours are off. */
void w_text_table_tint(struct w_text_table *table, const char *colour);

/* Prints the rows to standard output and removes them; later rows continue the
 * table. Returns the exit status. */
int w_text_table_print(struct w_text_table *table);

#endif /* W_CLI_TEXT_TABLE_H */
