/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Removes terminal control sequences from text, except colours.
 *
 * The states are those of a terminal's own parser (ECMA-48 and xterm), so that
 * exactly the bytes are dropped that a terminal would not show. C1 controls
 * (U+0080 to U+009F) equal ESC and a letter. Unknown sequences are dropped.
 * Only complete sequences pass, so that two streams cannot form one together.
 */

#include "cli/output/sanitizer.h"

#include <string.h>

#include "cli/output/sanitizer_screen.h"

#define ESC 0x1b
#define BEL 0x07
#define CAN 0x18
#define SUB 0x1a

/* Bytes are converted to UTF-8 in pieces of this size; U+FFFD is three bytes,
 * so a piece may grow threefold. */
#define PIECE_MAX ((size_t)64 << 10)
#define TEXT_MAX  (4 * PIECE_MAX)

static void
sanitizer_begin(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char letter)
{
	static const char strings[] = "]PX^_"; /* OSC DCS SOS PM APC */

	sanitizer->sequence_len = 0;
	sanitizer->swallowed = 0;
	if (letter == '[') {
		sanitizer->state = W_SANITIZER_CONTROL;
	} else if (letter != 0 && strchr(strings, letter) != NULL) {
		sanitizer->state = W_SANITIZER_STRING;
	} else if (letter >= 0x20 && letter <= 0x2f) {
		sanitizer->state = W_SANITIZER_INTERMEDIATE;
		sanitizer->sequence[sanitizer->sequence_len++] = (char)letter;
	} else {
		sanitizer->state = W_SANITIZER_TEXT;
		if (sanitizer->is_screen)
			w_sanitizer_screen_escape(sanitizer, out, letter);
	}
}

static void
sanitizer_add_text(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char c)
{
	const bool was_return = sanitizer->is_return;

	sanitizer->is_return = c == '\r' && !sanitizer->is_screen;
	if (c == ESC) {
		sanitizer->state = W_SANITIZER_ESCAPE;
	} else if (sanitizer->is_screen && w_sanitizer_screen_has_byte(c)) {
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

/* An SGR sequence has digits and separators only; with other parameters (?, >,
 * blanks) the final byte 'm' means something else. */
static bool
is_colour(const struct w_sanitizer *sanitizer, unsigned char final)
{
	if (final != 'm' || sanitizer->sequence_len >= W_SANITIZER_SEQUENCE_MAX)
		return false;
	for (size_t i = 0; i < sanitizer->sequence_len; i++) {
		if (strchr("0123456789;:", sanitizer->sequence[i]) == NULL)
			return false;
	}
	return true;
}

static void
end_control(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final)
{
	const size_t len = sanitizer->sequence_len;

	sanitizer->state = W_SANITIZER_TEXT;
	if (!is_colour(sanitizer, final)) {
		if (sanitizer->is_screen)
			w_sanitizer_screen_control(sanitizer, out, final);
		return;
	}
	sanitizer->has_colour =
	    len > 1 || (len == 1 && sanitizer->sequence[0] != '0');
	w_buf_add_str(out, "\033[");
	w_buf_add(out, sanitizer->sequence, len);
	w_buf_add_char(out, 'm');
}

static void
sanitizer_remember(struct w_sanitizer *sanitizer, unsigned char c)
{
	if (sanitizer->sequence_len < W_SANITIZER_SEQUENCE_MAX && c != 0)
		sanitizer->sequence[sanitizer->sequence_len++] = (char)c;
}

static void
add_control(struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char c)
{
	if (c >= 0x40 && c <= 0x7e)
		end_control(sanitizer, out, c);
	else if (c == CAN || c == SUB)
		sanitizer->state = W_SANITIZER_TEXT;
	else if (c == ESC)
		sanitizer->state = W_SANITIZER_ESCAPE;
	else
		sanitizer_remember(sanitizer, c);
}

static void
add_intermediate(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char c)
{
	if (c == ESC) {
		sanitizer->state = W_SANITIZER_ESCAPE;
	} else if (c >= 0x20 && c <= 0x2f) {
		sanitizer_remember(sanitizer, c);
	} else {
		sanitizer->state = W_SANITIZER_TEXT;
		if (sanitizer->is_screen)
			w_sanitizer_screen_escape(sanitizer, out, c);
	}
}

static void
sanitizer_add_string(struct w_sanitizer *sanitizer, unsigned char c)
{
	if (c == BEL || c == CAN || c == SUB)
		sanitizer->state = W_SANITIZER_TEXT;
	else if (c == ESC)
		sanitizer->state = W_SANITIZER_STRING_ESCAPE;
	else
		sanitizer->state = W_SANITIZER_STRING;
}

static void
add_byte(struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char c)
{
	const bool is_continuation = (c & 0xc0) == 0x80;

	/* A sequence is abandoned at the end of the line, at a multibyte
	 * character outside of a string, and when it is too long; but never
	 * within a character, which must be shown whole. */
	if (c == '\n' ||
	    (c >= 0x80 && sanitizer->state != W_SANITIZER_STRING) ||
	    (sanitizer->swallowed >= W_SANITIZER_SWALLOW_MAX &&
		!is_continuation))
		sanitizer->state = W_SANITIZER_TEXT;
	sanitizer->swallowed++;
	switch (sanitizer->state) {
	case W_SANITIZER_TEXT:
		sanitizer->swallowed = 0;
		sanitizer_add_text(sanitizer, out, c);
		break;
	case W_SANITIZER_ESCAPE:
		if (c != ESC)
			sanitizer_begin(sanitizer, out, c);
		break;
	case W_SANITIZER_INTERMEDIATE:
		add_intermediate(sanitizer, out, c);
		break;
	case W_SANITIZER_CONTROL:
		add_control(sanitizer, out, c);
		break;
	case W_SANITIZER_STRING:
		sanitizer_add_string(sanitizer, c);
		break;
	case W_SANITIZER_STRING_ESCAPE:
		if (c == '\\')
			sanitizer->state = W_SANITIZER_TEXT;
		else
			sanitizer_begin(sanitizer, out, c);
		break;
	}
}

/* text is UTF-8. */
static void
sanitizer_add_all(struct w_sanitizer *sanitizer, struct w_buf *out,
    const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)text[i];

		if (c == 0xc2 && i + 1 < len &&
		    (unsigned char)text[i + 1] < 0xa0) {
			add_byte(sanitizer, out, ESC);
			i++;
			add_byte(sanitizer, out,
			    (unsigned char)(((unsigned char)text[i] & 0x1f) |
					    0x40));
		} else {
			add_byte(sanitizer, out, c);
		}
	}
}

void
w_sanitizer_add(struct w_sanitizer *sanitizer, struct w_buf *out,
    const char *bytes, size_t len)
{
	for (size_t at = 0; at < len; at += PIECE_MAX) {
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, TEXT_MAX);
		w_lossy_utf8_add(&sanitizer->decoder, &text, bytes + at,
		    len - at < PIECE_MAX ? len - at : PIECE_MAX);
		out->failed = out->failed || text.failed;
		sanitizer_add_all(sanitizer, out, text.data, text.len);
	}
}

void
w_sanitizer_end(struct w_sanitizer *sanitizer, struct w_buf *out)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_lossy_utf8_end(&sanitizer->decoder, &text);
	out->failed = out->failed || text.failed;
	sanitizer_add_all(sanitizer, out, text.data, text.len);
	w_sanitizer_screen_undo(sanitizer, out);
	if (sanitizer->has_colour)
		w_buf_add_str(out, "\033[0m");
	sanitizer->has_colour = false;
}
