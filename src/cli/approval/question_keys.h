/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_KEYS_H
#define W_CLI_QUESTION_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cli/output/line_editor.h"

/*
 * The keys that answer a question: takes bytes from the terminal, and appends
 * what to show. Enter and keys that are not offered do nothing.
 */
enum w_question_choice {
	W_QUESTION_OPEN,    /* no answer yet */
	W_QUESTION_ONCE,    /* y */
	W_QUESTION_SESSION, /* s */
	W_QUESTION_SHAPE,   /* r, or e and a rule: its text is in edit.text */
	W_QUESTION_DENY,    /* n */
	W_QUESTION_LATER,   /* l, if offered */
	W_QUESTION_STOP,    /* Ctrl-C */
};

struct w_question_keys {
	bool has_rule;  /* a rule is proposed */
	bool has_later; /* the question may be left for later */
	size_t columns; /* of the terminal; 0: unknown */
	bool is_editing;
	struct w_line_editor edit; /* starts as the proposed rule */
};

/* rule: the proposed one; NULL: none. */
void w_question_keys_init(struct w_question_keys *keys, const char *rule,
    bool has_later, size_t columns);

/* Appends the prompt with its keys, or the line being edited. */
void w_question_keys_prompt(
    const struct w_question_keys *keys, struct w_buf *out);

enum w_question_choice w_question_keys_accept(
    struct w_question_keys *keys, char byte, struct w_buf *out);

#endif /* W_CLI_QUESTION_KEYS_H */
