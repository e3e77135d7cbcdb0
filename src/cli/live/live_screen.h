/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_SCREEN_H
#define W_CLI_LIVE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"
#include "cli/approval/question_terminal.h"

/*
 * The whole screen of a terminal, drawn line by line: only lines that changed
 * are written, so nothing flickers. What was on the screen before comes back at
 * the end.
 */
/* Puts a terminal back. */
#define W_LIVE_SCREEN_END "\033[0m\033[?7h\033[?25h\033[?1049l"

struct w_live_screen {
	struct w_question_terminal *terminal;
	struct w_words drawn; /* empty: nothing, or it is unknown */
};

void w_live_screen_open(
    struct w_live_screen *screen, struct w_question_terminal *terminal);
void w_live_screen_close(struct w_live_screen *screen);

/* What is on the screen is unknown, or has another size: it is cleared, and the
 * cursor goes to its begin. */
void w_live_screen_clear(struct w_live_screen *screen);

/* Another one draws on the empty screen, with the cursor; and no longer. */
void w_live_screen_lend(struct w_live_screen *screen);
void w_live_screen_take_back(struct w_live_screen *screen);

/* Draws the lines, each of at most that many columns. Colours must be off at
 * the end of each. false: no memory. */
bool w_live_screen_draw(struct w_live_screen *screen,
    const struct w_words *lines, size_t columns, bool has_bell);

#endif /* W_CLI_LIVE_SCREEN_H */
