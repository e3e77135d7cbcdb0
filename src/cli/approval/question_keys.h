/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_KEYS_H
#define W_CLI_QUESTION_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/output/line_editor.h"

/*
 * The keys that answer a question: takes bytes from the terminal. Enter, keys
 * that are not offered, and keys with Alt do nothing.
 */
enum w_question_choice {
	W_QUESTION_OPEN,    /* no answer yet */
	W_QUESTION_ONCE,    /* y */
	W_QUESTION_SESSION, /* s */
	W_QUESTION_SHAPE,   /* r, or e and a rule: its text is in edit.text */
	W_QUESTION_PROJECT, /* p: the rule, in this project, for good */
	W_QUESTION_ALWAYS,  /* a: the rule, anywhere, for good */
	W_QUESTION_DENY,    /* n */
	W_QUESTION_LATER,   /* l, if offered */
	W_QUESTION_STOP,    /* Ctrl-C */
	W_QUESTION_EDIT,    /* e: w_question_keys_edit() begins it */
	W_QUESTION_TYPED,   /* the rule that is edited has changed */
	W_QUESTION_BACK,    /* Escape: also leaves the rule */
	W_QUESTION_DETAILS, /* d */
	W_QUESTION_HELP,    /* ? */
	W_QUESTION_NEXT,    /* j or down */
	W_QUESTION_BEFORE,  /* k or up */
	W_QUESTION_QUIT,    /* q, if offered */
};

struct w_question_keys {
	bool has_rule;  /* a rule is proposed */
	bool has_later; /* the question is one of a list: it may be left for
			   later, others chosen, and the list left */
	size_t columns; /* of the terminal; 0: unknown */
	bool is_editing;
	struct w_line_editor edit;
	char proposal[W_EDITOR_MAX]; /* where editing begins */
	char escape;                 /* the last byte of an unfinished key
				      * sequence; NUL: none */
};

/* rule: the proposed one; NULL: none. */
void w_question_keys_init(struct w_question_keys *keys, const char *rule,
    bool has_later, size_t columns);

/* Appends the keys that are offered, on as many lines as they need. */
bool w_question_keys_offer(
    const struct w_question_keys *keys, struct w_words *lines);

/* Appends what the keys mean, a line for each. */
bool w_question_keys_help(
    const struct w_question_keys *keys, struct w_words *lines);

/* Appends what draws the rule that is edited, on the line of the cursor. */
void w_question_keys_draw_rule(
    const struct w_question_keys *keys, struct w_buf *out);

enum w_question_choice w_question_keys_accept(
    struct w_question_keys *keys, char byte);

/* Begins to edit the rule, from the proposal. */
void w_question_keys_edit(struct w_question_keys *keys);

/* Whether Escape was pressed, or a key that begins with it. If no byte follows
 * soon, it was Escape: w_question_keys_wake() says what that means. */
bool w_question_keys_has_escape(const struct w_question_keys *keys);
enum w_question_choice w_question_keys_wake(struct w_question_keys *keys);

#endif /* W_CLI_QUESTION_KEYS_H */
