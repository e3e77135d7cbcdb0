/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_EXPLANATION_H
#define W_CLI_EXPLANATION_H

#include <stdbool.h>

#include <yyjson.h>

#include "base/buf.h"

/*
 * The answer of writ_explain(), for people: a verdict, what was not understood,
 * and each command with what it touches, inner ones indented.
 */
struct w_explanation {
	yyjson_val *root;
	bool has_colour;
};

void w_explanation_add(
    struct w_buf *buf, const struct w_explanation *explanation);

/* The parts of the page. */

/* Appends what all commands do together, in one line without a newline. */
void w_explanation_add_verdict(struct w_buf *buf, yyjson_val *root);

/* Appends the words of a command, quoted as for a shell, or its string. */
void w_explanation_add_words(struct w_buf *buf, yyjson_val *node);

/* Appends the command with marks below what the reason is about; nothing if it
 * has no reason. */
void w_explanation_add_mark(struct w_buf *buf, yyjson_val *node);

/* The verb for an effect in a sentence: "deletes"; "" for an unknown effect. */
const char *w_explanation_verb(const char *effect);

/* A string or {"b64":...}, sanitized for a terminal. */
void w_explanation_add_text(struct w_buf *buf, yyjson_val *val);

/* The target of a touch; NULL: not stated. *out_kind is "path", "host",
 * "program" or "variable". */
yyjson_val *w_explanation_target(yyjson_val *touch, const char **out_kind);

/* Appends a target that is present and not null. */
void w_explanation_add_target(struct w_buf *buf, yyjson_val *touch);

#endif /* W_CLI_EXPLANATION_H */
