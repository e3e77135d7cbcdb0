/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Cuts printable text into lines.
 */

#include "cli/output/line_wrap.h"

#include <string.h>

#include "base/printable.h"

#define LINE_MAX_BYTES ((size_t)64 << 10)
#define CHAR_SHOWN_MAX 32
#define ROOM_MIN       8
#define UTF8_MAX       4
#define ESCAPE_LEN_MAX 12 /* longer ones are not ours */

/* ---- units: characters, and escapes as a whole ---- */

static size_t
escape_len(const char *text)
{
	static const char digits[] = "0123456789abcdef";

	/* A text that was cut may end within one. */
	if (text[1] == 'x')
		return strspn(text + 2, digits) >= 2 ? 4 : 1;
	if (text[1] != 'u' || text[2] != '{')
		return 1;
	const size_t len = 3 + strspn(text + 3, digits);
	return len < ESCAPE_LEN_MAX && text[len] == '}' ? len + 1 : 1;
}

static size_t
unit_len(const char *text)
{
	size_t len = 1;

	if (text[0] == '\\')
		return escape_len(text);
	if ((unsigned char)text[0] < 0x80)
		return 1;
	while (len < UTF8_MAX && ((unsigned char)text[len] & 0xc0U) == 0x80)
		len++;
	return len;
}

static size_t
unit_columns(const char *text, size_t len)
{
	char unit[UTF8_MAX + 1];
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, CHAR_SHOWN_MAX);
	if ((unsigned char)text[0] < 0x80)
		return len;
	memcpy(unit, text, len);
	unit[len] = '\0';
	return w_printable_add(&shown, unit, 0);
}

/* ---- lines ---- */

struct wrap_break {
	size_t len;   /* bytes of the line */
	bool is_hard; /* within a word */
};

/* Where the line that begins here ends. */
static struct wrap_break
find_break(const char *text, size_t room)
{
	size_t column = 0;
	size_t i = 0;
	size_t blank = 0; /* the break after the last blank */
	size_t blank_column = 0;
	size_t hard = 0; /* the break that leaves room for a backslash */

	while (text[i] != '\0') {
		const size_t len = unit_len(text + i);
		const size_t shown = unit_columns(text + i, len);
		/* Marks above a letter have no width, and no end. */
		const size_t width = shown == 0 ? 1 : shown;

		if (column + width > room)
			break;
		column += width;
		i += len;
		/* Only the first of several blanks may end a line: those at
		 * its end cannot be seen. */
		if (text[i - 1] == ' ' && (i < 2 || text[i - 2] != ' ')) {
			blank = i;
			blank_column = column;
		}
		if (column < room)
			hard = i;
	}
	if (text[i] == '\0')
		return (struct wrap_break){.len = i};
	if (blank > 0 && blank_column > room / 3)
		return (struct wrap_break){.len = blank};
	if (hard == 0)
		hard = i > 0 ? i : unit_len(text);
	return (struct wrap_break){.len = hard, .is_hard = true};
}

bool
w_wrap_lines(struct w_words *lines, const char *text, const char *first,
    const char *rest, size_t columns)
{
	const char *prefix = first;

	do {
		const size_t taken = strlen(prefix);
		const size_t room =
		    columns > taken + ROOM_MIN ? columns - taken : ROOM_MIN;
		const struct wrap_break end = find_break(text, room);
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, LINE_MAX_BYTES);
		w_buf_add_str(&line, prefix);
		w_buf_add(&line, text, end.len);
		w_buf_add_str(&line, end.is_hard ? "\\" : "");
		if (line.failed || !w_words_add(lines, line.data, line.len))
			return false;
		text += end.len;
		prefix = rest;
	} while (*text != '\0');
	return true;
}

/* ---- measuring and cutting ---- */

size_t
w_wrap_columns(const char *line)
{
	size_t columns = 0;

	while (*line != '\0') {
		if (line[0] == '\033' && line[1] == '[') {
			line += 2;
			line += strspn(line, "0123456789;:");
			line += *line == '\0' ? 0 : 1;
			continue;
		}
		const size_t len = unit_len(line);
		columns += unit_columns(line, len);
		line += len;
	}
	return columns;
}

bool
w_wrap_add_cut(struct w_buf *buf, const char *text, size_t columns)
{
	const size_t before = buf->len;

	(void)w_printable_add(buf, text, columns);
	return buf->len - before != strlen(text) ||
	       memcmp(buf->data + before, text, buf->len - before) != 0;
}
