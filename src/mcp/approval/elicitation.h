/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_ELICITATION_H
#define W_MCP_ELICITATION_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/approval.h>
#include <yyjson.h>

#include "base/buf.h"

/*
 * The form by which a client asks its person, and what comes back. The text
 * shows what would run so that no two requests look the same; values of
 * variables are not shown. What does not fit is not shown in part: then the
 * buffer has failed, and there is no form.
 */
enum {
	W_ELICITATION_TEXT_MAX = 16 * 1024,
	W_ELICITATION_NOTE_MAX = 400,
};

/* Appends the inside of the parameters of elicitation/create for a question
 * (an object of writ_approvals_show()). */
void w_elicitation_add(
    struct w_buf *buf, yyjson_val *question, bool has_titles);

/* What a person said, or that nobody did. */
struct w_elicitation_answer {
	bool is_approved;
	writ_scope scope;
	bool is_closed; /* nobody said anything; note says how that is known */
	char note[W_ELICITATION_NOTE_MAX + 1]; /* "": none */
};

/* Reads {"action","content"}. Only an explicit yes is a yes, only a decline or
 * a choice is a no; with anything else the form was closed without an answer.
 */
void w_elicitation_read(
    yyjson_val *result, struct w_elicitation_answer *out_answer);

#endif /* W_MCP_ELICITATION_H */
