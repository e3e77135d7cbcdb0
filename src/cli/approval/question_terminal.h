/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_TERMINAL_H
#define W_CLI_QUESTION_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "base/buf.h"

/*
 * The terminal of this process while somebody is asked: keys come one by one,
 * unseen. What was typed before the question was shown is forgotten, so that no
 * answer is older than its question.
 */
struct w_question_terminal {
	int fd; /* -1: it is not open */
	struct termios saved;
};

/* Whether somebody can be asked: standard input and standard error are a
 * terminal, and this process is in its foreground. */
bool w_question_terminal_exists(void);

/* false: it cannot be had. */
bool w_question_terminal_open(struct w_question_terminal *terminal);
void w_question_terminal_close(struct w_question_terminal *terminal);

/* Writes all of it and empties the buffer. */
void w_question_terminal_show(
    struct w_question_terminal *terminal, struct w_buf *text);

size_t w_question_terminal_columns(const struct w_question_terminal *terminal);

#endif /* W_CLI_QUESTION_TERMINAL_H */
