/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_BRIEF_H
#define W_CLI_QUESTION_BRIEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/buf.h"
#include "base/words.h"

/*
 * A question in few lines: who asks, where, why, what the command gets, and
 * last the command itself, so that it stands directly above the keys. What does
 * not fit is cut in the middle, and the lines say so.
 */

/* With the keys; fewer on a small terminal. */
#define W_QUESTION_LINES_MAX 12
#define W_QUESTION_LINES_MIN 8

struct w_question_brief {
	yyjson_val *question;
	uint64_t now_ms;
	size_t position; /* among those that wait, from 1; 0: unknown */
	size_t waiting;
	size_t columns;
	size_t lines_max;
	bool has_colour;
	bool is_own; /* asked by this process, whose input is the terminal */
};

/* What of a question the lines had room for. */
struct w_question_shown {
	bool is_whole; /* nothing that would run, and nothing that it would
			  get, was left out */
	bool has_rule; /* nor anything of the proposed rule */
};

/* Appends the lines. false: no memory. */
bool w_question_brief_lines(const struct w_question_brief *brief,
    struct w_words *lines, struct w_question_shown *out_shown);

/* ---- question_rows.c ---- */

enum {
	W_QUESTION_WHO,
	W_QUESTION_WHERE,
	W_QUESTION_WHY,
	W_QUESTION_GETS,
	W_QUESTION_WITH,
	W_QUESTION_RULE,
	W_QUESTION_ROWS,
};

/* Appends the printable text of a row; nothing: there is no such row. false:
 * it cannot be shown in full here. */
bool w_question_add_row(
    const struct w_question_brief *brief, int row, struct w_buf *text);

/* Appends the command as printable lines, not wrapped: one, or one for each
 * line of a shell text, which is then *out_is_shell. */
bool w_question_command_lines(
    yyjson_val *question, struct w_words *lines, bool *out_is_shell);

#endif /* W_CLI_QUESTION_BRIEF_H */
