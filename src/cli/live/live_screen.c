/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Draws on the alternate screen.
 */

#include "cli/live/live_screen.h"

#include <string.h>

#include "cli/output/line_wrap.h"
#include "cli/output/print.h"

/* The alternate screen, without a cursor and without line breaks of the
 * terminal's own: a line that is too long for it is cut, not wrapped. */
#define BEGIN "\033[?1049h\033[?25l\033[?7l\033[2J\033[H"

static void
live_screen_write(struct w_live_screen *screen, const char *text)
{
	struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	w_buf_add_str(&out, text);
	w_question_terminal_show(screen->terminal, &out);
	w_buf_done(&out);
}

static void
live_screen_forget(struct w_live_screen *screen)
{
	w_words_done(&screen->drawn);
	screen->drawn = (struct w_words){.items = NULL};
}

void
w_live_screen_open(
    struct w_live_screen *screen, struct w_question_terminal *terminal)
{
	*screen = (struct w_live_screen){.terminal = terminal};
	live_screen_write(screen, BEGIN);
}

void
w_live_screen_close(struct w_live_screen *screen)
{
	live_screen_write(screen, W_LIVE_SCREEN_END);
	live_screen_forget(screen);
}

void
w_live_screen_clear(struct w_live_screen *screen)
{
	live_screen_write(screen, "\033[0m\033[2J\033[H");
	live_screen_forget(screen);
}

void
w_live_screen_lend(struct w_live_screen *screen)
{
	w_live_screen_clear(screen);
	live_screen_write(screen, "\033[?7h\033[?25h");
}

void
w_live_screen_take_back(struct w_live_screen *screen)
{
	live_screen_write(screen, "\033[?25l\033[?7l");
	w_live_screen_clear(screen);
}

bool
w_live_screen_draw(struct w_live_screen *screen, const struct w_words *lines,
    size_t columns, bool has_bell)
{
	struct w_words drawn = {.items = NULL};
	struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	w_buf_add_str(&out, has_bell ? "\a" : "");
	for (size_t i = 0; i < lines->count; i++) {
		const char *line = lines->items[i];

		if (!w_words_add(&drawn, line, strlen(line)))
			out.failed = true;
		if (i < screen->drawn.count &&
		    strcmp(screen->drawn.items[i], line) == 0)
			continue;
		w_buf_add_fmt(&out, "\033[%zu;1H%s", i + 1, line);
		if (w_wrap_columns(line) < columns)
			w_buf_add_str(&out, "\033[K");
	}
	if (screen->drawn.count > lines->count)
		w_buf_add_fmt(&out, "\033[%zu;1H\033[J", lines->count + 1);
	const bool is_done = !out.failed;
	if (is_done && out.len > 0)
		w_question_terminal_show(screen->terminal, &out);
	w_buf_done(&out);
	live_screen_forget(screen);
	screen->drawn = drawn;
	return is_done;
}
