/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ASK_KEYS_H
#define W_CLI_ASK_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cli/line_edit.h"

/*
 * The keys by which a person answers one question: bytes come in, what the
 * terminal has to show goes out. Enter answers nothing, and no key that is not
 * offered does.
 */
enum w_ask_choice {
	W_ASK_OPEN,    /* nothing yet */
	W_ASK_ONCE,    /* y */
	W_ASK_SESSION, /* s */
	W_ASK_SHAPE,   /* r, or e and a rule: its text is in edit.text */
	W_ASK_DENY,    /* n */
	W_ASK_LATER,   /* l, where that is offered */
	W_ASK_STOP,    /* Ctrl-C */
};

struct w_ask_keys {
	bool has_rule;  /* one is proposed */
	bool has_later; /* the question may be left alone */
	size_t columns; /* of the terminal; 0: not known */
	bool is_editing;
	struct w_line_edit edit; /* begins as the rule that is proposed */
};

/* rule NULL: none is proposed. */
void w_ask_keys_init(
    struct w_ask_keys *keys, const char *rule, bool has_later, size_t columns);

/* Appends the line of keys, or the line that is being edited. */
void w_ask_keys_prompt(const struct w_ask_keys *keys, struct w_buf *out);

enum w_ask_choice w_ask_keys_take(
    struct w_ask_keys *keys, char byte, struct w_buf *out);

#endif /* W_CLI_ASK_KEYS_H */
