/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The terminal in non-canonical mode.
 */

#include "cli/approval/question_terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/output/print.h"

bool
w_question_terminal_exists(void)
{
	/* A background process would be stopped by SIGTTIN or SIGTTOU. */
	return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 &&
	       tcgetpgrp(STDIN_FILENO) == getpgrp();
}

bool
w_question_terminal_open(struct w_question_terminal *terminal)
{
	terminal->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (terminal->fd < 0)
		return false;
	if (tcgetattr(terminal->fd, &terminal->saved) < 0) {
		w_close(&terminal->fd);
		return false;
	}

	struct termios raw = terminal->saved;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(terminal->fd, TCSAFLUSH, &raw) < 0) {
		w_close(&terminal->fd);
		return false;
	}
	return true;
}

void
w_question_terminal_close(struct w_question_terminal *terminal)
{
	if (terminal->fd < 0)
		return;
	/* TCSADRAIN keeps keys typed after the answer for others. */
	(void)tcsetattr(terminal->fd, TCSADRAIN, &terminal->saved);
	w_close(&terminal->fd);
}

void
w_question_terminal_forget(struct w_question_terminal *terminal)
{
	(void)tcflush(terminal->fd, TCIFLUSH);
}

void
w_question_terminal_show(
    struct w_question_terminal *terminal, struct w_buf *text)
{
	/* If the terminal hung up, the next read fails. */
	(void)w_print_bytes(terminal->fd, text->data, text->len);
	w_buf_done(text);
	w_buf_init(text, W_PRINT_MAX);
}

size_t
w_question_terminal_columns(const struct w_question_terminal *terminal)
{
	return w_printable_terminal_columns(terminal->fd);
}
