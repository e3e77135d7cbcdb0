/* SPDX-License-Identifier: Apache-2.0 */

#include "hooks.h"

#include <stdlib.h>

static void
expect_shell(const char *text, enum w_hook_format format, const char *command,
    const char *cwd, const char *session)
{
	struct w_hook_event event;

	read_event(text, &event);
	assert_int_equal(event.format, format);
	assert_int_equal(event.act_count, 1);
	assert_int_equal(event.acts[0].operation, W_HOOK_SHELL);
	assert_string_equal(event.acts[0].subject, command);
	if (cwd == NULL)
		assert_null(event.cwd);
	else
		assert_string_equal(event.cwd, cwd);
	if (session == NULL)
		assert_null(event.session);
	else
		assert_string_equal(event.session, session);
	w_hook_done(&event);
}

static void
the_shell_of_each_program_is_recognised(void **state)
{
	(void)state;
	expect_shell("{'session_id':'s1','transcript_path':'/t','cwd':'/srv',"
		     "'permission_mode':'default',"
		     "'hook_event_name':'PreToolUse','tool_name':'Bash',"
		     "'tool_input':{'command':'ls -l','timeout':5}}",
	    W_HOOK_CLAUDE, "ls -l", "/srv", "s1");
	expect_shell("{'session_id':'s2','cwd':'/srv','turn_id':'7',"
		     "'hook_event_name':'PreToolUse','tool_name':'Bash',"
		     "'tool_input':{'command':'ls'}}",
	    W_HOOK_CODEX, "ls", "/srv", "s2");
	expect_shell("{'session_id':'s3','cwd':'/srv','timestamp':'now',"
		     "'hook_event_name':'BeforeTool',"
		     "'tool_name':'run_shell_command',"
		     "'tool_input':{'command':'ls','dir_path':'sub'}}",
	    W_HOOK_GEMINI, "ls", "/srv/sub", "s3");
	expect_shell("{'hook_event_name':'beforeShellExecution',"
		     "'conversation_id':'c','workspace_roots':['/ws'],"
		     "'command':'npm i','cwd':''}",
	    W_HOOK_CURSOR, "npm i", "/ws", "c");
	expect_shell("{'hook_event_name':'preToolUse','conversation_id':'c',"
		     "'cwd':'/ws','tool_name':'Shell',"
		     "'tool_input':{'command':'ls','working_directory':'/x'}}",
	    W_HOOK_CURSOR, "ls", "/x", "c");
}

static void
arguments_may_be_json_in_a_string(void **state)
{
	static const char text[] =
	    "{\"timestamp\":1,\"cwd\":\"/p\",\"toolName\":\"bash\","
	    "\"toolArgs\":\"{\\\"command\\\":\\\"rm -rf dist\\\"}\"}";
	struct w_hook_event event;
	writ_error err;

	(void)state;
	assert_int_equal(
	    w_hook_read(text, strlen(text), W_HOOK_AUTO, &event, &err),
	    WRIT_OK);
	assert_int_equal(event.format, W_HOOK_COPILOT);
	assert_string_equal(event.acts[0].subject, "rm -rf dist");
	w_hook_done(&event);
}

static void
expect_nothing(const char *text)
{
	struct w_hook_event event;

	read_event(text, &event);
	assert_int_equal(event.act_count, 0);
	w_hook_done(&event);
}

static void
about_other_events_and_tools_there_is_no_opinion(void **state)
{
	(void)state;
	expect_nothing("{'hook_event_name':'PostToolUse','tool_name':'Bash',"
		       "'tool_input':{'command':'ls'}}");
	expect_nothing("{'hook_event_name':'SessionStart'}");
	expect_nothing("{'hook_event_name':'PreToolUse','tool_name':'Task',"
		       "'tool_input':{}}");
	expect_nothing("{'hook_event_name':'PreToolUse',"
		       "'tool_name':'mcp__db__query','tool_input':{}}");
	expect_nothing("{'hook_event_name':'beforeMCPExecution',"
		       "'conversation_id':'c','command':'x'}");
	expect_nothing("{'toolName':'bash','toolArgs':'','toolResult':{}}");
}

static void
expect_error(const char *text, const char *part)
{
	struct w_hook_event event = {.session = "untouched"};
	writ_error err;

	assert_int_equal(try_read(text, &event, &err), WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' has no '%s'", err.message, part);
	assert_string_equal(event.session, "untouched");
}

static void
what_cannot_be_understood_is_an_error_and_never_no_opinion(void **state)
{
	(void)state;
	expect_error("", "empty");
	expect_error("{'hook_event_name':'PreToolUse'", "JSON");
	expect_error("[]", "expected a map");
	expect_error("{}", "not the event of a hook");
	expect_error("{'hook_event_name':7}", "expected text");
	expect_error("{'hook_event_name':'PreToolUse'}", "no 'tool_name'");
	expect_error("{'hook_event_name':'PreToolUse','tool_name':'Bash'}",
	    "what the tool is given");
	expect_error("{'hook_event_name':'PreToolUse','tool_name':'Bash',"
		     "'tool_input':{}}",
	    "no command");
	expect_error("{'hook_event_name':'PreToolUse','tool_name':'Bash',"
		     "'tool_input':{'command':['ls']}}",
	    "expected text");
	expect_error("{'hook_event_name':'PreToolUse','tool_name':'Bash',"
		     "'tool_input':{'command':'ls\\u0000rm'}}",
	    "expected text");
	expect_error("{'hook_event_name':'PreToolUse','cwd':1,"
		     "'tool_name':'Bash','tool_input':{'command':'ls'}}",
	    "expected text");
	expect_error("{'toolName':'bash','toolArgs':'{'}", "JSON");
	/* Duplicate keys: readers may use the first or the last. */
	expect_error("{'hook_event_name':'PreToolUse','tool_name':'Bash',"
		     "'tool_input':{'command':'ls','command':'rm'}}",
	    "command");
}

static void
formats_have_names(void **state)
{
	enum w_hook_format format = W_HOOK_AUTO;

	(void)state;
	assert_true(w_hook_format_named("gemini", &format));
	assert_int_equal(format, W_HOOK_GEMINI);
	assert_false(w_hook_format_named("Gemini", &format));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_shell_of_each_program_is_recognised),
	    cmocka_unit_test(arguments_may_be_json_in_a_string),
	    cmocka_unit_test(about_other_events_and_tools_there_is_no_opinion),
	    cmocka_unit_test(
		what_cannot_be_understood_is_an_error_and_never_no_opinion),
	    cmocka_unit_test(formats_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
