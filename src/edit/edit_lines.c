/* SPDX-License-Identifier: Apache-2.0 */

/* Texts as lines. */

#include "edit/edit_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"

static size_t
edit_lines_count(const char *text, size_t len)
{
	size_t count = 0;
	const char *at = text;
	const char *end = text + len;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		count++;
		at = line_end == NULL ? end : line_end + 1;
	}
	return count;
}

bool
w_edit_lines_init(struct w_edit_lines *lines, const char *text, size_t len)
{
	const size_t count = edit_lines_count(text, len);
	const char *at = text;
	const char *end = text + len;

	lines->count = 0;
	lines->items = calloc(count + 1, sizeof(*lines->items));
	if (lines->items == NULL)
		return false;
	while (lines->count < count) {
		struct w_edit_line *line = &lines->items[lines->count++];
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		line->text = at;
		line->whole =
		    (size_t)((line_end == NULL ? end : line_end + 1) - at);
		line->len = line->whole - (line_end != NULL);
		if (line_end != NULL && line->len > 0 &&
		    at[line->len - 1] == '\r')
			line->len--;
		at += line->whole;
	}
	return true;
}

void
w_edit_lines_done(struct w_edit_lines *lines)
{
	free(lines->items);
	*lines = (struct w_edit_lines){NULL, 0};
}

size_t
w_edit_line_of(const char *text, size_t offset)
{
	return edit_lines_count(text, offset) +
	       (offset == 0 || text[offset - 1] == '\n');
}

bool
w_edit_is_crlf(const char *text, size_t len)
{
	const char *at = text;
	const char *end = text + len;
	bool has_end = false;

	while (at < end) {
		const char *found = memchr(at, '\n', (size_t)(end - at));

		if (found == NULL)
			break;
		if (found == text || found[-1] != '\r')
			return false;
		has_end = true;
		at = found + 1;
	}
	return has_end;
}

void
w_edit_add_crlf(struct w_buf *buf, const char *text, size_t len)
{
	size_t from = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\n' || (i > 0 && text[i - 1] == '\r'))
			continue;
		w_buf_add(buf, text + from, i - from);
		w_buf_add_str(buf, "\r\n");
		from = i + 1;
	}
	w_buf_add(buf, text + from, len - from);
}

/* Appends what is not shown as it is: a control character, or bytes that are
 * no UTF-8. Returns how many bytes it stands for. */
static size_t
edit_lines_add_odd(struct w_buf *buf, const char *text)
{
	w_buf_add_fmt(buf, "\\x%02x", (unsigned)(unsigned char)text[0]);
	return 1;
}

static bool
edit_lines_is_plain(char c)
{
	const unsigned char byte = (unsigned char)c;

	return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

void
w_edit_add_shown(
    struct w_buf *buf, const char *text, size_t len, size_t bytes_max)
{
	const size_t shown =
	    len > bytes_max ? w_utf8_trim_end(text, bytes_max) : len;
	size_t at = 0;

	while (at < shown) {
		const size_t good = at + w_utf8_find_bad(text + at, shown - at);
		size_t plain = at;

		while (plain < good && edit_lines_is_plain(text[plain]))
			plain++;
		w_buf_add(buf, text + at, plain - at);
		at = plain;
		if (at < shown)
			at += edit_lines_add_odd(buf, text + at);
	}
	if (shown < len)
		w_buf_add_fmt(buf, " [%zu more bytes]", len - shown);
}
