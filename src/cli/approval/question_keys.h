/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_KEYS_H
#define W_CLI_QUESTION_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cli/output/line_editor.h"

/*
 * The keys by which a person answers one question: bytes come in, what the
 * terminal has to show goes out. Enter answers nothing, and no key that is not
 * offered does.
 */
enum w_question_choice {
	W_QUESTION_OPEN,    /* nothing yet */
	W_QUESTION_ONCE,    /* y */
	W_QUESTION_SESSION, /* s */
	W_QUESTION_SHAPE,   /* r, or e and a rule: its text is in edit.text */
	W_QUESTION_DENY,    /* n */
	W_QUESTION_LATER,   /* l, where that is offered */
	W_QUESTION_STOP,    /* Ctrl-C */
};

struct w_question_keys {
	bool has_rule;  /* one is proposed */
	bool has_later; /* the question may be left alone */
	size_t columns; /* of the terminal; 0: not known */
	bool is_editing;
	struct w_line_editor edit; /* begins as the rule that is proposed */
};

/* rule NULL: none is proposed. */
void w_question_keys_init(struct w_question_keys *keys, const char *rule,
    bool has_later, size_t columns);

/* Appends the line of keys, or the line that is being edited. */
void w_question_keys_prompt(
    const struct w_question_keys *keys, struct w_buf *out);

enum w_question_choice w_question_keys_accept(
    struct w_question_keys *keys, char byte, struct w_buf *out);

#endif /* W_CLI_QUESTION_KEYS_H */
