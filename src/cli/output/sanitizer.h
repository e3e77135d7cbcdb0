/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SANITIZER_H
#define W_CLI_SANITIZER_H

#include <stdint.h>

#include "data/lossy_utf8.h"

/*
 * Makes the output of a run harmless for a terminal. Characters, newlines,
 * tabs and colours (SGR sequences) pass; every other control sequence is
 * removed. A carriage return becomes a newline, so that no text is
 * overwritten. Bytes that are not UTF-8 become U+FFFD.
 *
 * With is_screen, for a person who uses a full-screen program on a pty, the
 * sequences that move the cursor and draw also pass (sanitizer_screen.h).
 *
 * Start with all zero. The state is bounded for any input: an unfinished
 * sequence is abandoned at the end of its line, or when it is too long. The
 * rest of it is then shown as text. That is safe, because the terminal never
 * saw its beginning.
 */
enum w_sanitizer_state {
	W_SANITIZER_TEXT,
	W_SANITIZER_ESCAPE,        /* after ESC */
	W_SANITIZER_INTERMEDIATE,  /* ESC, then bytes before the final one */
	W_SANITIZER_CONTROL,       /* after ESC [ */
	W_SANITIZER_STRING,        /* OSC, DCS, ...: up to BEL or ESC \ */
	W_SANITIZER_STRING_ESCAPE, /* ESC within one */
};

#define W_SANITIZER_SEQUENCE_MAX 64

/* Bytes of one sequence that are removed at most. */
#define W_SANITIZER_SWALLOW_MAX ((size_t)64 << 10)

struct w_sanitizer {
	bool is_screen;
	struct w_lossy_utf8 decoder;
	enum w_sanitizer_state state;
	char sequence[W_SANITIZER_SEQUENCE_MAX]; /* between ESC or ESC [ and the
					       final byte */
	size_t sequence_len;
	size_t swallowed; /* bytes of this sequence so far */
	bool is_return;   /* the last character was a carriage return */
	bool has_colour;  /* a colour may still be on */
	uint32_t modes;   /* terminal modes that differ from the default */
};

void w_sanitizer_add(struct w_sanitizer *sanitizer, struct w_buf *out,
    const char *bytes, size_t len);

/* Call it after the last output: appends held bytes, and resets colours and
 * modes that the output left on. */
void w_sanitizer_end(struct w_sanitizer *sanitizer, struct w_buf *out);

#endif /* W_CLI_SANITIZER_H */
