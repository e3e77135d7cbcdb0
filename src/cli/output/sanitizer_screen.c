/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An allowlist of the control sequences of full-screen programs.
 *
 * Programs need every one of them, and each changes only the screen, or a mode
 * that is reset at the end. All others are dropped, also those that terminals
 * add in the future.
 */

#include "cli/output/sanitizer_screen.h"

#include <string.h>

#include "base/buf.h"

/* No terminal has more rows or columns; larger counts only cost time. */
#define DIGITS_MAX 4

/* Bits of w_sanitizer.modes, after those of private_modes. */
enum {
	MODE_INSERT = 24,
	MODE_REGION,
	MODE_KEYPAD,
	MODE_CHARSET,
	MODE_CURSOR_STYLE,
};

/* Private modes (ESC [ ? NUMBER h or l). The alternate screen comes first: the
 * other modes are then reset on the normal screen. */
static const struct private_mode {
	const char *number;
	bool is_usual; /* on by default */
} private_modes[] = {
    {"1049", false},                              /* alternate screens */
    {"1047", false}, {"47", false}, {"1", false}, /* application cursor keys */
    {"5", false},                                 /* reverse video */
    {"6", false},                                 /* origin mode */
    {"7", true},                                  /* autowrap */
    {"25", true},                                 /* visible cursor */
    {"66", false}, {"1000", false},               /* keypad; mouse reports */
    {"1002", false}, {"1003", false}, {"1006", false},
    {"2004", false}, /* bracketed paste */
};

#define MODE_COUNT (sizeof(private_modes) / sizeof(private_modes[0]))

static void
note_mode(struct w_sanitizer *sanitizer, unsigned bit, bool is_usual)
{
	const uint32_t mask = UINT32_C(1) << bit;

	sanitizer->modes =
	    is_usual ? sanitizer->modes & ~mask : sanitizer->modes | mask;
}

bool
w_sanitizer_screen_has_byte(unsigned char c)
{
	static const char passed[] =
	    "\a\b\r\v\f\016\017"; /* 016, 017: SO, SI */

	return c != 0 && strchr(passed, c) != NULL;
}

/* ---- ESC and a letter ---- */

void
w_sanitizer_screen_escape(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final)
{
	/* DECSC, DECRC, IND, NEL, HTS, RI, DECKPAM, DECKPNM. */
	static const char letters[] = "78DEHM=>";
	const bool is_charset =
	    final != 0 && sanitizer->sequence_len == 1 &&
	    strchr("()*+", sanitizer->sequence[0]) != NULL &&
	    strchr("0AB", final) != NULL;

	if (is_charset)
		note_mode(sanitizer, MODE_CHARSET, false);
	else if (final == 0 || sanitizer->sequence_len > 0 ||
		 strchr(letters, final) == NULL)
		return;
	if (final == '=' || final == '>')
		note_mode(sanitizer, MODE_KEYPAD, final == '>');
	w_buf_add_char(out, '\033');
	w_buf_add(out, sanitizer->sequence, sanitizer->sequence_len);
	w_buf_add_char(out, (char) final);
}

/* ---- ESC [ ---- */

/* Whether these are numbers with ';' between them, none too long. */
static bool
are_numbers(const char *at, size_t len)
{
	size_t digits = 0;

	for (size_t i = 0; i < len; i++) {
		digits = at[i] == ';' ? 0 : digits + 1;
		if (digits > DIGITS_MAX || strchr("0123456789;", at[i]) == NULL)
			return false;
	}
	return true;
}

static void
pass(
    const struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final)
{
	w_buf_add_str(out, "\033[");
	w_buf_add(out, sanitizer->sequence, sanitizer->sequence_len);
	w_buf_add_char(out, (char) final);
}

