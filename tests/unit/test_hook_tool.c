/* SPDX-License-Identifier: Apache-2.0 */

#include "hooks.h"

#include <stdio.h>
#include <stdlib.h>

/* The commands that a tool is judged as, one per line. */
static void
expect(const char *tool, const char *input, const char *commands)
{
	struct w_hook_event event;
	char text[1024];
	W_AUTO_BUF struct w_buf found;

	w_buf_init(&found, 4096);
	(void)snprintf(text, sizeof(text),
	    "{'hook_event_name':'PreToolUse','tool_name':'%s',"
	    "'tool_input':%s}",
	    tool, input);
	read_event(text, &event);
	for (size_t i = 0; i < event.act_count; i++) {
		const char *argv[W_HOOK_ARGV_MAX];

		w_hook_argv(&event.acts[i], argv);
		for (size_t k = 0; argv[k] != NULL; k++)
			w_buf_add_fmt(
			    &found, "%s%s", k > 0 ? " " : "", argv[k]);
		w_buf_add_char(&found, '\n');
	}
	assert_string_equal(found.data, commands);
	w_hook_done(&event);
}

static void
tools_are_judged_as_commands(void **state)
{
	(void)state;
	expect("Read", "{'file_path':'/a'}", "cat -- /a\n");
	expect("Write", "{'file_path':'-a','content':'x'}", "tee -- -a\n");
	expect("Edit", "{'file_path':'/a'}", "cat -- /a\ntee -- /a\n");
	expect(
	    "NotebookEdit", "{'notebook_path':'/n'}", "cat -- /n\ntee -- /n\n");
	expect("Grep", "{'pattern':'x'}", "ls -- .\n");
	expect("Grep", "{'pattern':'x','path':'/etc'}", "ls -- /etc\n");
	expect("Delete", "{'path':'/a'}", "rm -f -- /a\n");
	expect("WebFetch", "{'url':'https://example.com/x'}",
	    "curl https://example.com/x\n");
	expect("Bash", "{'command':'a | b'}", "sh -c a | b\n");
}

static void
a_patch_names_its_files(void **state)
{
	(void)state;
	expect("apply_patch",
	    "{'command':'*** Begin Patch\\n*** Add File: a b\\n+x\\n"
	    " *** Update File: c \\n*** Move to: d\\n"
	    "*** Delete File: e\\n*** End Patch'}",
	    "tee -- a b\ncat -- c\ntee -- c\ntee -- d\nrm -f -- e\n");
}

static void
expect_error(const char *tool, const char *input, const char *part)
{
	struct w_hook_event event;
	char text[1024];
	writ_error err;

	(void)snprintf(text, sizeof(text),
	    "{'hook_event_name':'PreToolUse','tool_name':'%s',"
	    "'tool_input':%s}",
	    tool, input);
	assert_int_equal(try_read(text, &event, &err), WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' has no '%s'", err.message, part);
}

static void
a_tool_that_does_not_say_what_it_touches_is_an_error(void **state)
{
	(void)state;
	expect_error("Read", "{}", "no path");
	expect_error("Read", "{'file_path':''}", "no path");
	expect_error("Read", "{'file_path':null}", "expected text");
	expect_error("apply_patch", "{'command':'nothing'}", "no file");
	expect_error("WebFetch", "{'url':'-o/etc/passwd'}", "not an address");
}

/* The path judged might not be the one used. */
static void
two_paths_are_an_error(void **state)
{
	(void)state;
	expect_error("Read", "{'file_path':'/a','path':'/etc/shadow'}",
	    "only one of them");
}

static void
too_many_files_are_an_error(void **state)
{
	struct w_hook_event event = {.tool = "x"};
	writ_error err;

	(void)state;
	for (int i = 0; i < W_HOOK_ACTS_MAX; i++)
		assert_int_equal(
		    w_hook_add_act(&event, W_HOOK_READ, "ab", 1, &err),
		    WRIT_OK);
	assert_int_equal(
	    w_hook_add_act(&event, W_HOOK_READ, "ab", 1, &err), WRIT_E_INVALID);
	assert_string_equal(event.acts[0].subject, "a");
	w_hook_done(&event);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tools_are_judged_as_commands),
	    cmocka_unit_test(a_patch_names_its_files),
	    cmocka_unit_test(
		a_tool_that_does_not_say_what_it_touches_is_an_error),
	    cmocka_unit_test(two_paths_are_an_error),
	    cmocka_unit_test(too_many_files_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
