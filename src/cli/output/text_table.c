/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tables with aligned columns.
 */

#include "cli/output/text_table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/output/print.h"

#define TABLE_MAX   ((size_t)256 << 20)
#define COLUMNS_MAX 16
#define GAP         2
#define LAST_MIN    10 /* columns that the last cell always gets */
#define LAST_WANTED 14 /* for these, other columns become narrower */
#define NARROW_MIN  8  /* but not narrower than this */

void
w_text_table_init(struct w_text_table *table, const char *const *headings)
{
	*table = (struct w_text_table){.headings = headings};
	while (table->columns < COLUMNS_MAX && headings[table->columns] != NULL)
		table->columns++;
	w_buf_init(&table->cells, TABLE_MAX);
	w_buf_init(&table->widths, TABLE_MAX);
	w_buf_init(&table->tints, TABLE_MAX);
}

void
w_text_table_done(struct w_text_table *table)
{
	w_buf_done(&table->cells);
	w_buf_done(&table->widths);
	w_buf_done(&table->tints);
}

void
w_text_table_add(struct w_text_table *table, const char *text)
{
	static const char *const no_tint = NULL;
	const bool is_empty = text == NULL || text[0] == '\0';
	size_t width = w_printable_add(&table->cells, is_empty ? "-" : text, 0);

	w_buf_add_char(&table->cells, '\0');
	w_buf_add(&table->widths, &width, sizeof(width));
	w_buf_add(&table->tints, &no_tint, sizeof(no_tint));
	table->count++;
}

void
w_text_table_tint(struct w_text_table *table, const char *colour)
{
	if (table->count == 0 || table->tints.failed)
		return;
	memcpy(table->tints.data + (table->count - 1) * sizeof(colour), &colour,
	    sizeof(colour));
}

static size_t
width_at(const struct w_text_table *table, size_t i)
{
	size_t width;

	assert(table->columns > 0);
	memcpy(&width, table->widths.data + i * sizeof(width), sizeof(width));
	if (i % table->columns == 0 && table->first_max > 0 &&
	    width > table->first_max)
		return table->first_max;
	return width;
}

static bool
is_right(const struct w_text_table *table, size_t column)
{
	return table->headings[column][0] == '>';
}

static const char *
heading(const struct w_text_table *table, size_t column)
{
	return table->headings[column] + is_right(table, column);
}

static void
text_table_measure(const struct w_text_table *table, size_t widest[COLUMNS_MAX])
{
	for (size_t i = 0; i < table->columns; i++)
		widest[i] = strlen(heading(table, i));
	for (size_t i = 0; i < table->count; i++) {
		size_t width = width_at(table, i);

		if (width > widest[i % table->columns])
			widest[i % table->columns] = width;
	}
}

static void
add_blanks(struct w_buf *out, size_t count)
{
	for (; count > 0; count--)
		w_buf_add_char(out, ' ');
}

static void
add_headings(struct w_buf *out, const struct w_text_table *table,
    const size_t widest[COLUMNS_MAX])
{
	const bool has_colour = w_print_has_colour(STDOUT_FILENO);

	w_buf_add_str(out, has_colour ? "\033[1m" : "");
	for (size_t i = 0; i < table->columns; i++) {
		const char *text = heading(table, i);
		const size_t room = widest[i] - strlen(text);

		add_blanks(out, is_right(table, i) ? room : 0);
		w_buf_add_str(out, text);
		if (i + 1 < table->columns)
			add_blanks(out, GAP + (is_right(table, i) ? 0 : room));
	}
	w_buf_add_str(out, has_colour ? "\033[0m\n" : "\n");
}

/* The widest column that can become narrower: ids and numbers, first and right
 * aligned, stay whole. COLUMNS_MAX: none. */
static size_t
find_widest(const struct w_text_table *table, const size_t widest[COLUMNS_MAX])
{
	size_t found = COLUMNS_MAX;

	for (size_t i = 1; i + 1 < table->columns; i++) {
		if (is_right(table, i) || widest[i] <= NARROW_MIN ||
		    widest[i] <= strlen(heading(table, i)))
			continue;
		if (found == COLUMNS_MAX || widest[i] > widest[found])
			found = i;
	}
	return found;
}

/* On a terminal, makes room for the last column. */
static void
text_table_fit(const struct w_text_table *table, size_t widest[COLUMNS_MAX])
{
	const size_t line = w_printable_terminal_columns(STDOUT_FILENO);
	const size_t last = widest[table->columns - 1];
	size_t used = last < LAST_WANTED ? last : LAST_WANTED;

	for (size_t i = 0; i + 1 < table->columns; i++)
		used += widest[i] + GAP;
	for (; line > 0 && used > line; used--) {
		const size_t column = find_widest(table, widest);

		if (column == COLUMNS_MAX)
			return;
		widest[column]--;
	}
}

/* Columns left for the last cell; 0: unlimited. */
static size_t
room_for_last(
    const struct w_text_table *table, const size_t widest[COLUMNS_MAX])
{
	const size_t line = w_printable_terminal_columns(STDOUT_FILENO);
	size_t used = 0;

	for (size_t i = 0; i + 1 < table->columns; i++)
		used += widest[i] + GAP;
	if (line == 0)
		return 0;
	return line > used + LAST_MIN ? line - used : LAST_MIN;
}

static void
add_cell(struct w_buf *out, const struct w_text_table *table, size_t i,
    const char *cell, size_t room)
{
	const char *colour = NULL;

	if (w_print_has_colour(STDOUT_FILENO))
		memcpy(&colour, table->tints.data + i * sizeof(colour),
		    sizeof(colour));
	if (colour != NULL)
		w_buf_add_fmt(out, "\033[%sm", colour);
	if (room > 0)
		(void)w_printable_add(out, cell, room);
	else if (i % table->columns == 0 && table->first_max > 0)
		w_buf_add(out, cell, strnlen(cell, table->first_max));
	else
		w_buf_add_str(out, cell);
	if (colour != NULL)
		w_buf_add_str(out, "\033[0m");
}

static void
add_rows(struct w_buf *out, const struct w_text_table *table)
{
	const char *cell = table->cells.data;
	size_t widest[COLUMNS_MAX] = {0};

	text_table_measure(table, widest);
	text_table_fit(table, widest);
	const size_t room = room_for_last(table, widest);
	if (!table->is_continued)
		add_headings(out, table, widest);
	for (size_t i = 0; !out->failed && i < table->count; i++) {
		const size_t column = i % table->columns;
		const bool is_last = column + 1 == table->columns;

		const size_t width = width_at(table, i);
		const bool is_cut = !is_last && width > widest[column];
		const size_t blanks = is_cut || (is_last && room > 0)
					  ? 0
					  : widest[column] - width;

		add_blanks(out, is_right(table, column) ? blanks : 0);
		add_cell(out, table, i, cell,
		    is_last  ? room
		    : is_cut ? widest[column]
			     : 0);
		if (is_last)
			w_buf_add_char(out, '\n');
		else
			add_blanks(
			    out, GAP + (is_right(table, column) ? 0 : blanks));
		cell += strlen(cell) + 1;
	}
}

void
w_text_table_add_count(struct w_text_table *table, uint64_t number)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRIu64, number);
	w_text_table_add(table, number == 0 ? "" : text);
}

int
w_text_table_print(struct w_text_table *table)
{
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, TABLE_MAX);
	out.failed =
	    table->cells.failed || table->widths.failed || table->tints.failed;
	add_rows(&out, table);
	table->cells.len = 0;
	table->widths.len = 0;
	table->tints.len = 0;
	table->count = 0;
	table->is_continued = true;
	return w_print(&out);
}
