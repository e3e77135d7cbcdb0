/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SANITIZER_H
#define W_CLI_SANITIZER_H

#include <stdint.h>

#include "cli/output/lossy_utf8.h"

/*
 * The output of a run, made harmless for a terminal: characters, line ends,
 * tabs and colours (SGR sequences) pass; everything else that a terminal
 * would obey is taken out. A carriage return becomes the end of the line, so
 * that nothing is written over. Bytes that are not UTF-8 become U+FFFD.
 *
 * With is_screen, for a person who uses a program with a terminal of its own,
 * what moves the cursor and what draws a screen passes as well
 * (sanitizer_screen.h).
 *
 * All zero is nothing yet. The state is bounded, whatever comes: a sequence
 * that does not end is given up at the end of its line, or when it is too
 * long. What follows is then shown as text, which no terminal takes for a part
 * of a sequence whose beginning it never saw.
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

/* So many bytes of one sequence are taken out at most. */
#define W_SANITIZER_SWALLOW_MAX ((size_t)64 << 10)

struct w_sanitizer {
	bool is_screen;
	struct w_lossy_utf8 decoder;
	enum w_sanitizer_state state;
	char sequence[W_SANITIZER_SEQUENCE_MAX]; /* between ESC or ESC [ and the
					       final byte */
	size_t sequence_len;
	size_t swallowed; /* bytes of this sequence so far */
	bool is_return;   /* the last character was one */
	bool has_colour;  /* one may be left on */
	uint32_t modes;   /* of a screen, that are not as usual */
};

void w_sanitizer_add(struct w_sanitizer *sanitizer, struct w_buf *out,
    const char *bytes, size_t len);

/* The output is over: what is left of it, and the terminal as it usually is,
 * without colours and modes that the output left behind. */
void w_sanitizer_end(struct w_sanitizer *sanitizer, struct w_buf *out);

#endif /* W_CLI_SANITIZER_H */
