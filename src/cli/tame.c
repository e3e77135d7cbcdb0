/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Takes out of a text what a terminal would obey, but colours.
 *
 * The states are those of the parser that terminals share (ECMA-48 and what
 * xterm made of it), so that what is dropped here is what they would have
 * swallowed. Controls of the second block (U+0080 to U+009F) are the same as
 * ESC and a letter. Whatever is not known is dropped, never passed.
 */

#include "cli/tame.h"

#include <string.h>

#define ESC 0x1b
#define BEL 0x07
#define CAN 0x18
#define SUB 0x1a

/* The largest piece of text handled at once. */
#define TEXT_MAX ((size_t)1 << 20)

static void
begin(struct w_tame *tame, unsigned char letter)
{
	static const char strings[] = "]PX^_"; /* OSC DCS SOS PM APC */

	if (letter == '[') {
		tame->state = W_TAME_CONTROL;
		tame->sequence_len = 0;
	} else if (letter != 0 && strchr(strings, letter) != NULL) {
		tame->state = W_TAME_STRING;
	} else if (letter >= 0x20 && letter <= 0x2f) {
		tame->state = W_TAME_INTERMEDIATE;
	} else {
		tame->state = W_TAME_TEXT;
	}
}

static void
add_text(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	const bool was_return = tame->is_return;

	tame->is_return = c == '\r';
	if (c == ESC) {
		tame->state = W_TAME_ESCAPE;
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
static void
end_control(struct w_tame *tame, struct w_buf *out, unsigned char final)
{
	const size_t len = tame->sequence_len;

	tame->state = W_TAME_TEXT;
	if (final != 'm' || len >= W_TAME_SEQUENCE_MAX)
		return;
	for (size_t i = 0; i < len; i++) {
		if (strchr("0123456789;:", tame->sequence[i]) == NULL)
			return;
	}
	w_buf_add_str(out, "\033[");
	w_buf_add(out, tame->sequence, len);
	w_buf_add_char(out, 'm');
}

static void
add_control(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	if (c >= 0x40 && c <= 0x7e) {
		end_control(tame, out, c);
	} else if (c == CAN || c == SUB) {
		tame->state = W_TAME_TEXT;
	} else if (c == ESC) {
		tame->state = W_TAME_ESCAPE;
	} else if (tame->sequence_len < W_TAME_SEQUENCE_MAX && c != 0) {
		tame->sequence[tame->sequence_len++] = (char)c;
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

static void
add_byte(struct w_tame *tame, struct w_buf *out, unsigned char c)
{
	/* A character breaks a sequence off and is shown, whole. */
	if (c >= 0x80 && tame->state != W_TAME_STRING)
		tame->state = W_TAME_TEXT;
	switch (tame->state) {
	case W_TAME_TEXT:
		add_text(tame, out, c);
		break;
	case W_TAME_ESCAPE:
		if (c == ESC)
			break;
		begin(tame, c);
		break;
	case W_TAME_INTERMEDIATE:
		if (c == ESC)
			tame->state = W_TAME_ESCAPE;
		else if (c < 0x20 || c > 0x2f)
			tame->state = W_TAME_TEXT;
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
			begin(tame, c);
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

void
w_tame_add(
    struct w_tame *tame, struct w_buf *out, const char *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_repair_add(&tame->repair, &text, bytes, len);
	out->failed = out->failed || text.failed;
	add_all(tame, out, text.data, text.len);
}

void
w_tame_end(struct w_tame *tame, struct w_buf *out)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_repair_end(&tame->repair, &text);
	out->failed = out->failed || text.failed;
	add_all(tame, out, text.data, text.len);
}
