/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_ELICITATION_H
#define W_MCP_ELICITATION_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/approval.h>
#include <yyjson.h>

#include "base/buf.h"

/*
 * The form that a client shows to its user, and the user's answer. Different
 * requests never have the same text; values of variables are not shown. Nothing
 * is cut: if the text does not fit, the buffer has failed and there is no form.
 */
enum {
	W_ELICITATION_TEXT_MAX = 16 * 1024,
	W_ELICITATION_NOTE_MAX = 400,
};

/* Appends the members of the params of elicitation/create for a question (an
 * object of writ_approvals_show()). can_last: it also offers to remember the
 * proposed rule for good, if there is one. */
void w_elicitation_add(
    struct w_buf *buf, yyjson_val *question, bool has_titles, bool can_last);

/* What the user answered, if anything. */
struct w_elicitation_answer {
	bool is_approved;
	writ_scope scope;
	bool is_closed;                        /* no answer; note says why */
	char note[W_ELICITATION_NOTE_MAX + 1]; /* "": none */
};

/* Reads {"action","content"}. Only an explicit yes is a yes; only "decline" or
 * an explicit choice is a no. Anything else: the form was closed without an
 * answer. can_last: as above; without it such an answer is none. */
void w_elicitation_read(
    yyjson_val *result, bool can_last, struct w_elicitation_answer *out_answer);

#endif /* W_MCP_ELICITATION_H */
