/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Takes out of a text what a terminal would obey, but colours.
 *
 * The states are those of the parser that terminals share (ECMA-48 and what
 * xterm made of it), so that what is dropped here is what they would have
 * swallowed. Controls of the second block (U+0080 to U+009F) are the same as
 * ESC and a letter. Whatever is not known is dropped, never passed. Only whole
 * sequences are passed, so that two streams cannot make one together.
 */

#include "cli/tame.h"

#include <string.h>

#include "cli/tame_screen.h"

#define ESC 0x1b
#define BEL 0x07
#define CAN 0x18
#define SUB 0x1a

/* Bytes are repaired in pieces of this size, which may grow threefold. */
#define PIECE_MAX ((size_t)64 << 10)
#define TEXT_MAX  (4 * PIECE_MAX)

static void
begin(struct w_tame *tame, struct w_buf *out, unsigned char letter)
{
	static const char strings[] = "]PX^_"; /* OSC DCS SOS PM APC */

	tame->sequence_len = 0;
	tame->swallowed = 0;
	if (letter == '[') {
		tame->state = W_TAME_CONTROL;
	} else if (letter != 0 && strchr(strings, letter) != NULL) {
		tame->state = W_TAME_STRING;
	} else if (letter >= 0x20 && letter <= 0x2f) {
		tame->state = W_TAME_INTERMEDIATE;
		tame->sequence[tame->sequence_len++] = (char)letter;
	} else {
		tame->state = W_TAME_TEXT;
		if (tame->is_screen)
			w_tame_screen_escape(tame, out, letter);
	}
}

static void
add_text(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	const bool was_return = tame->is_return;

	tame->is_return = c == '\r' && !tame->is_screen;
	if (c == ESC) {
		tame->state = W_TAME_ESCAPE;
	} else if (tame->is_screen && w_tame_screen_has_byte(c)) {
		w_buf_add_char(out, (char)c);
	} else if (c == '\r') {
		w_buf_add_char(out, '\n');
	} else if (c == '\n') {
		if (!was_return)
			w_buf_add_char(out, '\n');
	} else if (c == '\t' || (c >= 0x20 && c != 0x7f)) {
		w_buf_add_char(out, (char)c);
	}
}

/* Colours have digits and separators only; other parameters (?, >, blanks)
 * belong to sequences that do something else. */
static bool
is_colour(const struct w_tame *tame, unsigned char final)
{
	if (final != 'm' || tame->sequence_len >= W_TAME_SEQUENCE_MAX)
		return false;
	for (size_t i = 0; i < tame->sequence_len; i++) {
		if (strchr("0123456789;:", tame->sequence[i]) == NULL)
			return false;
	}
	return true;
}

static void
end_control(struct w_tame *tame, struct w_buf *out, unsigned char final)
{
	const size_t len = tame->sequence_len;

	tame->state = W_TAME_TEXT;
	if (!is_colour(tame, final)) {
		if (tame->is_screen)
			w_tame_screen_control(tame, out, final);
		return;
	}
	tame->has_colour = len > 1 || (len == 1 && tame->sequence[0] != '0');
	w_buf_add_str(out, "\033[");
	w_buf_add(out, tame->sequence, len);
	w_buf_add_char(out, 'm');
}

static void
remember(struct w_tame *tame, unsigned char c)
{
	if (tame->sequence_len < W_TAME_SEQUENCE_MAX && c != 0)
		tame->sequence[tame->sequence_len++] = (char)c;
}

static void
add_control(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	if (c >= 0x40 && c <= 0x7e)
		end_control(tame, out, c);
	else if (c == CAN || c == SUB)
		tame->state = W_TAME_TEXT;
	else if (c == ESC)
		tame->state = W_TAME_ESCAPE;
	else
		remember(tame, c);
}

static void
add_intermediate(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	if (c == ESC) {
		tame->state = W_TAME_ESCAPE;
	} else if (c >= 0x20 && c <= 0x2f) {
		remember(tame, c);
	} else {
		tame->state = W_TAME_TEXT;
		if (tame->is_screen)
			w_tame_screen_escape(tame, out, c);
	}
}

static void
add_string(struct w_tame *tame, unsigned char c)
{
	if (c == BEL || c == CAN || c == SUB)
		tame->state = W_TAME_TEXT;
	else if (c == ESC)
		tame->state = W_TAME_STRING_ESCAPE;
	else
		tame->state = W_TAME_STRING;
}

/* What ends every sequence, whatever it was going to be: the end of the line,
 * a character of more than one byte (which is shown, whole) outside of a
 * string, and too much of it. */
static bool
is_given_up(const struct w_tame *tame, unsigned char c)
{
	const bool is_inside = (c & 0xc0) == 0x80; /* of a character */

	return c == '\n' || (c >= 0x80 && tame->state != W_TAME_STRING) ||
	       (tame->swallowed >= W_TAME_SWALLOW_MAX && !is_inside);
}

static void
add_byte(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	if (tame->state != W_TAME_TEXT && is_given_up(tame, c))
		tame->state = W_TAME_TEXT;
	tame->swallowed++;
	switch (tame->state) {
	case W_TAME_TEXT:
		tame->swallowed = 0;
		add_text(tame, out, c);
		break;
	case W_TAME_ESCAPE:
		if (c != ESC)
			begin(tame, out, c);
		break;
	case W_TAME_INTERMEDIATE:
		add_intermediate(tame, out, c);
		break;
	case W_TAME_CONTROL:
		add_control(tame, out, c);
		break;
	case W_TAME_STRING:
		add_string(tame, c);
		break;
	case W_TAME_STRING_ESCAPE:
		if (c == '\\')
			tame->state = W_TAME_TEXT;
		else
			begin(tame, out, c);
		break;
	}
}

/* text is UTF-8. */
static void
add_all(struct w_tame *tame, struct w_buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)text[i];

		if (c == 0xc2 && i + 1 < len &&
		    (unsigned char)text[i + 1] < 0xa0) {
			add_byte(tame, out, ESC);
			i++;
			add_byte(tame, out,
			    (unsigned char)(((unsigned char)text[i] & 0x1f) |
					    0x40));
		} else {
			add_byte(tame, out, c);
		}
	}
}

static void
add_piece(struct w_tame *tame, struct w_buf *out, const char *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_repair_add(&tame->repair, &text, bytes, len);
	out->failed = out->failed || text.failed;
	add_all(tame, out, text.data, text.len);
}

void
w_tame_add(
    struct w_tame *tame, struct w_buf *out, const char *bytes, size_t len)
{
	for (size_t at = 0; at < len; at += PIECE_MAX)
		add_piece(tame, out, bytes + at,
		    len - at < PIECE_MAX ? len - at : PIECE_MAX);
}

void
w_tame_end(struct w_tame *tame, struct w_buf *out)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_repair_end(&tame->repair, &text);
	out->failed = out->failed || text.failed;
	add_all(tame, out, text.data, text.len);
	w_tame_screen_undo(tame, out);
	if (tame->has_colour)
		w_buf_add_str(out, "\033[0m");
	tame->has_colour = false;
}
