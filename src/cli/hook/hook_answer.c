/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The answer to an event, in the format of each program. No program gets an
 * answer that its documentation does not define: one that cannot ask its user
 * would take "ask" for "continue".
 */

#include "cli/hook/hook.h"

#include <stdlib.h>
#include <string.h>

#include "data/json.h"

static const char *const words[] = {
    [W_HOOK_ALLOW] = "allow",
    [W_HOOK_ASK] = "ask",
    [W_HOOK_DENY] = "deny",
};

static bool
is_event(const struct w_hook_event *event, const char *name)
{
	return event->name != NULL && strcmp(event->name, name) == 0;
}

bool
w_hook_can_ask(const struct w_hook_event *event)
{
	return event->format == W_HOOK_CLAUDE ||
	       (event->format == W_HOOK_CURSOR &&
		   is_event(event, "beforeShellExecution"));
}

bool
w_hook_can_replace(const struct w_hook_event *event)
{
	if (event->act_count != 1 || event->acts[0].operation != W_HOOK_SHELL)
		return false;
	return event->format == W_HOOK_CLAUDE ||
	       event->format == W_HOOK_CODEX ||
	       event->format == W_HOOK_GEMINI ||
	       (event->format == W_HOOK_CURSOR &&
		   is_event(event, "preToolUse"));
}

/* The tool's input with the command replaced. All other keys are copied, since
 * some programs replace the whole input. */
static void
hook_answer_add_input(
    struct w_buf *buf, const struct w_hook_event *event, const char *command)
{
	const char *comma = "";
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	w_buf_add_char(buf, '{');
	yyjson_obj_foreach(event->input, i, count, key, val)
	{
		w_buf_add_str(buf, comma);
		comma = ",";
		w_json_add_string(
		    buf, yyjson_get_str(key), yyjson_get_len(key));
		w_buf_add_char(buf, ':');
		if (yyjson_equals_str(key, "command")) {
			w_json_add_text(buf, command);
			continue;
		}
		size_t len = 0;
		char *text = yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

		if (text == NULL)
			buf->failed = true;
		else
			w_buf_add(buf, text, len);
		free(text);
	}
	w_buf_add_char(buf, '}');
}

static void
add_claude(struct w_buf *buf, const struct w_hook_event *event,
    const struct w_hook_answer *answer)
{
	/* Codex rejects an "allow" that carries nothing else. */
	if (event->format == W_HOOK_CODEX && answer->verdict == W_HOOK_ALLOW &&
	    answer->command == NULL)
		return;
	w_buf_add_str(
	    buf, "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"");
	w_json_add_text_member(
	    buf, "permissionDecision", words[answer->verdict]);
	w_json_add_text_member(buf, "permissionDecisionReason", answer->reason);
	if (answer->command != NULL) {
		w_buf_add_str(buf, ",\"updatedInput\":");
		hook_answer_add_input(buf, event, answer->command);
	}
	w_buf_add_str(buf, "}}\n");
}

static void
add_cursor(struct w_buf *buf, const struct w_hook_event *event,
    const struct w_hook_answer *answer)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "permission", words[answer->verdict]);
	if (answer->verdict != W_HOOK_ALLOW) {
		w_json_add_text_member(buf, "user_message", answer->reason);
		w_json_add_text_member(buf, "agent_message", answer->reason);
	}
	if (answer->command != NULL) {
		w_buf_add_str(buf, ",\"updated_input\":");
		hook_answer_add_input(buf, event, answer->command);
	}
	w_buf_add_str(buf, "}\n");
}

static void
add_gemini(struct w_buf *buf, const struct w_hook_answer *answer)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "decision", words[answer->verdict]);
	if (answer->verdict != W_HOOK_ALLOW)
		w_json_add_text_member(buf, "reason", answer->reason);
	if (answer->command != NULL) {
		w_buf_add_str(buf, ",\"hookSpecificOutput\":{\"tool_input\":{");
		w_json_add_text_member(buf, "command", answer->command);
		w_buf_add_str(buf, "}}");
	}
	w_buf_add_str(buf, "}\n");
}

static void
add_copilot(struct w_buf *buf, const struct w_hook_answer *answer)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(
	    buf, "permissionDecision", words[answer->verdict]);
	w_json_add_text_member(buf, "permissionDecisionReason", answer->reason);
	w_buf_add_str(buf, "}\n");
}

void
w_hook_answer(struct w_buf *buf, const struct w_hook_event *event,
    const struct w_hook_answer *answer)
{
	struct w_hook_answer given = *answer;

	if (given.verdict == W_HOOK_ASK && !w_hook_can_ask(event))
		given.verdict = W_HOOK_DENY;
	if (given.verdict == W_HOOK_DENY)
		given.command = NULL;
	switch (event->format) {
	case W_HOOK_CLAUDE:
	case W_HOOK_CODEX:
		add_claude(buf, event, &given);
		break;
	case W_HOOK_CURSOR:
		add_cursor(buf, event, &given);
		break;
	case W_HOOK_GEMINI:
		add_gemini(buf, &given);
		break;
	case W_HOOK_COPILOT:
		add_copilot(buf, &given);
		break;
	case W_HOOK_AUTO:
	case W_HOOK_FORMAT_COUNT:
		break;
	}
}
