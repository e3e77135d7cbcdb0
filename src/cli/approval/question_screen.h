/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_SCREEN_H
#define W_CLI_QUESTION_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/approval/question_terminal.h"

/*
 * A block of lines at the end of the terminal's text, which is drawn in place:
 * a new block replaces the last one. The cursor stays behind its last line. On
 * a terminal without cursor movement ("dumb") each block follows the last one.
 */
struct w_question_screen {
	struct w_question_terminal *terminal;
	size_t columns;
	size_t rows;
	bool has_colour;
	bool is_dumb;
	struct w_words drawn; /* the block; empty: none */
	size_t drawn_columns; /* of the terminal at that time */
	int window_fd;        /* reads that the window has another size */
	bool had_window;      /* SIGWINCH was blocked before */
};

/* The terminal is open. Without window_fd (-1) sizes do not follow. */
void w_question_screen_init(
    struct w_question_screen *screen, struct w_question_terminal *terminal);
void w_question_screen_done(struct w_question_screen *screen);

/* Reads the size of the window. */
void w_question_screen_measure(struct w_question_screen *screen);

/* Draws the block unless it is there already. bell: rings. false: no memory. */
bool w_question_screen_draw(struct w_question_screen *screen,
    const struct w_words *lines, bool has_bell);

/* Writes behind the block. */
void w_question_screen_add(
    struct w_question_screen *screen, struct w_buf *text);

/* The block stays where it is; what follows is drawn below it. */
void w_question_screen_keep(struct w_question_screen *screen);

/* Takes the block away. */
void w_question_screen_clear(struct w_question_screen *screen);

#endif /* W_CLI_QUESTION_SCREEN_H */
