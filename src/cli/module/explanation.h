/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_EXPLANATION_H
#define W_CLI_EXPLANATION_H

#include <stdbool.h>

#include <yyjson.h>

#include "base/buf.h"

/*
 * What writ_explain() says, for people: a verdict, the place of what was not
 * understood, and each command with what it touches, inner ones below.
 */
struct w_explanation {
	yyjson_val *root;
	bool has_colour;
};

void w_explanation_add(
    struct w_buf *buf, const struct w_explanation *explanation);

/* The parts. */

/* Appends what all commands do together, in one line without its end. */
void w_explanation_add_verdict(struct w_buf *buf, yyjson_val *root);

/* Appends the words of a command, quoted where a shell would need it; or its
 * shell string. */
void w_explanation_add_words(struct w_buf *buf, yyjson_val *node);

/* Appends the command with marks below what its reason is about; nothing when
 * it has none. */
void w_explanation_add_mark(struct w_buf *buf, yyjson_val *node);

/* What an effect is called in a sentence: "deletes". "" when there is no such
 * effect. */
const char *w_explanation_verb(const char *effect);

/* The text of a value that is a string or {"b64":...}, tamed for a terminal. */
void w_explanation_add_text(struct w_buf *buf, yyjson_val *val);

/* The target of a touch; NULL: nothing is said about where. *out_kind is
 * "path", "host", "program" or "variable". */
yyjson_val *w_explanation_target(yyjson_val *touch, const char **out_kind);

/* Appends a target that is there and not null. */
void w_explanation_add_target(struct w_buf *buf, yyjson_val *touch);

#endif /* W_CLI_EXPLANATION_H */
