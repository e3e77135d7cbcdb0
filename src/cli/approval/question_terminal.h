/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_TERMINAL_H
#define W_CLI_QUESTION_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "base/buf.h"

/*
 * The controlling terminal during a question: keys are read one by one, without
 * echo. Input typed before the question was shown is discarded, so that it
 * cannot answer it.
 */
struct w_question_terminal {
	int fd; /* -1: not open */
	struct termios saved;
};

/* Whether a person can be asked: standard input and standard error are a
 * terminal, and this process is in its foreground. */
bool w_question_terminal_exists(void);

/* false: it cannot be opened. */
bool w_question_terminal_open(struct w_question_terminal *terminal);
void w_question_terminal_close(struct w_question_terminal *terminal);

/* Throws away what was typed and not read yet. */
void w_question_terminal_forget(struct w_question_terminal *terminal);

/* Writes the buffer and empties it. */
void w_question_terminal_show(
    struct w_question_terminal *terminal, struct w_buf *text);

size_t w_question_terminal_columns(const struct w_question_terminal *terminal);

#endif /* W_CLI_QUESTION_TERMINAL_H */