/* Passes a mode if it is allowed. */
static void
switch_mode(struct w_sanitizer *sanitizer, struct w_buf *out,
    const char *number, size_t len, unsigned char final)
{
	const bool is_on = final == 'h';

	for (unsigned i = 0; i < MODE_COUNT; i++) {
		const struct private_mode *mode = &private_modes[i];

		if (strlen(mode->number) != len ||
		    memcmp(mode->number, number, len) != 0)
			continue;
		note_mode(sanitizer, i, is_on == mode->is_usual);
		w_buf_add_fmt(out, "\033[?%s%c", mode->number, final);
	}
}

static void
switch_modes(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final)
{
	const char *at = sanitizer->sequence + 1;
	const char *end = sanitizer->sequence + sanitizer->sequence_len;

	while (at < end) {
		const char *stop = memchr(at, ';', (size_t)(end - at));

		if (stop == NULL)
			stop = end;
		switch_mode(sanitizer, out, at, (size_t)(stop - at), final);
		at = stop + 1;
	}
}

/* Whether a sequence of numbers and a letter passes. */
static bool
is_drawing(const struct w_sanitizer *sanitizer, unsigned char final)
{
	const char *numbers = sanitizer->sequence;
	const size_t len = sanitizer->sequence_len;

	if (final == 'J') /* 3 erases the scrollback */
		return memchr(numbers, '3', len) == NULL;
	if (final == 'T') /* several numbers: mouse highlighting */
		return memchr(numbers, ';', len) == NULL;
	if (final == 's' || final == 'u') /* with numbers: margins, keyboards */
		return len == 0;
	if (final == 'h' || final == 'l')
		return len == 1 && numbers[0] == '4';
	return strchr("@ABCDEFGHIKLMPSXZ`abdefgr", final) != NULL;
}

static void
draw(struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final)
{
	if (!is_drawing(sanitizer, final))
		return;
	if (final == 'h' || final == 'l')
		note_mode(sanitizer, MODE_INSERT, final == 'l');
	else if (final == 'r')
		note_mode(sanitizer, MODE_REGION, sanitizer->sequence_len == 0);
	pass(sanitizer, out, final);
}

void
w_sanitizer_screen_control(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final)
{
	const char *sequence = sanitizer->sequence;
	const size_t len = sanitizer->sequence_len;

	if (len >= W_SANITIZER_SEQUENCE_MAX)
		return;
	if (are_numbers(sequence, len)) {
		draw(sanitizer, out, final);
	} else if (sequence[0] == '?' && are_numbers(sequence + 1, len - 1)) {
		if (final == 'h' || final == 'l')
			switch_modes(sanitizer, out, final);
	} else if (final == 'q' && sequence[len - 1] == ' ' &&
		   are_numbers(sequence, len - 1)) {
		note_mode(sanitizer, MODE_CURSOR_STYLE, false);
		pass(sanitizer, out, final);
	} else if (final == 'p' && len == 1 && sequence[0] == '!') {
		/* DECSTR, a soft reset. */
		pass(sanitizer, out, final);
	}
}

/* ---- the end ---- */

static void
undo(struct w_sanitizer *sanitizer, struct w_buf *out, unsigned bit,
    const char *text)
{
	if ((sanitizer->modes & UINT32_C(1) << bit) != 0)
		w_buf_add_str(out, text);
}

void
w_sanitizer_screen_undo(struct w_sanitizer *sanitizer, struct w_buf *out)
{
	for (unsigned i = 0; i < MODE_COUNT; i++) {
		if ((sanitizer->modes & UINT32_C(1) << i) != 0)
			w_buf_add_fmt(out, "\033[?%s%c",
			    private_modes[i].number,
			    private_modes[i].is_usual ? 'h' : 'l');
	}
	undo(sanitizer, out, MODE_INSERT, "\033[4l");
	/* Resetting the region moves the cursor: save and restore it. */
	undo(sanitizer, out, MODE_REGION, "\0337\033[r\0338");
	undo(sanitizer, out, MODE_KEYPAD, "\033>");
	undo(sanitizer, out, MODE_CHARSET, "\033(B\033)B\017");
	undo(sanitizer, out, MODE_CURSOR_STYLE, "\033[0 q");
	sanitizer->modes = 0;
}
