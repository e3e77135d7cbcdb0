/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes untrusted text safe for a terminal.
 *
 * What an agent puts into an argument must not control the terminal of the
 * person who reads it later, nor make two different commands look the same.
 */

#include "base/printable.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/auto.h"
#include "base/encode.h"

#define SHOWN_MAX 16

/* One character as it is shown. */
struct printable_shown {
	char text[SHOWN_MAX];
	size_t len;
	size_t columns;
	size_t taken; /* bytes of the source */
};

static size_t
printable_char_len(const unsigned char *at)
{
	size_t len = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < len; i++) {
		if (at[i] == 0)
			return 0;
	}
	return w_utf8_valid(at, len) ? len : 0;
}

static uint32_t
code_of(const unsigned char *at, size_t len)
{
	static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = at[0] & first[len];

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (at[i] & 0x3f);
	return code;
}

/* First and last of the characters that are invisible, change the text
 * direction, or look like a blank and are none to a shell. */
static const uint32_t hidden[][2] = {
    {0x00, 0x1f}, {0x7f, 0xa0}, {0xad, 0xad},
    {0x34f, 0x34f},     /* combining grapheme joiner */
    {0x61c, 0x61c},     /* Arabic letter mark */
    {0x115f, 0x1160},   /* Hangul fillers */
    {0x1680, 0x1680},   /* Ogham space */
    {0x17b4, 0x17b5},   /* inherent Khmer vowels */
    {0x180b, 0x180f},   /* Mongolian selectors */
    {0x2000, 0x200f},   /* spaces, joiners, marks of direction */
    {0x2028, 0x202f},   /* separators, embeddings */
    {0x205f, 0x206f},   /* space, isolates */
    {0x2800, 0x2800},   /* Braille without dots */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xffa0, 0xffa0},   /* Hangul filler, half width */
    {0xfff0, 0xfffb},   /* unassigned, annotations */
    {0x1d173, 0x1d17a}, /* of musical notation */
    {0xe0000, 0xe0fff}, /* tags, selectors */
};

static bool
printable_is_hidden(uint32_t code, int columns)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++) {
		if (code >= hidden[i][0] && code <= hidden[i][1])
			return true;
	}
	return columns < 0;
}

static void
printable_spell(struct printable_shown *shown, uint32_t code)
{
	int len;

	if (code == '\n' || code == '\t' || code == '\r')
		len = snprintf(shown->text, SHOWN_MAX, "\\%c",
		    code == '\n'   ? 'n'
		    : code == '\t' ? 't'
				   : 'r');
	else if (code < 0x100)
		len =
		    snprintf(shown->text, SHOWN_MAX, "\\x%02x", (unsigned)code);
	else
		len =
		    snprintf(shown->text, SHOWN_MAX, "\\u{%x}", (unsigned)code);
	shown->len = (size_t)len;
	shown->columns = (size_t)len;
}

static void
show_one(struct printable_shown *shown, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	const size_t len = printable_char_len(at);

	shown->taken = len == 0 ? 1 : len;
	if (len == 0) {
		printable_spell(shown, at[0]);
		return;
	}

	const uint32_t code = code_of(at, len);
	const int columns = code < 0x7f ? 1 : wcwidth((wchar_t)code);
	if (printable_is_hidden(code, columns)) {
		printable_spell(shown, code);
		return;
	}
	memcpy(shown->text, text, len);
	shown->len = len;
	shown->columns = (size_t)columns;
}

static size_t
printable_add_all(struct w_buf *buf, const char *text, size_t columns_max)
{
	size_t columns = 0;
	size_t cut_at = buf->len; /* where an ellipsis still fits */
	size_t cut_columns = 0;
	struct printable_shown shown;

	while (*text != '\0') {
		show_one(&shown, text);
		if (columns_max > 0 && columns + shown.columns > columns_max) {
			buf->len = cut_at;
			w_buf_add_str(buf, "\xe2\x80\xa6");
			return cut_columns + 1;
		}
		w_buf_add(buf, shown.text, shown.len);
		columns += shown.columns;
		text += shown.taken;
		if (columns < columns_max) {
			cut_at = buf->len;
			cut_columns = columns;
		}
	}
	return columns;
}

/* wcwidth() needs a UTF-8 locale, whatever the user's is. Loading one reads a
 * file, so it is kept. */
static locale_t
utf8_locale(void)
{
	static locale_t utf8;
	static bool has_looked;

	if (!has_looked)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	has_looked = true;
	return utf8;
}

/* How many characters from here on are shown as they are. */
static size_t
plain_len(const char *text)
{
	size_t len = 0;

	while (text[len] >= ' ' && text[len] <= '~')
		len++;
	return len;
}

size_t
w_printable_add(struct w_buf *buf, const char *text, size_t columns_max)
{
	const size_t plain = plain_len(text);

	/* Nearly all text; and it needs no locale. */
	if (text[plain] == '\0' && (columns_max == 0 || plain <= columns_max)) {
		w_buf_add(buf, text, plain);
		return plain;
	}
	const locale_t utf8 = utf8_locale();
	locale_t before = (locale_t)0;

	if (utf8 != (locale_t)0)
		before = uselocale(utf8);
	size_t columns = printable_add_all(buf, text, columns_max);
	if (utf8 != (locale_t)0)
		(void)uselocale(before);
	return columns;
}

void
w_printable_add_bytes(struct w_buf *buf, const char *bytes, size_t len)
{
	while (len > 0) {
		const size_t part = strnlen(bytes, len);
		W_AUTO_FREE char *text = strndup(bytes, part);

		if (text == NULL) {
			buf->failed = true;
			return;
		}
		(void)w_printable_add(buf, text, 0);
		if (part == len)
			return;
		w_buf_add_str(buf, "\\x00");
		bytes += part + 1;
		len -= part + 1;
	}
}

size_t
w_printable_terminal_columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}
