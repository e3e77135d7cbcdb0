/* SPDX-License-Identifier: Apache-2.0 */

#include "hooks.h"

#include <stdlib.h>

#define CLAUDE                                                \
	"{'hook_event_name':'PreToolUse','tool_name':'Bash'," \
	"'tool_input':{'command':'ls','timeout':5}}"
#define CODEX                                            \
	"{'hook_event_name':'PreToolUse','turn_id':'1'," \
	"'tool_name':'Bash','tool_input':{'command':'ls'}}"
#define GEMINI                             \
	"{'hook_event_name':'BeforeTool'," \
	"'tool_name':'run_shell_command','tool_input':{'command':'ls'}}"
#define CURSOR                                                             \
	"{'hook_event_name':'beforeShellExecution','conversation_id':'c'," \
	"'command':'ls'}"
#define CURSOR_TOOL                                              \
	"{'hook_event_name':'preToolUse','conversation_id':'c'," \
	"'tool_name':'Shell','tool_input':{'command':'ls'}}"
#define COPILOT "{'toolName':'bash','toolArgs':{'command':'ls'}}"

static void
expect(const char *text, enum w_hook_verdict verdict, const char *command,
    const char *said)
{
	const struct w_hook_answer answer = {
	    .verdict = verdict, .reason = "why", .command = command};
	struct w_hook_event event;
	char *wanted = quoted(said);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	read_event(text, &event);
	w_hook_answer(&buf, &event, &answer);
	assert_string_equal(buf.data, wanted);
	free(wanted);
	w_hook_done(&event);
}

static void
each_program_hears_its_own_words(void **state)
{
	(void)state;
	expect(CLAUDE, W_HOOK_ALLOW, NULL,
	    "{'hookSpecificOutput':{'hookEventName':'PreToolUse',"
	    "'permissionDecision':'allow','permissionDecisionReason':'why'}}"
	    "\n");
	expect(CLAUDE, W_HOOK_ASK, NULL,
	    "{'hookSpecificOutput':{'hookEventName':'PreToolUse',"
	    "'permissionDecision':'ask','permissionDecisionReason':'why'}}\n");
	expect(CURSOR, W_HOOK_DENY, NULL,
	    "{'permission':'deny','user_message':'why','agent_message':'why'}"
	    "\n");
	expect(CURSOR, W_HOOK_ASK, NULL,
	    "{'permission':'ask','user_message':'why','agent_message':'why'}"
	    "\n");
	expect(GEMINI, W_HOOK_ALLOW, NULL, "{'decision':'allow'}\n");
	expect(
	    GEMINI, W_HOOK_DENY, NULL, "{'decision':'deny','reason':'why'}\n");
	expect(COPILOT, W_HOOK_DENY, NULL,
	    "{'permissionDecision':'deny','permissionDecisionReason':'why'}\n");
}

static void
who_would_not_ask_is_told_no(void **state)
{
	(void)state;
	expect(CODEX, W_HOOK_ASK, NULL,
	    "{'hookSpecificOutput':{'hookEventName':'PreToolUse',"
	    "'permissionDecision':'deny','permissionDecisionReason':'why'}}\n");
	expect(CURSOR_TOOL, W_HOOK_ASK, NULL,
	    "{'permission':'deny','user_message':'why','agent_message':'why'}"
	    "\n");
	expect(
	    GEMINI, W_HOOK_ASK, NULL, "{'decision':'deny','reason':'why'}\n");
	expect(COPILOT, W_HOOK_ASK, NULL,
	    "{'permissionDecision':'deny','permissionDecisionReason':'why'}\n");
}

static void
a_replaced_command_keeps_the_rest_of_the_input(void **state)
{
	(void)state;
	expect(CLAUDE, W_HOOK_ALLOW, "writ run",
	    "{'hookSpecificOutput':{'hookEventName':'PreToolUse',"
	    "'permissionDecision':'allow','permissionDecisionReason':'why',"
	    "'updatedInput':{'command':'writ run','timeout':5}}}\n");
	expect(CODEX, W_HOOK_ALLOW, "writ run",
	    "{'hookSpecificOutput':{'hookEventName':'PreToolUse',"
	    "'permissionDecision':'allow','permissionDecisionReason':'why',"
	    "'updatedInput':{'command':'writ run'}}}\n");
	expect(GEMINI, W_HOOK_ALLOW, "writ run",
	    "{'decision':'allow','hookSpecificOutput':{'tool_input':"
	    "{'command':'writ run'}}}\n");
	expect(CURSOR_TOOL, W_HOOK_ALLOW, "writ run",
	    "{'permission':'allow','updated_input':{'command':'writ run'}}\n");
}

static void
what_is_denied_is_not_replaced(void **state)
{
	(void)state;
	expect(GEMINI, W_HOOK_DENY, "writ run",
	    "{'decision':'deny','reason':'why'}\n");
}

static void
silence_is_how_codex_goes_on(void **state)
{
	(void)state;
	expect(CODEX, W_HOOK_ALLOW, NULL, "");
}

static void
expect_replace(const char *text, bool can)
{
	struct w_hook_event event;

	read_event(text, &event);
	assert_int_equal(w_hook_can_replace(&event), can);
	w_hook_done(&event);
}

static void
only_shells_of_programs_that_take_it_are_replaced(void **state)
{
	(void)state;
	expect_replace(CLAUDE, true);
	expect_replace(CODEX, true);
	expect_replace(GEMINI, true);
	expect_replace(CURSOR_TOOL, true);
	expect_replace(CURSOR, false);
	expect_replace(COPILOT, false);
	expect_replace("{'hook_event_name':'PreToolUse','tool_name':'Read',"
		       "'tool_input':{'file_path':'/a'}}",
	    false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_program_hears_its_own_words),
	    cmocka_unit_test(who_would_not_ask_is_told_no),
	    cmocka_unit_test(a_replaced_command_keeps_the_rest_of_the_input),
	    cmocka_unit_test(what_is_denied_is_not_replaced),
	    cmocka_unit_test(silence_is_how_codex_goes_on),
	    cmocka_unit_test(only_shells_of_programs_that_take_it_are_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
