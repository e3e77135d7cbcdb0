/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the client's response to the form. Only one shape of it is a yes.
 */

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/encode.h"
#include "base/printable.h"
#include "mcp/approval/elicitation.h"

static void
set_no_yes(struct w_elicitation_answer *answer, bool is_closed, const char *why)
{
	*answer = (struct w_elicitation_answer){
	    .scope = WRIT_SCOPE_ONCE, .is_closed = is_closed};
	(void)snprintf(answer->note, sizeof(answer->note), "%s", why);
}

/* Keeps one line of the note. */
static void
copy_note(struct w_elicitation_answer *answer, yyjson_val *note)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, (size_t)W_ELICITATION_NOTE_MAX * 16);
	if (!yyjson_is_str(note) ||
	    yyjson_get_len(note) > W_ELICITATION_NOTE_MAX)
		return;
	(void)w_printable_add(&line, yyjson_get_str(note), 0);
	const size_t len =
	    line.len < W_ELICITATION_NOTE_MAX
		? line.len
		: w_utf8_trim_end(line.data, W_ELICITATION_NOTE_MAX);
	memcpy(answer->note, line.data, len);
	answer->note[len] = '\0';
}

static void
take_content(
    struct w_elicitation_answer *answer, yyjson_val *content, bool can_last)
{
	yyjson_val *decision = yyjson_obj_get(content, "decision");

	*answer = (struct w_elicitation_answer){.scope = WRIT_SCOPE_ONCE};
	if (yyjson_equals_str(decision, "once")) {
		answer->is_approved = true;
	} else if (yyjson_equals_str(decision, "session")) {
		answer->is_approved = true;
		answer->scope = WRIT_SCOPE_SESSION;
	} else if (can_last && yyjson_equals_str(decision, "project")) {
		answer->is_approved = true;
		answer->scope = WRIT_SCOPE_PROJECT;
	} else if (can_last && yyjson_equals_str(decision, "always")) {
		answer->is_approved = true;
		answer->scope = WRIT_SCOPE_ALWAYS;
	} else if (!yyjson_equals_str(decision, "deny")) {
		set_no_yes(answer, true,
		    "what came back from the form has no decision in it");
		return;
	}
	copy_note(answer, yyjson_obj_get(content, "note"));
}

void
w_elicitation_read(
    yyjson_val *result, bool can_last, struct w_elicitation_answer *out_answer)
{
	yyjson_val *action = yyjson_obj_get(result, "action");

	if (yyjson_equals_str(action, "accept"))
		take_content(
		    out_answer, yyjson_obj_get(result, "content"), can_last);
	else if (yyjson_equals_str(action, "decline"))
		set_no_yes(out_answer, false, "the form was declined");
	else if (yyjson_equals_str(action, "cancel"))
		set_no_yes(
		    out_answer, true, "the form was closed without an answer");
	else
		set_no_yes(out_answer, true,
		    "what came back is not an answer to the form");
}
