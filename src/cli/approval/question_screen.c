/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Draws a block of lines in place.
 */

#include "cli/approval/question_screen.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/output/line_wrap.h"
#include "cli/output/print.h"

#define COLUMNS_STANDARD 80
#define ROWS_STANDARD    24
#define COLUMNS_MIN      20

/* Blocks SIGWINCH and reads it from a descriptor. */
static void
open_window(struct w_question_screen *screen)
{
	sigset_t window;
	sigset_t before;

	(void)sigemptyset(&window);
	(void)sigaddset(&window, SIGWINCH);
	(void)sigprocmask(SIG_BLOCK, &window, &before);
	screen->had_window = sigismember(&before, SIGWINCH) == 1;
	screen->window_fd = signalfd(-1, &window, SFD_CLOEXEC | SFD_NONBLOCK);
}

void
w_question_screen_init(
    struct w_question_screen *screen, struct w_question_terminal *terminal)
{
	const char *term = getenv("TERM");

	*screen = (struct w_question_screen){
	    .terminal = terminal,
	    .has_colour = w_print_has_colour(terminal->fd),
	    .is_dumb = term == NULL || strcmp(term, "dumb") == 0,
	    .window_fd = -1,
	};
	open_window(screen);
	w_question_screen_measure(screen);
}

void
w_question_screen_done(struct w_question_screen *screen)
{
	sigset_t window;

	w_words_done(&screen->drawn);
	w_close(&screen->window_fd);
	if (screen->had_window)
		return;
	(void)sigemptyset(&window);
	(void)sigaddset(&window, SIGWINCH);
	(void)sigprocmask(SIG_UNBLOCK, &window, NULL);
}

void
w_question_screen_measure(struct w_question_screen *screen)
{
	struct winsize size = {.ws_col = 0};
	struct signalfd_siginfo info;

	while (screen->window_fd >= 0 &&
	       read(screen->window_fd, &info, sizeof(info)) ==
		   (ssize_t)sizeof(info))
		;
	(void)ioctl(screen->terminal->fd, TIOCGWINSZ, &size);
	screen->columns = size.ws_col == 0 ? COLUMNS_STANDARD : size.ws_col;
	screen->rows = size.ws_row == 0 ? ROWS_STANDARD : size.ws_row;
	if (screen->columns < COLUMNS_MIN)
		screen->columns = COLUMNS_MIN;
}

/* The rows that the block takes now: a narrower window breaks its lines. */
static size_t
rows_of(const struct w_question_screen *screen)
{
	size_t rows = 0;

	for (size_t i = 0; i < screen->drawn.count; i++) {
		const size_t columns = w_wrap_columns(screen->drawn.items[i]);

		rows += columns <= screen->columns
			    ? 1
			    : (columns + screen->columns - 1) / screen->columns;
	}
	return rows < screen->rows ? rows : screen->rows;
}

/* Moves to the begin of the block, and clears it. */
static void
add_begin(const struct w_question_screen *screen, struct w_buf *out)
{
	const size_t rows = rows_of(screen);

	if (screen->drawn.count == 0)
		return;
	if (screen->is_dumb) {
		w_buf_add_char(out, '\n');
		return;
	}
	w_buf_add_char(out, '\r');
	if (rows > 1)
		w_buf_add_fmt(out, "\033[%zuA", rows - 1);
	w_buf_add_str(out, "\033[J");
}

static bool
is_drawn(const struct w_question_screen *screen, const struct w_words *lines)
{
	if (screen->drawn.count != lines->count ||
	    screen->drawn_columns != screen->columns)
		return false;
	for (size_t i = 0; i < lines->count; i++) {
		if (strcmp(screen->drawn.items[i], lines->items[i]) != 0)
			return false;
	}
	return true;
}

bool
w_question_screen_draw(struct w_question_screen *screen,
    const struct w_words *lines, bool has_bell)
{
	struct w_words drawn = {.items = NULL};
	struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	w_buf_add_str(&out, has_bell ? "\a" : "");
	if (is_drawn(screen, lines)) {
		w_question_terminal_show(screen->terminal, &out);
		w_buf_done(&out);
		return true;
	}
	add_begin(screen, &out);
	for (size_t i = 0; i < lines->count; i++) {
		w_buf_add_str(&out, i == 0 ? "" : "\n");
		w_buf_add_str(&out, lines->items[i]);
		if (!w_words_add(
			&drawn, lines->items[i], strlen(lines->items[i])))
			out.failed = true;
	}
	const bool is_done = !out.failed;
	if (is_done)
		w_question_terminal_show(screen->terminal, &out);
	w_buf_done(&out);
	w_words_done(&screen->drawn);
	screen->drawn = drawn;
	screen->drawn_columns = screen->columns;
	return is_done;
}

void
w_question_screen_add(struct w_question_screen *screen, struct w_buf *text)
{
	w_question_terminal_show(screen->terminal, text);
}

void
w_question_screen_keep(struct w_question_screen *screen)
{
	w_words_done(&screen->drawn);
	screen->drawn = (struct w_words){.items = NULL};
}

void
w_question_screen_clear(struct w_question_screen *screen)
{
	struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	add_begin(screen, &out);
	w_question_terminal_show(screen->terminal, &out);
	w_buf_done(&out);
	w_question_screen_keep(screen);
}
