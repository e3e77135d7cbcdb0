/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Breaks the lines of a page that are too wide for a terminal.
 */

#include "cli/output/wrapped_page.h"

#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/printable.h"
#include "cli/output/print.h"

#define LABEL_MAX 24 /* columns in which a label and its gap are looked for */
#define ROOM_MIN  20 /* columns that the text always gets */
#define WORD_MAX  ((size_t)1 << 20)

/* The length of a colour sequence ("\033[1m"); 0: none begins here. */
static size_t
colour_len(const char *text, size_t len)
{
	size_t i = 2;

	if (len < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (i < len && (w_is_digit(text[i]) || text[i] == ';'))
		i++;
	return i < len && text[i] == 'm' ? i + 1 : 0;
}

static size_t
width_of(const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf plain;
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&plain, WORD_MAX);
	w_buf_init(&shown, 8 * WORD_MAX);
	for (size_t i = 0; i < len;) {
		const size_t skipped = colour_len(text + i, len - i);

		if (skipped == 0)
			w_buf_add_char(&plain, text[i]);
		i += skipped == 0 ? 1 : skipped;
	}
	if (plain.len == 0 || plain.failed)
		return 0;
	return w_printable_add(&shown, plain.data, 0);
}

/* The column to which the rest of a line is indented. */
static size_t
hang_of(const char *line, size_t len)
{
	size_t indent = 0;
	size_t hang = 0;
	size_t column = 0;
	size_t blanks = 0;

	while (indent < len && line[indent] == ' ')
		indent++;
	for (size_t i = indent; i < len && column + indent < LABEL_MAX;) {
		const size_t skipped = colour_len(line + i, len - i);

		if (skipped > 0) {
			i += skipped;
			continue;
		}
		if (line[i] != ' ' && blanks >= 2)
			hang = indent + column;
		blanks = line[i] == ' ' ? blanks + 1 : 0;
		/* Bytes that continue a character have no column. */
		column += ((unsigned char)line[i] & 0xc0U) != 0x80;
		i++;
	}
	if (hang > 0)
		return hang;
	return indent + 2 < LABEL_MAX ? indent + 2 : LABEL_MAX;
}

/* "   12 | text", or the line with the caret below it. */
static bool
is_quote(const char *line, size_t len)
{
	size_t i = 0;

	for (;;) {
		const size_t skipped = colour_len(line + i, len - i);

		if (skipped > 0)
			i += skipped;
		else if (i < len && (line[i] == ' ' || w_is_digit(line[i])))
			i++;
		else
			return i > 0 && i < len && line[i] == '|';
	}
}

static void
add_wrapped_line(
    struct w_buf *out, const char *line, size_t len, size_t columns)
{
	const size_t hang = hang_of(line, len);
	size_t column = 0;
	size_t i = 0;

	while (i < len) {
		size_t blanks = 0;
		size_t word = 0;

		while (i + blanks < len && line[i + blanks] == ' ')
			blanks++;
		while (
		    i + blanks + word < len && line[i + blanks + word] != ' ')
			word++;
		const size_t width = width_of(line + i + blanks, word);
		if (column > hang && column + blanks + width > columns) {
			w_buf_add_fmt(out, "\n%*s", (int)hang, "");
			column = hang;
		} else {
			w_buf_add(out, line + i, blanks);
			column += blanks;
		}
		w_buf_add(out, line + i + blanks, word);
		column += width;
		i += blanks + word;
	}
}

int
w_wrapped_page_print(const struct w_buf *page)
{
	const size_t columns = w_printable_terminal_columns(STDOUT_FILENO);
	W_AUTO_BUF struct w_buf out;

	/* Each word gets at most one line break and the indentation. */
	w_buf_init(&out, page->len * (LABEL_MAX + 2) + 1);
	if (columns < LABEL_MAX + ROOM_MIN || page->failed)
		return w_print(page);
	for (size_t i = 0; i < page->len;) {
		const char *line = page->data + i;
		const size_t left = page->len - i;
		const char *end = memchr(line, '\n', left);
		const size_t len = end == NULL ? left : (size_t)(end - line);

		if (is_quote(line, len) || width_of(line, len) <= columns)
			w_buf_add(&out, line, len);
		else
			add_wrapped_line(&out, line, len, columns);
		if (end != NULL)
			w_buf_add_char(&out, '\n');
		i += len + 1;
	}
	return w_print(&out);
}
